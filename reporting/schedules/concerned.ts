import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import type { FinalDays } from '../../engine/adapters/postgres/final-days.ts';
import type { WaitingSchedule } from '../../engine/adapters/postgres/report-schedules/fire.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import { domainsOfSource } from '../report/source-domains.ts';

/**
 * Schedules whose tokens may see rows of a source whose days became final. The others would ask ClickHouse about their
 * days for nothing, each organization's for each source of another.
 */
export async function findConcerned(
  sql: Sql,
  clickhouse: Pick<ClickHouse, 'client'>,
  events: readonly FinalDays[],
  waiting: readonly WaitingSchedule[],
): Promise<readonly number[]> {
  const bySource = Map.groupBy(events, ({ source }) => source);
  const wanted = new Set(waiting.flatMap(({ scope }) => scope?.domains ?? []));
  const known = new Set<string>();
  for (const [source, own] of bySource) {
    const [firstDay = ''] = own.map((one) => one.firstDay).toSorted();
    const lastDay =
      own
        .map((one) => one.lastDay)
        .toSorted()
        .at(-1) ?? firstDay;
    for (const domain of await domainsOfSource(sql, clickhouse, { source, firstDay, lastDay }, wanted))
      known.add(domain);
  }
  return waiting.filter(({ scope }) => mayConcern(scope, known)).map(({ id }) => id);
}

/** One without rights is stopped when it is checked. */
const mayConcern = (scope: WaitingSchedule['scope'], known: ReadonlySet<string>): boolean =>
  scope === null || scope.domains.length === 0 || scope.domains.some((domain) => known.has(domain));
