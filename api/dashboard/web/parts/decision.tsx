import { Badge, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Trace } from '../data/subscribers/queries.ts';
import { t } from '../texts/t.ts';

const colors: Readonly<Record<Trace['decision'], string>> = {
  not_started: 'gray',
  not_in_audience: 'gray',
  not_reached: 'gray',
  in_progress: 'indigo',
  waiting_for_retry: 'yellow',
  accepted: 'teal',
  capped: 'yellow',
  guarded: 'yellow',
  wished: 'yellow',
  failed: 'red',
  not_sent: 'gray',
};

/**
 * The result of a delivery for one subscriber, in two words; undefined while it loads.
 * @param rehearsal no one received it, whatever the rehearsal counted.
 */
export const Decision = ({
  trace,
  rehearsal = false,
}: {
  trace: Pick<Trace, 'decision'> | undefined;
  rehearsal?: boolean;
}): ReactNode =>
  trace === undefined ? (
    <Skeleton height={18} width={90} />
  ) : rehearsal && trace.decision === 'accepted' ? (
    <Badge color="gray">{t.trace.rehearsed}</Badge>
  ) : (
    <Badge color={colors[trace.decision]}>{t.trace.decisions[trace.decision]}</Badge>
  );
