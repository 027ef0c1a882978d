import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatClock, formatNumber } from '../format/format.ts';
import { locale } from '../texts/language.ts';
import { t } from '../texts/t.ts';
import { IconClockPause } from '../ui/icons.ts';
import type { Standstill } from './stall.ts';

const words = t.delivery;

/** Who does not answer, how many wait for it, and when it is tried again. */
export function StallNote({ stall: { services, waiting, nextAt } }: { stall: Standstill }): ReactNode {
  const names = services.map((service) => words.serviceNames[service]);
  const title =
    names.length === 0
      ? words.stalledAll
      : names.length === 1
        ? words.stalled(names[0] ?? '')
        : words.stalledMany(new Intl.ListFormat(locale).format(names));
  const isAhead = nextAt !== null && Date.parse(nextAt) > Date.now();
  return (
    <Alert color="yellow" title={title} icon={<IconClockPause aria-hidden />} role="status">
      {words.stalledWaiting(formatNumber(waiting))}{' '}
      {isAhead ? words.stalledNext(formatClock(nextAt)) : words.stalledNow} {words.stalledLost}
    </Alert>
  );
}
