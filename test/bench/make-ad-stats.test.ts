// tier: system, clickhouse
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adStatsRows, insertAdStats, writeAdStatsFile } from '../../bench/reporting/make-ad-stats.ts';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { createAdStatsStore } from '../../reporting/ingest/ad-stats-store.ts';
import { openTestClickHouse } from '../support/test-clickhouse.ts';

const request = { rows: 2_000, firstDay: '2026-01-01', days: 60, domains: 300 };

describe('ad statistics that are made up', () => {
  let clickhouse: ClickHouse;
  let path: string;
  beforeAll(async () => {
    path = await mkdtemp(join(tmpdir(), 'broadside-chdb-'));
    clickhouse = await openTestClickHouse();
  });
  afterAll(async () => {
    await clickhouse.close();
    await rm(path, { recursive: true, force: true });
  });
  const read = async (query: string) =>
    (await clickhouse.client.query({ query, format: 'JSONEachRow' })).json<Record<string, unknown>>();

  it('are good rows, and the same in a table, in rows for an import and in a file', async () => {
    await insertAdStats(clickhouse, request);
    const store = createAdStatsStore(clickhouse);
    await store.insertRows(await adStatsRows(clickhouse, request, { load: 7, source: 'demo' }), 'made-up');
    expect(await store.loadTotals(7)).toMatchObject({ rows: request.rows, refused: 0 });
    const file = join(path, 'stats.parquet');
    await writeAdStatsFile(clickhouse, request, file, 'Parquet');
    const sums = (from: string) =>
      read(
        `SELECT toString(count()) AS rows, toString(sum(impressions)) AS shown, toString(sum(earnings)) AS earned FROM ${from}`,
      );
    const [expected] = await sums('ad_stats WHERE load = 7');
    expect(await sums('ad_stats WHERE load = 0')).toEqual([expected]);
    expect(await sums(`file('${file}', Parquet)`)).toEqual([expected]);
  });
});
