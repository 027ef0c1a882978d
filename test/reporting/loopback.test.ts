// tier: system, clickhouse
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStatisticsCopy } from '../../engine/adapters/clickhouse/backup/copy.ts';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { readClickHouseState } from '../../engine/adapters/clickhouse/schema-state.ts';
import { createAdStatsStore } from '../../reporting/ingest/ad-stats-store.ts';
import { createFxStore } from '../../reporting/ingest/fx-store.ts';
import { reachIntake, reachState } from '../../reporting/loopback/client.ts';
import { type IntakeServer, startIntakeServer } from '../../reporting/loopback/server.ts';
import {
  type IntakeAddress,
  intakeFile,
  type StatisticsParts,
} from '../../reporting/loopback/statistics-parts.ts';
import { adRows, buildAdRow } from '../support/ad-stats.ts';
import { openTestClickHouse } from '../support/test-clickhouse.ts';

describe('the way into an embedded ClickHouse that another process holds', () => {
  let folder: string;
  let clickhouse: ClickHouse;
  let server: IntakeServer;
  let address: IntakeAddress;
  const reach = async (): Promise<StatisticsParts> => {
    const parts = await reachIntake(folder);
    if (parts === null) throw new Error('nobody answers');
    return parts;
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'broadside-intake-'));
    clickhouse = await openTestClickHouse();
    const parts = {
      adStats: createAdStatsStore(clickhouse),
      rates: createFxStore(clickhouse),
      readState: () => readClickHouseState(clickhouse),
      copy: createStatisticsCopy(clickhouse),
    };
    server = await startIntakeServer(parts, folder);
    address = JSON.parse(await readFile(join(folder, intakeFile), 'utf8'));
  });
  afterAll(async () => {
    await clickhouse.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('takes rows and rates, and returns the result', async () => {
    const { adStats, rates } = await reach();
    const rows = adRows(5, [buildAdRow({ domain: 'ü.example' }), buildAdRow({ at: '' })]);
    for (let time = 0; time < 2; time++) {
      expect(await adStats.insertRows(rows, 'once')).toEqual({ kind: 'inserted', rows: 2 });
    }
    expect(await adStats.loadTotals(5)).toMatchObject({ rows: 1, refused: 1, days: ['2026-03-01'] });
    expect(await adStats.refusedRows(5, 0, 10)).toMatchObject([{ row: 2, reason: 'at is missing' }]);
    const rate = { day: '2026-03-01', currency: 'USD', perEur: '1.1' };
    const statement = { source: 'ecb', statedAtMs: 1_000, token: 'rates' };
    expect(await rates.insertRates([rate], statement)).toEqual({ kind: 'inserted', rows: 1 });
  });

  it('says what is there, for whoever may not open the folder beside it', async () => {
    const state = await reachState(folder);
    expect(state).toMatchObject({ pending: [], newer: [], missingTables: [] });
    expect(state?.version).toMatch(/^\d+\.\d+/);
    expect(Math.abs((state?.nowMs ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(await reachState(join(folder, 'elsewhere'))).toBeNull();
  });

  it('admits no one without the key, which the owner of the folder alone can read', async () => {
    expect((await stat(join(folder, intakeFile))).mode & 0o077).toBe(0);
    for (const authorization of ['', 'Bearer', `Bearer ${address.key}x`, address.key]) {
      const response = await fetch(`${address.url}/loads/5/totals`, { headers: { authorization } });
      expect(response.status).toBe(401);
    }
    const headers = { authorization: `Bearer ${address.key}` };
    expect((await fetch(`${address.url}/anything`, { headers })).status).toBe(404);
    for (const query of ['rows=x&format=Native&token=t', 'rows=1&format=Parquet&token=t', 'rows=1&token=t']) {
      const response = await fetch(`${address.url}/rows?${query}`, { method: 'POST', body: 'a', headers });
      expect(response.status).toBe(400);
    }
  });

  it('refuses rows that ClickHouse refuses, and does not call that away', async () => {
    const { adStats } = await reach();
    const noRow = { rows: 1, bytes: Buffer.from('x\ty\n'), format: 'TabSeparated' as const };
    await expect(adStats.insertRows(noRow, 'bad')).rejects.toThrow();
    await expect(adStats.insertRows(adRows(6, [buildAdRow()]), "no'token")).rejects.toThrow(
      'not a deduplication token',
    );
  });

  it('bounds the size of one request', async () => {
    const body = new Uint8Array(33 * 1024 ** 2);
    const headers = { authorization: `Bearer ${address.key}` };
    const refused = await fetch(`${address.url}/rows?rows=1&format=TabSeparated&token=t`, {
      method: 'POST',
      body,
      headers,
    }).then(
      (response) => response.status,
      () => 'cut off',
    );
    expect([413, 'cut off']).toContain(refused);
  });

  it('is not used where none runs, also where one crashed and left its file', async () => {
    const { adStats } = await reach();
    await server.close();
    expect(await reachIntake(folder)).toBeNull();
    expect(await adStats.insertRows(adRows(7, [buildAdRow()]), 'late')).toMatchObject({ kind: 'away' });
    await writeFile(join(folder, intakeFile), JSON.stringify(address));
    expect(await reachIntake(folder)).toBeNull();
  });
});
