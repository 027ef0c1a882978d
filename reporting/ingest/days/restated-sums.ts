import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import { literal } from '../../../engine/adapters/clickhouse/literals.ts';
import type { Uncounted } from './restatements.ts';

const figures = { impressions: 'impressions', viewable: 'viewable', earnings: 'ad_stats.earnings' } as const;

/**
 * Counts what a restatement changed: the rows that counted before it and after it, by day, domain, wholesaler and currency,
 * as the ledger was in that moment. Rows of a load do not change, so each later moment gives the same, until they are deleted.
 */
export async function countRestated({ client }: ClickHouse, restatement: Uncounted): Promise<void> {
  const { id, load, source, zone, replaces, days, belows, maxLoad, hidden } = restatement;
  // As `visibleRows` has it: hours are on the calendar of the source, whole days are named by it.
  const ownDay =
    zone === 'UTC' ? 'toDate(at)' : `if(grain = 'hour', toDate(at, ${literal(zone)}), toDate(at))`;
  const sums = Object.entries(figures).flatMap(([name, value]) => [
    `sumIf(${value}, was) AS ${name}_before`,
    `sumIf(${value}, counts) AS ${name}_after`,
  ]);
  await client.command({
    query: `INSERT INTO ad_restated_sums SETTINGS async_insert = 0
      SELECT {id:UInt64} AS restatement, own_day AS day, domain, wholesaler, currency,
        countIf(was) AS rows_before, countIf(counts) AS rows_after, ${sums.join(', ')}
      FROM (
        SELECT *, ${ownDay} AS own_day, indexOf({days:Array(Date)}, own_day) AS place,
          {belows:Array(UInt64)}[place] AS below,
          load != {load:UInt64} AND load >= below AS was,
          load >= greatest(below, {from:UInt64}) AS counts
        FROM ad_stats
        WHERE source = {source:String} AND toDate(at) BETWEEN {first:Date} - 1 AND {last:Date} + 1
          AND load <= {max:UInt64} AND NOT has({hidden:Array(UInt64)}, load)
      ) AS ad_stats
      WHERE place > 0 GROUP BY own_day, domain, wholesaler, currency HAVING rows_before + rows_after > 0`,
    query_params: {
      ...{ id, load, source, days, belows, hidden, max: maxLoad, from: replaces ? load : 0 },
      ...{ first: days[0], last: days.at(-1) },
    },
  });
}
