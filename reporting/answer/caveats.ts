import type { FastifyReply } from 'fastify';
import type { OldRate } from '../../engine/contract/rate-table.ts';
import type { LeftOutRows } from '../report/money.ts';

/** What a reader of a report's money must know of it. */
export interface Caveats {
  readonly leftOut: readonly Pick<LeftOutRows, 'currency' | 'rows'>[];
  readonly oldRates: readonly OldRate[];
}

/** In headers: files have no `meta` to hold it. */
export function nameCaveats(reply: FastifyReply, { leftOut, oldRates }: Caveats): void {
  name(
    'x-old-rates',
    oldRates.map(({ currency, rate_day: day }) => `${currency}=${day}`),
  );
  name(
    'x-rows-left-out',
    leftOut.map(({ currency, rows }) => `${currency}=${rows}`),
  );

  function name(header: string, parts: readonly string[]): void {
    if (parts.length > 0) reply.header(header, parts.join(', '));
  }
}
