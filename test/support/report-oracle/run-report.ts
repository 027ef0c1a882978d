import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import type { RateTable } from '../../../engine/contract/rate-table.ts';
import type { Access } from '../../../reporting/report/access.ts';
import { compileReport, type Statement } from '../../../reporting/report/compile.ts';
import { idnNamesOf } from '../../../reporting/report/domain-names.ts';
import { readMoney } from '../../../reporting/report/money.ts';
import { periodOf } from '../../../reporting/report/period.ts';
import type { ReportRequest } from '../../../reporting/report/request.ts';
import { scripts } from './matching.ts';
import type { OracleAnswer } from './oracle.ts';
import { countKeys, type OracleRow, textKeys, type World } from './world.ts';

/** Puts the world's rows and rates in the place of those that are there. */
export async function loadWorld(clickhouse: ClickHouse, { rows, rates }: World): Promise<void> {
  const { client } = clickhouse;
  await client.command({ query: 'TRUNCATE TABLE ad_stats' });
  await client.command({ query: 'TRUNCATE TABLE fx_rates' });
  await insert('ad_stats', rows.map(rowLine));
  await insert(
    'fx_rates',
    // A version that was corrected goes before the one that counts.
    rates.flatMap(({ day, currency, perEur }) =>
      [perEur + 1n, perEur].map((value, version) =>
        JSON.stringify({ day, currency, per_eur: decimal(value, 18), source: 'test', version: version + 1 }),
      ),
    ),
  );

  async function insert(table: string, lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    await client.command({
      query: `INSERT INTO ${table} SETTINGS async_insert = 0 FORMAT JSONEachRow ${lines.join('\n')}`,
    });
  }
}

const rowLine = ({ atMs, load, source, texts, counts, earnings, currency }: OracleRow): string =>
  JSON.stringify({
    at: Math.floor(atMs / 1_000),
    load,
    source,
    ...Object.fromEntries([...textKeys, 'wholesaler' as const].map((key) => [key, texts[key]])),
    ...Object.fromEntries(countKeys.map((key) => [key, String(counts[key])])),
    earnings: decimal(earnings, 8),
    currency,
    grain: 'hour',
  });

function decimal(value: bigint, places: number): string {
  const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

const names = idnNamesOf([...scripts.keys()]);

/** The answer of the real builder, in the oracle's shape; what was not asked is what the oracle says. */
export async function runReport(
  clickhouse: ClickHouse,
  request: ReportRequest,
  access: Access,
  { ledger, rates }: { readonly ledger: World['ledger']; readonly rates: RateTable },
  nowMs: number,
): Promise<
  | OracleAnswer
  | {
      readonly kind: 'rows';
      readonly rows: readonly unknown[];
      readonly count: number | null;
      readonly totals: unknown;
      readonly leftOut: Readonly<Record<string, number>>;
    }
> {
  const period = periodOf(request, nowMs);
  const context = { access, ledger, rates, period, names, wholeDays: null };
  const money = await readMoney(request, context, true, async (statement) => {
    const [line] = await readLines(clickhouse, statement);
    return line === undefined ? null : JSON.stringify(line);
  });
  if (money.kind === 'without-rate') return { kind: 'no rate', ...money.missing };
  const report = compileReport(request, { ...context, leftOut: money.leftOut });
  const rows = await readLines(clickhouse, report);
  const [count] = report.count === null ? [] : await readLines<{ count: string }>(clickhouse, report.count);
  const [totals] = report.totals === null ? [] : await readLines(clickhouse, report.totals);
  return {
    kind: 'rows',
    rows,
    count: count === undefined ? null : Number(count.count),
    totals: totals ?? null,
    leftOut: Object.fromEntries(money.leftOut.map(({ currency, rows }) => [currency, rows])),
  };
}

/** Numbers as texts, so that no digit is lost on the way. */
async function readLines<Row>({ client }: ClickHouse, { select, params }: Statement): Promise<Row[]> {
  const answer = await client.query({
    query: `${select} SETTINGS output_format_json_quote_64bit_integers = 1, output_format_json_quote_decimals = 1, ${QUICK}`,
    query_params: { ...params },
    format: 'JSONEachRow',
  });
  return answer.json<Row>();
}

/** What pays off over millions of rows costs most of the time over sixty. */
const QUICK =
  'max_threads = 1, compile_expressions = 0, compile_aggregate_expressions = 0, compile_sort_description = 0';
