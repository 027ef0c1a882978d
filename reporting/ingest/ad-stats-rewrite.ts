import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { type VisibleLoads, visibleRows } from '../../engine/adapters/clickhouse/visible-rows.ts';

/** Rows of a source and UTC day (`YYYY-MM-DD`). */
export interface SourceDay {
  readonly source: string;
  readonly day: string;
}

/** A name as it is in rows, and as it should be. */
export interface Renamed {
  readonly from: string;
  readonly to: string;
}

/**
 * Copies a day's counted rows into another load, with other names. `domain` is in the sorting key: no UPDATE
 * may change it.
 */
export interface AdStatsRewrite {
  /** Domains and subdomains with letters beyond ASCII, among rows that count: the next ones after that name. */
  foreignNames(ledger: VisibleLoads, after: string, limit: number): Promise<string[]>;
  /** Where these names are, among rows that count. */
  daysWith(ledger: VisibleLoads, names: readonly string[], limit: number): Promise<SourceDay[]>;
  /** Of counted rows whose load is below. */
  totals(ledger: VisibleLoads, day: SourceDay, below: number): Promise<DayTotals>;
  copyDay(ledger: VisibleLoads, day: SourceDay, load: number, names: readonly Renamed[]): Promise<void>;
  copied(load: number): Promise<DayTotals>;
}

/** Enough to distinguish one set of rows from another; amounts as texts. */
export interface DayTotals {
  readonly rows: number;
  readonly impressions: string;
  readonly earnings: string;
}

/** An insert ends within the time that a statement may take. */
const ROWS_A_PIECE = 2_000_000;

const FOREIGN = `'[^\\\\x00-\\\\x7F]'`;
const withNames = 'domain IN {names:Array(String)} OR subdomain IN {names:Array(String)}';
const ofDay = 'source = {of_source:String} AND toDate(at) = {of_day:Date}';
const sums = `toUInt64(count()) AS rows, toString(sum(impressions)) AS impressions, toString(sum(earnings)) AS earnings`;

export function createAdStatsRewrite({ client }: ClickHouse): AdStatsRewrite {
  async function read<Row>(query: string, query_params: Record<string, unknown>): Promise<Row[]> {
    return (await client.query({ query, query_params, format: 'JSONEachRow' })).json<Row>();
  }
  async function totalsOf(condition: string, params: Record<string, unknown>): Promise<DayTotals> {
    const [row] = await read<DayTotals>(`SELECT ${sums} FROM ad_stats WHERE ${condition}`, params);
    return {
      rows: Number(row?.rows ?? 0),
      impressions: row?.impressions ?? '0',
      earnings: row?.earnings ?? '0',
    };
  }
  const below = (load: number) => ({ text: 'load < {below:UInt64}', params: { below: load } });

  async function totals(ledger: VisibleLoads, { source, day }: SourceDay, load: number): Promise<DayTotals> {
    const visible = visibleRows(ledger);
    return totalsOf(`${ofDay} AND ${below(load).text} AND ${visible.text}`, {
      ...visible.params,
      ...below(load).params,
      of_source: source,
      of_day: day,
    });
  }

  return {
    foreignNames: async (ledger, after, limit) => {
      const visible = visibleRows(ledger);
      const rows = await read<{ name: string }>(
        `SELECT DISTINCT arrayJoin([toString(domain), toString(subdomain)]) AS name FROM ad_stats
         WHERE (match(domain, ${FOREIGN}) OR match(subdomain, ${FOREIGN})) AND match(name, ${FOREIGN})
           AND name > {after:String} AND ${visible.text}
         ORDER BY name LIMIT {most:UInt32}`,
        { ...visible.params, after, most: limit },
      );
      return rows.map(({ name }) => name);
    },
    daysWith: (ledger, names, limit) => {
      const visible = visibleRows(ledger);
      return read<SourceDay>(
        `SELECT source, toString(toDate(at)) AS day FROM ad_stats WHERE (${withNames}) AND ${visible.text}
         GROUP BY source, day ORDER BY day, source LIMIT {most:UInt32}`,
        { ...visible.params, names, most: limit },
      );
    },
    totals,
    copied: (load) => totalsOf('load = {of_load:UInt64}', { of_load: load }),
    copyDay: async (ledger, day, load, names) => {
      const visible = visibleRows(ledger);
      const { rows } = await totals(ledger, day, load);
      const pieces = Math.max(1, Math.ceil(rows / ROWS_A_PIECE));
      for (let piece = 0; piece < pieces; piece++) {
        await client.command({
          query: `INSERT INTO ad_stats (${columns.join(', ')})
            SETTINGS async_insert = 0, insert_deduplicate = 0
            SELECT ${columns.map(copied).join(', ')} FROM ad_stats
            WHERE ${ofDay} AND ${below(load).text} AND ${visible.text}
              AND cityHash64(domain, subdomain, ad_unit, device, country) % {pieces:UInt32} = {piece:UInt32}`,
          query_params: {
            ...visible.params,
            ...below(load).params,
            of_source: day.source,
            of_day: day.day,
            pieces,
            piece,
            into_load: load,
            froms: names.map(({ from }) => from),
            tos: names.map(({ to }) => to),
          },
        });
      }
    },
  };
}

const columns = [
  ...['at', 'load', 'source', 'product', 'domain', 'subdomain', 'media_type', 'device', 'os', 'ad_unit'],
  ...[
    'country',
    'deal_id',
    'deal_name',
    'deal_type',
    'wholesaler',
    'impressions',
    'viewable',
    'first_quartile',
  ],
  ...['midpoint', 'third_quartile', 'complete', 'earnings', 'currency', 'grain'],
];

function copied(column: string): string {
  if (column === 'load') return '{into_load:UInt64}';
  if (column !== 'domain' && column !== 'subdomain') return `ad_stats.${column}`;
  const text = `toString(ad_stats.${column})`;
  return `transform(${text}, {froms:Array(String)}, {tos:Array(String)}, ${text})`;
}
