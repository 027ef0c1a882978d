import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import type { AdField, AdRows } from '../../engine/contract/ad-stats.ts';

/**
 * Ad statistics that look like real ones, the same for the same request: a few large sites and a long tail,
 * more mobile than desktop, more on weekdays, video among display, deals among the open auction, two
 * currencies, corrections below zero. ClickHouse makes them from row numbers, so 50M rows need no file.
 */
export interface AdStatsRequest {
  readonly rows: number;
  /** `YYYY-MM-DD`, UTC. */
  readonly firstDay: string;
  readonly days: number;
  /** Distinct domains: `site-1.example` is the largest. */
  readonly domains: number;
  /** Another seed, other figures. */
  readonly seed?: number;
}

const WHOLESALERS = 12;

/**
 * A SELECT of fields of ad statistics as values: for INSERT, for files, for the log.
 */
export function adStatsSelect(request: AdStatsRequest, firstRow = 0, rows = request.rows): string {
  const { firstDay, days, domains, seed = 1 } = request;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(firstDay)) throw new RangeError(`not a day: ${firstDay}`);
  const whole = { seed, days, domains, firstRow, rows, all: request.rows };
  for (const [name, value] of Object.entries(whole)) {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${name} is no whole number`);
  }
  /** A number of its own for each row and purpose, in 0 to 1. */
  const random = (purpose: number): string => `(cityHash64(n, ${purpose}, ${seed}) % 1000003) / 1000003`;
  const weighted = (purpose: number, parts: readonly (readonly [number, string])[]): string => {
    const upTo = (index: number): number =>
      parts.slice(0, index + 1).reduce((sum, [share]) => sum + share, 0);
    const branches = parts
      .slice(0, -1)
      .map(([, name], index) => `${random(purpose)} < ${upTo(index)}, '${name}'`);
    return `multiIf(${branches.join(', ')}, '${parts.at(-1)?.[1]}')`;
  };
  return `
    WITH
      number + ${firstRow} AS n,
      toDate('${firstDay}') + intDiv(n * ${days}, ${Math.max(request.rows, 1)}) AS date,
      -- Skewed: half of the rows are of some 3 % of the sites.
      1 + toUInt32(floor(${domains} * pow(${random(1)}, 5))) AS site,
      ${weighted(2, [
        [0.62, 'mobile'],
        [0.31, 'desktop'],
        [0.05, 'tablet'],
        [0.02, 'connected_tv'],
      ])} AS device_name,
      ${random(3)} < 0.18 AS is_video,
      ${random(4)} AS deal_at,
      -- Rows of large sites count more, and weekends less.
      toUInt64(1 + floor(3000 / pow(site, 0.4) * (0.2 + ${random(5)}) * if(toDayOfWeek(date) > 5, 0.7, 1))) AS shown,
      toInt64(shown * (20000 + toInt64(cityHash64(n, 6, ${seed}) % 480000)) * if(is_video, 4, 1)) AS smallest
    SELECT
      toDateTime(date, 'UTC') + 3600 * (cityHash64(n, 7, ${seed}) % 24) AS at,
      multiIf(is_video AND ${random(8)} < 0.6, 'instream_video', is_video, 'outstream_video',
        ${random(8)} < 0.1, 'native', 'standard_display') AS product,
      concat('site-', toString(site), '.example') AS domain,
      concat(['www', 'm', 'amp', 'news'][1 + cityHash64(n, 9, ${seed}) % 4], '.site-', toString(site), '.example') AS subdomain,
      multiIf(is_video, 'video', ${random(8)} < 0.1, 'native', 'display') AS media_type,
      device_name AS device,
      multiIf(device_name = 'mobile', ${weighted(10, [
        [0.7, 'android'],
        [0.3, 'ios'],
      ])}, device_name = 'tablet',
        ${weighted(10, [
          [0.45, 'android'],
          [0.55, 'ios'],
        ])}, device_name = 'connected_tv', 'other',
        ${weighted(10, [
          [0.78, 'windows'],
          [0.17, 'macos'],
          [0.05, 'linux'],
        ])}) AS os,
      concat('site-', toString(site), '_', ['top', 'side', 'inline_1', 'inline_2', 'sticky', 'footer'][1 + cityHash64(n, 11, ${seed}) % 6]) AS ad_unit,
      ${weighted(12, [
        [0.3, 'PL'],
        [0.2, 'DE'],
        [0.12, 'FR'],
        [0.1, 'ES'],
        [0.08, 'IT'],
        [0.08, 'GB'],
        [0.06, 'US'],
        [0.03, 'NL'],
        [0.03, 'SE'],
      ])} AS country,
      if(deal_at < 0.85, '', concat('deal-', toString(1 + cityHash64(n, 13, ${seed}) % 200))) AS deal_id,
      if(deal_at < 0.85, '', concat('Deal ', toString(1 + cityHash64(n, 13, ${seed}) % 200))) AS deal_name,
      multiIf(deal_at < 0.85, 'open auction', deal_at < 0.95, 'deal', 'proposal') AS deal_type,
      concat('wholesaler-', toString(1 + site % ${WHOLESALERS})) AS wholesaler,
      shown AS impressions,
      toUInt64(floor(shown * (0.4 + 0.5 * ${random(14)}))) AS viewable,
      if(is_video, toUInt64(floor(shown * 0.85)), 0) AS first_quartile,
      if(is_video, toUInt64(floor(shown * 0.7)), 0) AS midpoint,
      if(is_video, toUInt64(floor(shown * 0.6)), 0) AS third_quartile,
      if(is_video, toUInt64(floor(shown * 0.5)), 0) AS complete,
      -- One row in a thousand takes back.
      toDecimal64(if(${random(15)} < 0.001, -smallest, smallest), 0) * toDecimal64('0.00000001', 8) AS earnings,
      if(site % 10 < 3, 'USD', 'EUR') AS currency
    FROM numbers(${rows})`;
}

/** In `ad_stats`, under load 0 (which counts without a ledger), in chunks of a month or less: fast at any size. */
export async function insertAdStats(
  { client }: ClickHouse,
  request: AdStatsRequest,
  source = 'demo',
): Promise<void> {
  const rowsPerChunk = 2_000_000;
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(source)) throw new RangeError(`not a source: ${source}`);
  for (let first = 0; first < request.rows; first += rowsPerChunk) {
    const rows = Math.min(rowsPerChunk, request.rows - first);
    const select = adStatsSelect(request, first, rows);
    await client.command({
      query: `INSERT INTO ad_stats (load, source, ${columns.join(', ')})
        SELECT 0 AS load, '${source}' AS source, * FROM (${select})
        SETTINGS async_insert = 0, max_insert_threads = 2, insert_deduplicate = 0`,
    });
  }
}

/** The columns of `adStatsSelect`, in order. */
const columns: readonly AdField[] = [
  ...(['at', 'product', 'domain', 'subdomain', 'media_type', 'device', 'os', 'ad_unit', 'country'] as const),
  ...(['deal_id', 'deal_name', 'deal_type', 'wholesaler', 'impressions', 'viewable'] as const),
  ...(['first_quartile', 'midpoint', 'third_quartile', 'complete', 'earnings', 'currency'] as const),
];

export type AdStatsFileFormat = 'CSVWithNames' | 'JSONEachRow' | 'Parquet';

/** As a file on the disk of the ClickHouse that is asked: embedded, or a server's `user_files`. */
export async function writeAdStatsFile(
  { client }: ClickHouse,
  request: AdStatsRequest,
  file: string,
  format: AdStatsFileFormat,
): Promise<void> {
  if (/['\\*?{}]/.test(file)) throw new RangeError(`not a plain path: ${file}`);
  await client.command({
    query: `INSERT INTO FUNCTION file('${file}', ${format}) SELECT * FROM (${adStatsSelect(request)})
      SETTINGS output_format_json_quote_decimals = 0, output_format_json_quote_64bit_integers = 0, engine_file_truncate_on_insert = 1`,
  });
}

/** The rows of a load, the way an import or the demo hands them in; of at most some 100,000 rows. */
export async function adStatsRows(
  { client }: ClickHouse,
  request: AdStatsRequest,
  place: { readonly load: number; readonly source: string },
): Promise<AdRows> {
  const texts = columns.map((column) => `toString(${column}) AS t_${column}`).join(', ');
  const answer = await client.query({
    query: `SELECT {load:UInt64}, {source:String}, rowNumberInAllBlocks() + 1, '', '', ${columns
      .map((column) => `t_${column}`)
      .join(', ')} FROM (SELECT ${texts} FROM (${adStatsSelect(request)})) SETTINGS max_threads = 1`,
    query_params: place,
    format: 'TabSeparated',
  });
  return { rows: request.rows, bytes: Buffer.from(await answer.text()), format: 'TabSeparated' };
}
