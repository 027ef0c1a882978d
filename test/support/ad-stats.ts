import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import type { Ledger } from '../../engine/adapters/postgres/ad-ledger.ts';
import { type AdField, type AdRows, adRowText } from '../../engine/contract/ad-stats.ts';
import { createAdStatsStore } from '../../reporting/ingest/ad-stats-store.ts';

export type AdTexts = Partial<Record<AdField, string>>;

/** A row that every rule takes. */
export const buildAdRow = (changes: AdTexts = {}): AdTexts => ({
  at: '2026-03-01',
  domain: 'news.example',
  impressions: '1000',
  earnings: '1.5',
  currency: 'EUR',
  ...changes,
});

export function adRows(load: number, rows: readonly AdTexts[], source = 'gam'): AdRows {
  const lines = rows.map((row, index) => adRowText({ load, source, row: index + 1 }, row));
  return { rows: rows.length, bytes: Buffer.from(lines.join('')), format: 'TabSeparated' };
}

/** Into ClickHouse, past the ledger: rows of load 0 count always. */
export async function insertAdRows(
  clickhouse: ClickHouse,
  rows: readonly AdTexts[],
  { load = 0, source = 'gam', token = `test-${Math.random()}` } = {},
): Promise<void> {
  const ending = await createAdStatsStore(clickhouse).insertRows(adRows(load, rows, source), token);
  if (ending.kind !== 'inserted') throw new Error(ending.reason);
}

/** What a ledger lets through, in the plainest way: rows and impressions. */
export async function visibleTotals(
  { client }: ClickHouse,
  ledger: Ledger,
): Promise<{ rows: number; impressions: number }> {
  const query = 'SELECT source, toString(toDate(at)) AS day, load, impressions FROM ad_stats';
  const all = await (await client.query({ query, format: 'JSONEachRow' })).json<{
    source: string;
    day: string;
    load: string | number;
    impressions: string | number;
  }>();
  const visible = all.filter(({ source, day, load }) => {
    const id = Number(load);
    const isDead = ledger.superseded.some(
      (run) => run.source === source && run.firstDay <= day && day <= run.lastDay && id < run.below,
    );
    return id <= ledger.maxLoad && !ledger.hidden.includes(id) && !isDead;
  });
  return {
    rows: visible.length,
    impressions: visible.reduce((sum, { impressions }) => sum + Number(impressions), 0),
  };
}
