import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import type { FinalDays } from '../../engine/adapters/postgres/final-days.ts';
import type { WaitingSchedule } from '../../engine/adapters/postgres/report-schedules/fire.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import { domainsOfSource } from '../report/source-domains.ts';

/** Of the transaction in which all sources are read; one more may take its whole time. */
const MOST_MS = 8_000;

/**
 * Schedules whose tokens may see rows of a source whose days became final. The others would ask ClickHouse about their
 * days for nothing, each organization's for each source of another. Every source is read once, however many wait; where that
 * takes long, all check their days.
 */
export async function findConcerned(
  sql: Sql,
  clickhouse: Pick<ClickHouse, 'client'>,
  events: readonly FinalDays[],
  wanted: ReadonlySet<string>,
): Promise<(scope: WaitingSchedule['scope']) => boolean> {
  const bySource = Map.groupBy(events, ({ source }) => source);
  const known = new Set<string>();
  const until = performance.now() + MOST_MS;
  for (const [source, own] of bySource) {
    if (performance.now() > until) return () => true;
    const [firstDay = ''] = own.map((one) => one.firstDay).toSorted();
    const lastDay =
      own
        .map((one) => one.lastDay)
        .toSorted()
        .at(-1) ?? firstDay;
    for (const domain of await domainsOfSource(sql, clickhouse, { source, firstDay, lastDay }, wanted))
      known.add(domain);
  }
  // One without rights is stopped when it is checked.
  return (scope) =>
    scope === null || scope.domains.length === 0 || scope.domains.some((domain) => known.has(domain));
}
