import { Badge, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import type { Trace } from './queries.ts';

const colors: Readonly<Record<Trace['decision'], string>> = {
  not_started: 'gray',
  not_in_audience: 'gray',
  not_reached: 'gray',
  in_progress: 'indigo',
  waiting_for_retry: 'yellow',
  accepted: 'teal',
  capped: 'yellow',
  failed: 'red',
  not_sent: 'gray',
};

/** What became of a delivery for one subscriber, in two words; undefined while it is being asked. */
export const Decision = ({ trace }: { trace: Pick<Trace, 'decision'> | undefined }): ReactNode =>
  trace === undefined ? (
    <Skeleton height={18} width={90} />
  ) : (
    <Badge color={colors[trace.decision]}>{t.trace.decisions[trace.decision]}</Badge>
  );
