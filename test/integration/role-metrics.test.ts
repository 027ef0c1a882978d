// tier: system
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../engine/adapters/postgres/free-port.ts';
import { type BroadsideProcess, startBroadside } from '../support/broadside-process.ts';
import { testMasterKey } from '../support/builders.ts';
import { type ClickHouseBridge, startClickHouseBridge } from '../support/clickhouse-bridge/bridge.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

/** Each role as a process of its own, with its own listener for metrics. */
const roles = [
  {
    role: 'api',
    port: 'API_INTERNAL_PORT',
    shows: /^broadside_api_requests_total\{surface="other",status="2xx"\} [1-9]/m,
  },
  { role: 'engine', port: 'INTERNAL_PORT', shows: /^broadside_engine_state\{state="running"\} 1$/m },
  {
    role: 'reporting',
    port: 'REPORTING_INTERNAL_PORT',
    shows: /^broadside_disk_free_bytes\{disk="reports"\} [1-9]/m,
  },
] as const;

describe('a role in a process of its own', () => {
  let test: TestDatabase;
  let clickhouse: ClickHouseBridge;
  let running: BroadsideProcess | null = null;
  beforeAll(async () => {
    [test, clickhouse] = await Promise.all([createTestDatabase(), startClickHouseBridge()]);
  });
  afterEach(async () => {
    await running?.stop();
    running = null;
  });
  afterAll(async () => {
    await clickhouse.stop();
    await test.drop();
  });

  it.each(roles)('$role shows what it does, its servers and disks', async ({ role, port, shows }) => {
    const [internal, outer] = [await freePort(), await freePort()];
    running = await startBroadside({
      args: [role],
      env: {
        DATABASE_URL: test.url,
        MASTER_KEY: testMasterKey.toString('base64'),
        CLICKHOUSE_URL: clickhouse.url,
        ...{ API_PORT: String(outer), REPORTING_PORT: String(outer), [port]: String(internal) },
        REPORT_JOBS_FOLDER: join(tmpdir(), 'role-metrics-jobs'),
        WORKER_THREADS: '1',
        LOG_LEVEL: 'warn',
      },
      readyUrl:
        role === 'engine'
          ? `http://127.0.0.1:${internal}/health/ready`
          : `http://127.0.0.1:${outer}/internal/health/ready`,
    });
    const scrape = async (): Promise<string> => (await fetch(`http://127.0.0.1:${internal}/metrics`)).text();
    await expect.poll(scrape).toMatch(shows);
    for (const dependency of ['postgres', 'clickhouse', 'log']) {
      await expect.poll(scrape).toContain(`broadside_dependency_up{dependency="${dependency}"} 1`);
    }
    const shown = await scrape();
    expect(shown).toMatch(/^broadside_disk_free_bytes\{disk="clickhouse"\} [1-9]/m);
    expect(shown).toMatch(/^broadside_postgres_connections\{state="(busy|idle)"\} [1-9]/m);
  });
});
