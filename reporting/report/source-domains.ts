import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { inPieces } from '../../engine/adapters/clickhouse/in-pieces.ts';
import { visibleRows } from '../../engine/adapters/clickhouse/visible-rows.ts';
import { readLedger } from '../../engine/adapters/postgres/ad-ledger.ts';
import type { FinalDays } from '../../engine/adapters/postgres/final-days.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import { dayText, knownDay } from '../../engine/contract/days.ts';
import { createParameters } from './parameters.ts';

/** A transaction of Postgres waits for it, and ends by itself after 30 s. */
const MOST_SECONDS = 20;
/** A source is known to an organization by rows of its domains on these days, or not longer before. */
const KNOWN_DAYS = 35;

/**
 * Of these domains (each with all below it, `*` is any), those of which the source has rows that count. All domains of the
 * source are read: everybody's would be too long for a statement.
 */
export async function domainsOfSource(
  sql: Sql,
  { client }: Pick<ClickHouse, 'client'>,
  { source, firstDay, lastDay }: Pick<FinalDays, 'source' | 'firstDay' | 'lastDay'>,
  wanted: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const range = {
    firstDay: dayText(knownDay(firstDay) - KNOWN_DAYS),
    lastDay: dayText(knownDay(lastDay) + 1),
  };
  const visible = visibleRows(await readLedger(sql, range));
  const parameters = createParameters(visible.params);
  const query = `SELECT DISTINCT toString(domain) AS c_domain FROM ad_stats
    WHERE toDate(at) BETWEEN ${parameters.value('Date', range.firstDay)} AND ${parameters.value('Date', range.lastDay)}
      AND source = ${parameters.value('String', source)} AND ${visible.text}
    SETTINGS max_execution_time = ${MOST_SECONDS}`;
  const answer = await client.query({ query, query_params: parameters.params, format: 'JSONEachRow' });
  const known = new Set<string>();
  for await (const rows of inPieces<{ c_domain: string }>(answer))
    for (const { c_domain: domain } of rows)
      for (const above of withAbove(domain)) if (wanted.has(above)) known.add(above);
  return known;
}

/** The domain, those above it, and `*`. */
function withAbove(domain: string): string[] {
  const labels = domain.split('.');
  return [...labels.map((_, index) => labels.slice(index).join('.')), '*'];
}
