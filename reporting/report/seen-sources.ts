import { visibleRows } from '../../engine/adapters/clickhouse/visible-rows.ts';
import {
  DAYS_OF_A_SOURCE,
  type Ledger,
  type SeenState,
  type SourceDay,
  seenState,
} from '../../engine/adapters/postgres/ad-ledger.ts';
import { DAY_MS, daysBetween, dayText, knownDay } from '../../engine/contract/days.ts';
import type { StateRun } from '../ingest/days/list-days.ts';
import type { Access } from './access.ts';
import { accessConditions } from './base-rows.ts';
import type { Statement } from './compile.ts';
import { createParameters } from './parameters.ts';
import { askedDays, type ReportPeriod } from './period.ts';

interface SeenDays extends SeenState {
  /** On which UTC days the token sees rows of which source: those of the report, and of the last weeks. */
  readonly seen: readonly SourceDay[];
}

/**
 * Of the sources and restated days of which the token sees a row: what others deliver says something about them alone.
 * @param runs what was said of days of sources; without any, nothing is asked.
 */
export async function readSeenState(
  access: Access,
  ledger: Ledger,
  period: ReportPeriod,
  nowMs: number,
  runs: readonly StateRun[],
  ask: (statement: Statement) => Promise<string | null>,
): Promise<SeenDays> {
  const { completeUntil, restated } = ledger;
  if (access === 'unrestricted') return { completeUntil, restated, seen: daysOfRuns(runs) };
  if (completeUntil === null && !restated && runs.length === 0) return { completeUntil, restated, seen: [] };
  const line = await ask(seenStatement(access, ledger, period, nowMs));
  const { seen } = JSON.parse(line ?? '{"seen":[]}') as { readonly seen: readonly SourceDay[] };
  return { ...seenState(ledger, seen), seen };
}

/** As if rows of a day of a source were on the UTC day of the same name. */
const daysOfRuns = (runs: readonly StateRun[]): SourceDay[] =>
  runs.flatMap(({ source, first_day, last_day }) =>
    daysBetween(knownDay(first_day), knownDay(last_day)).map((day) => [source, dayText(day)] as const),
  );

/** The days of each source on which the token sees a row, lately and in the report. */
function seenStatement(access: Access, ledger: Ledger, period: ReportPeriod, nowMs: number): Statement {
  const visible = visibleRows(ledger);
  const parameters = createParameters(visible.params);
  const since = parameters.value('Date', dayText(Math.floor(nowMs / DAY_MS) - DAYS_OF_A_SOURCE));
  const asked = askedDays(period).map(
    ({ firstDay, lastDay }) =>
      `toDate(at) BETWEEN ${parameters.value('Date', firstDay)} AND ${parameters.value('Date', lastDay)}`,
  );
  const days = [`toDate(at) >= ${since}`, ...asked].join(' OR ');
  const conditions = [`(${days})`, visible.text, ...accessConditions({ access, parameters })];
  return {
    select: `SELECT groupArray((c_source, toString(c_day))) AS seen FROM (
      SELECT toString(source) AS c_source, toDate(at) AS c_day FROM ad_stats
      WHERE ${conditions.join(' AND ')} GROUP BY c_source, c_day)`,
    params: parameters.params,
  };
}
