// tier: system
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openClickHouse } from '../../../engine/adapters/clickhouse/client.ts';
import { type ClickHouseBridge, startClickHouseBridge } from '../../support/clickhouse-bridge/bridge.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { createReportToken, generatePath, until } from '../support.ts';
import { type Job, jobsPath } from './support.ts';

const main = new URL('../../../reporting/main.ts', import.meta.url).href;
const script = `import(${JSON.stringify(main)}).then((it) => it.runReporting())`;

let bridge: ClickHouseBridge;
let test: TestDatabase;
let folder: string;
const children: ChildProcess[] = [];
beforeAll(async () => {
  [bridge, test] = await Promise.all([startClickHouseBridge(), createTestDatabase()]);
  folder = await mkdtemp(join(tmpdir(), 'broadside-jobs-'));
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await bridge.stop();
  await test.drop();
  await rm(folder, { recursive: true, force: true });
});

async function startRole(): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, ['-e', script], {
    env: {
      ...{ REPORTING_PORT: '0', REPORTING_INTERNAL_PORT: '0', LOG_FORMAT: 'json' },
      ...{ CLICKHOUSE_URL: bridge.url, DATABASE_URL: test.url, REPORT_JOBS_FOLDER: folder },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return { url: await listeningAt(child.stdout), child };
}

async function listeningAt(output: Readable): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const found = /Server listening at (http:\/\/127\.0\.0\.1:\d+)/.exec(line);
    if (found?.[1] !== undefined) return found[1];
  }
  throw new Error('the process ended');
}

const ROWS = 300_000;
async function fill(): Promise<void> {
  const clickhouse = await openClickHouse({
    ...{ kind: 'http', url: bridge.url, username: 'default', password: 'secret', database: 'broadside' },
    ...{ requestTimeoutMs: 30_000, maxConnections: 2 },
  });
  await clickhouse.client.command({
    query: `INSERT INTO ad_stats (at, load, source, domain, ad_unit, impressions)
      SELECT toDateTime('2026-01-05 12:00:00', 'UTC'), 0, 'test', 'a.example', toString(number), 1
      FROM numbers(${ROWS}) SETTINGS async_insert = 0`,
  });
  await clickhouse.close();
}

it('a job whose process is killed in the middle is made by another one, once and whole', async () => {
  const first = await startRole();
  await fill();
  const token = await createReportToken(test.database);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = {
    dimensions: ['ad_unit'],
    metrics: ['impressions'],
    currency: 'EUR',
    selectedDate: ['2026-01-05', '2026-01-05'],
    format: 'csv',
  };
  const asked = await fetch(first.url + jobsPath, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(asked.status).toBe(202);
  const { id } = ((await asked.json()) as { data: Job }).data;
  const stateOf = async () => {
    const [row] = await test.database.query<{ state: string; epoch: number }>(
      'SELECT state, epoch FROM report_jobs WHERE id = $1',
      [id],
    );
    return row;
  };
  await until(async () => (await stateOf())?.state === 'running');
  const exited = once(first.child, 'exit');
  first.child.kill('SIGKILL');
  expect(await exited).toEqual([null, 'SIGKILL']);
  expect(await stateOf()).toEqual({ state: 'running', epoch: 1 });

  const second = await startRole();
  // What half a minute would do.
  await test.database.query(`UPDATE report_jobs SET lease_until = now() - interval '1 second'`);
  await until(async () => (await stateOf())?.state === 'done');
  expect(await stateOf()).toEqual({ state: 'done', epoch: 2 });
  const shown = (await (await fetch(`${second.url}${jobsPath}/${id}`, { headers })).json()) as { data: Job };
  expect(shown.data).toMatchObject({ state: 'done', rows: ROWS, parts: [{ part: 0, rows: ROWS }] });
  const part = await fetch(`${second.url}${jobsPath}/${id}/parts/0`, { headers });
  const report = await fetch(second.url + generatePath, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(part.headers.get('content-encoding')).not.toBe(null);
  expect(await part.text()).toBe(await report.text());
  expect((await readdir(folder)).filter((name) => name.startsWith('report-'))).toEqual([`report-${id}-2-0`]);
});
