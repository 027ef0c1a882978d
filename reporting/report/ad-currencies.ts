import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';

/** A currency that some row of a month (`YYYY-MM`, UTC) has, or had before it was restated. */
export interface MonthCurrency {
  readonly month: string;
  readonly currency: string;
}

/** A few rows a month, for as long as there are statistics. */
export async function readCurrencies({ client }: ClickHouse): Promise<readonly MonthCurrency[]> {
  const answer = await client.query({
    query: 'SELECT DISTINCT toString(month) AS month, currency FROM ad_currencies',
    format: 'JSONEachRow',
  });
  const rows = await answer.json<{ month: string; currency: string }>();
  return rows.map(({ month, currency }) => ({ month: `${month.slice(0, 4)}-${month.slice(4)}`, currency }));
}
