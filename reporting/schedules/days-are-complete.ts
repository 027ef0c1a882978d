import { readLedger } from '../../engine/adapters/postgres/ad-ledger.ts';
import { DAY_MS, knownDay } from '../../engine/contract/days.ts';
import type { DaysAreFinal } from './firings.ts';

/** A day of the westernmost zone ends this much after that of UTC. */
const WEST_MS = 12 * 3_600_000;

/** As far as the sources of the last weeks say that their data is complete. */
export const daysAreComplete: DaysAreFinal = async (sql, { first, last, zone }) => {
  const { completeUntil } = await readLedger(sql, { firstDay: first, lastDay: last });
  const end = (knownDay(last) + 1) * DAY_MS + (zone === 'UTC' ? 0 : WEST_MS);
  return completeUntil !== null && completeUntil.getTime() >= end;
};
