import { visibleRows } from '../../engine/adapters/clickhouse/visible-rows.ts';
import type { Ledger } from '../../engine/adapters/postgres/ad-ledger.ts';
import type { Access } from './access.ts';
import { accessConditions } from './base-rows.ts';
import type { Statement } from './compile.ts';
import { DAY_MS, dayText } from './days.ts';
import { createParameters } from './parameters.ts';
import { askedDays, type ReportPeriod } from './period.ts';

/** What `meta` says of the statistics behind the report. */
export type SeenState = Pick<Ledger, 'completeUntil' | 'restated'>;

/** As long as a source counts for `completeUntil` after it reported. */
const DAYS_OF_A_SOURCE = 35;

/**
 * Of the sources and restated days of which the token sees a row: what others deliver says something about them alone.
 */
export async function readSeenState(
  access: Access,
  ledger: Ledger,
  period: ReportPeriod,
  nowMs: number,
  ask: (statement: Statement) => Promise<string | null>,
): Promise<SeenState> {
  const { completeUntil, restated, bySource } = ledger;
  if (access === 'unrestricted' || (completeUntil === null && !restated)) return { completeUntil, restated };
  const line = await ask(seenStatement(access, ledger, period, nowMs));
  const { seen } = JSON.parse(line ?? '{"seen":[]}') as {
    readonly seen: readonly (readonly [string, string])[];
  };
  const times = [...new Set(seen.map(([source]) => source))]
    .map((source) =>
      Object.hasOwn(bySource.completeUntil, source) ? bySource.completeUntil[source] : undefined,
    )
    .filter((seconds) => seconds !== undefined);
  return {
    completeUntil: times.length === 0 ? null : new Date(Math.min(...times) * 1_000),
    restated: bySource.restated.some((run) =>
      seen.some(([source, day]) => source === run.source && run.firstDay <= day && day <= run.lastDay),
    ),
  };
}

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
