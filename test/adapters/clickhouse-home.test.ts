// tier: system, alone
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { createAnalytics } from '../../engine/adapters/clickhouse/analytics.ts';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { openClickHouse } from '../../engine/adapters/clickhouse/client.ts';
import { migrateClickHouse } from '../../engine/adapters/clickhouse/migrate.ts';
import { createOutcomeStore } from '../../engine/adapters/clickhouse/outcome-store.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import { buildBlockOutcomes } from '../support/block-outcomes.ts';

const folder = await mkdtemp(join(tmpdir(), 'broadside-chdb-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const clientModule = fileURLToPath(new URL('../../engine/adapters/clickhouse/client.ts', import.meta.url));

const openAt = (name: string): Promise<ClickHouse> =>
  openClickHouse({ kind: 'embedded', path: join(folder, name), database: 'broadside' });

/** Runs a line of code in a process of its own, with `openClickHouse` at hand. */
function inProcess(code: string) {
  const source = `import { openClickHouse } from ${JSON.stringify(clientModule)};\n${code}`;
  return promisify(execFile)(process.execPath, ['--input-type=module', '-e', source]);
}

const LONG_READ = 'SELECT max(sipHash64(number)) FROM numbers(50000000000)';

describe('the embedded home of ClickHouse', () => {
  it('has the outcomes again when the folder is opened again', async () => {
    const first = await openAt('again');
    await migrateClickHouse(first);
    await createOutcomeStore(first).insertOutcomes([buildBlockOutcomes({ appId: 1, targets: 7 })], 'kept');
    await first.close();
    const second = await openAt('again');
    await migrateClickHouse(second);
    await createOutcomeStore(second).insertOutcomes([buildBlockOutcomes({ appId: 1, targets: 7 })], 'kept');
    const days = await createAnalytics(second).serviceDays(1 as AppId, '2000-01-01', '2100-01-01');
    expect(days).toMatchObject([{ accepted: 7 }]);
    await second.close();
  });

  it('lets one process at a time hold the folder, and explains to the second how to resolve it', async () => {
    const holder = await openAt('held');
    const options = JSON.stringify({ kind: 'embedded', path: join(folder, 'held'), database: 'broadside' });
    await expect(inProcess(`await openClickHouse(${options})`)).rejects.toThrow(
      /could not be opened.*stop the other one/,
    );
    await holder.close();
  });

  it('cancels running reads on close, lets a running insert finish, and refuses later statements', async () => {
    const clickhouse = await openAt('closing');
    await migrateClickHouse(clickhouse);
    const store = createOutcomeStore(clickhouse);
    const blocks = Array.from({ length: 64 }, (_, block) =>
      buildBlockOutcomes({ appId: 3, block, targets: 1_024 }),
    );
    const read = clickhouse.client.query({ query: LONG_READ }).then(
      () => 'answered',
      (error: Error) => error.message,
    );
    const insert = store.insertOutcomes(blocks, 'in-hand');
    const inLine = store.insertOutcomes(blocks, 'in-line');
    // All three are in position: two running, one queued.
    await new Promise((resolve) => setImmediate(resolve));
    await clickhouse.close();
    expect(await read).toContain('cancelled');
    expect(await insert).toEqual({ kind: 'inserted', rows: 65_536 });
    expect(await inLine).toEqual({ kind: 'away', store: 'ClickHouse', reason: 'ClickHouse is closed' });
    expect(await store.insertOutcomes(blocks, 'later')).toEqual({
      kind: 'away',
      store: 'ClickHouse',
      reason: 'ClickHouse is closed',
    });
    expect(await clickhouse.ping()).toBe(false);
    await clickhouse.close();
  });

  it('refuses settings beside the statement, which would stay on for every later statement', async () => {
    const clickhouse = await openAt('settings');
    const query = { query: 'SELECT 1', clickhouse_settings: { insert_deduplication_token: 'stays' } };
    await expect(clickhouse.client.query(query)).rejects.toThrow('into the statement');
    const answer = await clickhouse.client.query({
      query: `SELECT getSetting('insert_deduplication_token') AS token`,
      format: 'JSONEachRow',
    });
    expect(await answer.json()).toEqual([{ token: '' }]);
    await clickhouse.close();
  });

  it('refuses a Date as a parameter, whose milliseconds would be lost', async () => {
    const clickhouse = await openAt('dates');
    const query = { query: `SELECT {at:DateTime64(3)}`, query_params: { at: new Date() } };
    await expect(clickhouse.client.query(query)).rejects.toThrow('number of milliseconds');
    await clickhouse.close();
  });

  it('refuses a database name that is no plain name', async () => {
    await expect(
      openClickHouse({ kind: 'embedded', path: join(folder, 'name'), database: 'a; DROP' }),
    ).rejects.toThrow('not a database name');
  });

  it('is not loaded by a process that uses a server', async () => {
    const home = { kind: 'http', url: 'http://127.0.0.1:9', username: '', password: '', database: 'b' };
    const options = JSON.stringify({ ...home, requestTimeoutMs: 1_000, maxConnections: 1 });
    const { stdout } = await inProcess(`
      const clickhouse = await openClickHouse(${options});
      const loaded = process.report.getReport().sharedObjects.filter((file) => file.includes('chdb'));
      console.log(JSON.stringify({ loaded, answers: await clickhouse.ping() }));
      await clickhouse.close();`);
    expect(JSON.parse(stdout)).toEqual({ loaded: [], answers: false });
  });
});

describe('reads of the embedded ClickHouse', () => {
  it('delay no insert, however long they take', async () => {
    const clickhouse = await openAt('connections');
    await migrateClickHouse(clickhouse);
    let ended = false;
    const read = clickhouse.client.query({ query: LONG_READ }).catch(() => {
      ended = true;
    });
    const batch = [buildBlockOutcomes({ targets: 5 })];
    expect(await createOutcomeStore(clickhouse).insertOutcomes(batch, 'meanwhile')).toMatchObject({
      rows: 5,
    });
    expect(ended).toBe(false);
    await clickhouse.close();
    await read;
  });
});
