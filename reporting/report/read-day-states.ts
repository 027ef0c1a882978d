import { readLedger } from '../../engine/adapters/postgres/ad-ledger.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import { dayText, knownDay, todayAhead } from '../../engine/contract/days.ts';
import { listDays, type StateRun } from '../ingest/days/list-days.ts';
import type { Access } from './access.ts';
import type { Statement } from './compile.ts';
import { dayStatesOf, type ReportDayStates, sinceOf } from './day-states.ts';
import { askedDays, type ReportPeriod, touchedDays } from './period.ts';
import { readSeenState } from './seen-sources.ts';

/** Of the days of the report, and of the last weeks: whether a source still delivers shows there. */
export function readStates(sql: Sql, period: ReportPeriod, nowMs: number): Promise<StateRun[]> {
  // Days of a source in another timezone overlap those around them.
  const firstDay = dayText(knownDay(period.start) - 1);
  const lastDay = dayText(knownDay(period.end) + 1);
  const since = sinceOf(nowMs);
  const today = dayText(todayAhead(nowMs));
  return listDays(sql, {
    from: [firstDay, since].toSorted()[0] ?? since,
    until: [lastDay, today].toSorted()[1] ?? today,
    source: null,
  });
}

/** How certain the days are, as the `meta` of a report of them says it, without the report. */
export async function readDayStates({
  sql,
  access,
  period,
  nowMs,
  ask,
}: {
  readonly sql: Sql;
  readonly access: Access;
  readonly period: ReportPeriod;
  readonly nowMs: number;
  ask(statement: Statement): Promise<string | null>;
}): Promise<ReportDayStates> {
  const [ledger, runs] = await Promise.all([
    readLedger(sql, touchedDays(period), askedDays(period)),
    readStates(sql, period, nowMs),
  ]);
  const { seen } = await readSeenState(access, ledger, period, nowMs, runs, ask);
  return dayStatesOf({ period, runs, seen, dayZones: ledger.dayZones, nowMs });
}
