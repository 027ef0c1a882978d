import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import { daysBetween, knownDay } from '../../engine/contract/days.ts';
import type { ReportReader } from '../answer/report-reader.ts';
import { accessOf } from '../report/access.ts';
import { periodOf } from '../report/period.ts';
import { readDayStates } from '../report/read-day-states.ts';
import type { FinalDaysOf } from './firings.ts';

/** Days that are final for a token, as `meta` of its reports says it: a day of which no source has anything is not. */
export const createFinalDaysOf =
  (deps: { readonly sql: Sql; readonly reader: ReportReader; readonly nowMs: () => number }): FinalDaysOf =>
  async (scope, { first, last, zone }) => {
    const { sql, reader } = deps;
    const nowMs = deps.nowMs();
    const period = periodOf({ selectedDate: [first, last], timezone: zone }, nowMs);
    const run = reader.begin(AbortSignal.timeout(LOOK_DEADLINE_MS));
    const { days } = await readDayStates({
      ...{ sql, access: accessOf(scope), period, nowMs },
      ask: (statement) => run.line(statement),
    });
    return new Set(
      days
        .filter(({ state }) => state === 'final')
        .flatMap(({ first_day, last_day }) => daysBetween(knownDay(first_day), knownDay(last_day))),
    );
  };

const LOOK_DEADLINE_MS = 30_000;
