import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { insertOnce } from '../../engine/adapters/clickhouse/insert-once.ts';
import { type AdRows, adRowColumns } from '../../engine/contract/ad-stats.ts';
import type { InsertEnding } from '../../engine/contract/insert-ending.ts';

/** Rows of loads in ClickHouse. The ledger in Postgres decides whether they count. */
export interface AdStatsStore {
  /** As `insertOnce`. The rows carry their load; bad ones are set aside. */
  insertRows(rows: AdRows, token: string): Promise<InsertEnding>;
  loadTotals(load: number): Promise<LoadTotals>;
  /** Rows that were set aside, in their order, after row number `after`. */
  refusedRows(load: number, after: number, limit: number): Promise<RefusedRow[]>;
}

export interface LoadTotals {
  readonly rows: number;
  readonly refused: number;
  /** UTC days `YYYY-MM-DD` that have rows. */
  readonly days: readonly string[];
  /** Of each of these days. */
  readonly times?: readonly DayTimes[];
}

/** What a load has of a UTC day. */
export interface DayTimes {
  readonly day: string;
  readonly wholeDays: boolean;
  /** The first and the last moment of rows that are not whole days, in milliseconds; null: there are none. */
  readonly hours: readonly [number, number] | null;
}

export interface RefusedRow {
  readonly row: number;
  readonly reason: string;
  /** The row as text, cut at 2,000 characters. */
  readonly raw: string;
}

const columns = adRowColumns.join(', ');

export function createAdStatsStore(clickhouse: ClickHouse): AdStatsStore {
  const { client } = clickhouse;
  async function read<Row>(query: string, query_params: Record<string, unknown>): Promise<Row[]> {
    return (await client.query({ query, query_params, format: 'JSONEachRow' })).json<Row>();
  }

  return {
    insertRows: ({ rows, bytes, format }, token) => {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return insertOnce(
        clickhouse,
        { table: 'ad_stats_intake', columns, rows, bytes: buffer, format },
        token,
      );
    },
    loadTotals: async (load) => {
      const days = await read<{
        day: string;
        rows: string | number;
        whole: string | number;
        first: string | number;
        last: string | number;
      }>(
        `SELECT toString(toDate(at)) AS day, count() AS rows, countIf(grain = 'day') AS whole,
           toUnixTimestamp(minIf(at, grain != 'day')) AS first, toUnixTimestamp(maxIf(at, grain != 'day')) AS last
         FROM ad_stats
         WHERE load = {load:UInt64} GROUP BY day ORDER BY day`,
        { load },
      );
      const [refused] = await read<{ refused: string | number }>(
        `SELECT count() AS refused FROM ad_stats_refused WHERE load = {load:UInt64}`,
        { load },
      );
      return {
        rows: days.reduce((sum, { rows }) => sum + Number(rows), 0),
        refused: Number(refused?.refused ?? 0),
        days: days.map(({ day }) => day),
        times: days.map(({ day, rows, whole, first, last }) => ({
          day,
          wholeDays: Number(whole) > 0,
          hours: Number(whole) === Number(rows) ? null : [Number(first) * 1_000, Number(last) * 1_000],
        })),
      };
    },
    refusedRows: async (load, after, limit) => {
      const found = await read<{ row: string | number; reason: string; raw: string }>(
        `SELECT row, reason, raw FROM ad_stats_refused
         WHERE load = {load:UInt64} AND row > {after:UInt64} ORDER BY row LIMIT {limit:UInt32}`,
        { load, after, limit },
      );
      return found.map(({ row, reason, raw }) => ({ row: Number(row), reason, raw }));
    },
  };
}
