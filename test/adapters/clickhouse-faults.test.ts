// tier: system
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { createAnalytics } from '../../engine/adapters/clickhouse/analytics.ts';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { openClickHouse } from '../../engine/adapters/clickhouse/client.ts';
import { migrateClickHouse } from '../../engine/adapters/clickhouse/migrate.ts';
import { createOutcomeStore } from '../../engine/adapters/clickhouse/outcome-store.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import { createAdStatsStore } from '../../reporting/ingest/ad-stats-store.ts';
import { adRows, buildAdRow } from '../support/ad-stats.ts';
import { buildBlockOutcomes } from '../support/block-outcomes.ts';
import { startAnswerDropper } from '../support/clickhouse-bridge/answer-dropper.ts';
import { startClickHouseBridge } from '../support/clickhouse-bridge/bridge.ts';

const bridge = await startClickHouseBridge();
afterAll(() => bridge.stop());

const open = (url: string, database: string, requestTimeoutMs = 30_000): Promise<ClickHouse> =>
  openClickHouse({
    kind: 'http',
    url,
    username: 'default',
    password: '',
    database,
    requestTimeoutMs,
    maxConnections: 2,
  });

const newDatabase = (): string => `test_${randomBytes(6).toString('hex')}`;
const batch = [0, 1].map((block) => buildBlockOutcomes({ appId: 1, block, targets: 1_000 }));

async function counted(clickhouse: ClickHouse): Promise<{ table: number; rollUp: number }> {
  const answer = await clickhouse.client.query({
    query: 'SELECT count() AS n FROM outcomes',
    format: 'JSONEachRow',
  });
  const [row] = await answer.json<{ n: string }>();
  const days = await createAnalytics(clickhouse).serviceDays(1 as AppId, '2000-01-01', '2100-01-01');
  return { table: Number(row?.n), rollUp: days.reduce((sum, { accepted }) => sum + accepted, 0) };
}

describe('ClickHouse over HTTP, when things break', () => {
  it('counts a batch whose answer was lost once, when it is repeated', async () => {
    const dropper = await startAnswerDropper(bridge.url);
    const clickhouse = await open(dropper.url, newDatabase());
    await migrateClickHouse(clickhouse);
    const store = createOutcomeStore(clickhouse);
    dropper.dropNextAnswer();
    expect(await store.insertOutcomes(batch, 'lost-answer')).toMatchObject({ kind: 'away' });
    expect(dropper.dropped()).toBe(1);
    // The rows exist although no answer confirmed it: the token makes the repetition harmless.
    expect(await counted(clickhouse)).toEqual({ table: 2_000, rollUp: 2_000 });
    expect(await store.insertOutcomes(batch, 'lost-answer')).toMatchObject({ kind: 'inserted' });
    expect(await counted(clickhouse)).toEqual({ table: 2_000, rollUp: 2_000 });
    await clickhouse.close();
    await dropper.close();
  });

  it('counts a batch once over a crash of ClickHouse, and is away meanwhile', async () => {
    const clickhouse = await open(bridge.url, newDatabase());
    await migrateClickHouse(clickhouse);
    const store = createOutcomeStore(clickhouse);
    await store.insertOutcomes(batch, 'before-crash');
    await bridge.kill();
    expect(await store.insertOutcomes(batch, 'before-crash')).toMatchObject({ kind: 'away' });
    expect(await clickhouse.ping()).toBe(false);
    await bridge.restart();
    expect(await store.insertOutcomes(batch, 'before-crash')).toMatchObject({ kind: 'inserted' });
    expect(await counted(clickhouse)).toEqual({ table: 2_000, rollUp: 2_000 });
    await clickhouse.close();
  });

  it('counts ad statistics once that come again after a restart: every view remembers the insert', async () => {
    const clickhouse = await open(bridge.url, newDatabase());
    await migrateClickHouse(clickhouse);
    const rows = [
      buildAdRow(),
      buildAdRow({ currency: 'no' }),
      buildAdRow({ domain: 'xn--mnchen-3ya.example' }),
    ];
    const store = createAdStatsStore(clickhouse);
    const insert = () => store.insertRows(adRows(7, rows), 'before-restart');
    const times = [{ day: '2026-03-01', hours: null, wholeDays: true }];
    const once = { rows: 2, refused: 1, days: ['2026-03-01'], times };
    expect(await insert()).toMatchObject({ kind: 'inserted' });
    expect(await store.loadTotals(7)).toEqual(once);
    await bridge.kill();
    await bridge.restart();
    expect(await insert()).toMatchObject({ kind: 'inserted' });
    expect(await store.loadTotals(7)).toEqual(once);
    await clickhouse.close();
  });

  it('times out a request that is not answered, as away', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const clickhouse = await open(`http://127.0.0.1:${port}`, 'broadside', 100);
    const ending = await createOutcomeStore(clickhouse).insertOutcomes(batch, 'silent');
    expect(ending).toEqual({ kind: 'away', store: 'ClickHouse', reason: expect.stringMatching(/timeout/i) });
    await clickhouse.close();
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
  });

  it('is away while its table is missing, and goes on once it is migrated', async () => {
    const clickhouse = await open(bridge.url, newDatabase());
    const store = createOutcomeStore(clickhouse);
    expect(await store.insertOutcomes(batch, 'too-early')).toMatchObject({ kind: 'away' });
    await migrateClickHouse(clickhouse);
    expect(await store.insertOutcomes(batch, 'too-early')).toMatchObject({ kind: 'inserted' });
    await clickhouse.close();
  });

  it('migrates an empty server from several processes at once', async () => {
    const database = newDatabase();
    const several = await Promise.all([1, 2, 3, 4].map(() => open(bridge.url, database)));
    await Promise.all(several.map(migrateClickHouse));
    await createOutcomeStore(several[0] as ClickHouse).insertOutcomes(batch, 'migrated');
    expect(await counted(several[1] as ClickHouse)).toEqual({ table: 2_000, rollUp: 2_000 });
    await Promise.all(several.map((clickhouse) => clickhouse.close()));
  });
});
