// tier: system
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { holdOutcomes } from '../../engine/adapters/postgres/backup/hold-outcomes.ts';
import { connectClient } from '../../engine/adapters/postgres/connection.ts';
import { createDatabase, type Database } from '../../engine/adapters/postgres/database.ts';
import { isDatabaseAway } from '../../engine/adapters/postgres/database-away.ts';
import { pause, systemClock } from '../../engine/contract/concurrency/clock.ts';
import { createPool, prepareDatabase } from '../../engine/kit/roles/open-parts.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { proxyTo, type TcpProxy } from '../support/tcp-proxy.ts';

const MAX_SILENCE_MS = 400;

describe('a connection to Postgres whose other side has vanished without a word', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  const openAt = (url: string): Database => {
    const database = createDatabase({
      ...{ url, applicationName: 'broadside-test', maxConnections: 2, connectTimeoutMs: 1_000 },
      ...{ statementTimeoutMs: 20_000, maxSilenceMs: MAX_SILENCE_MS },
    });
    onTestFinished(() => database.close());
    return database;
  };
  const openWay = async (): Promise<{ way: TcpProxy; url: string }> => {
    const opened = await proxyTo(test.url);
    onTestFinished(() => opened.way.close());
    return opened;
  };
  const lockRow = `SELECT value FROM vanished FOR UPDATE`;

  it('loses its locks to other processes', async () => {
    await test.database.query('CREATE TABLE vanished AS SELECT 1 AS value');
    const { way, url } = await openWay();
    const { promise: ends, resolve: end } = Promise.withResolvers<void>();
    const vanished = openAt(url).transaction(async (sql) => {
      await sql.query(lockRow);
      way.blackhole();
      await ends;
      await sql.query('UPDATE vanished SET value = 2');
    });
    await expect.poll(way.connections).toBe(1);
    // Waits for the row, and would until its own time limit.
    expect(await openAt(test.url).transaction((sql) => sql.query(lockRow))).toEqual([{ value: 1 }]);
    way.restore();
    end();
    const error = await vanished.catch((reason: unknown) => reason);
    expect(isDatabaseAway(error)).toBe(true);
    expect(await test.database.query('SELECT value FROM vanished')).toEqual([{ value: 1 }]);
  });

  it('keeps the lock of a backup, which is silent for longer', async () => {
    const answer = await openAt(test.url).transaction(async (sql) => {
      await holdOutcomes(sql);
      await pause(systemClock, 2 * MAX_SILENCE_MS);
      return sql.query('SELECT 1 AS held');
    });
    expect(answer).toEqual([{ held: 1 }]);
  });

  it('sends keepalive probes within seconds, and keeps the options of the URL', async () => {
    const shown = `SELECT current_setting('tcp_keepalives_idle') AS idle, current_setting('tcp_keepalives_count') AS count,
      current_setting('work_mem') AS memory, current_setting('idle_in_transaction_session_timeout') AS silence`;
    const url = new URL(test.url);
    url.searchParams.set('options', '-c work_mem=3MB -c tcp_keepalives_count=5');
    const ours = { idle: '10', count: '5', memory: '3MB' };
    expect(await openAt(url.href).query(shown)).toEqual([{ ...ours, silence: `${MAX_SILENCE_MS}ms` }]);
    const client = await connectClient(url.href, {});
    expect((await client.query(shown)).rows).toEqual([{ ...ours, silence: '0' }]);
    await client.end();
  });

  it('is given up by a start whose server falls silent after its greeting', async () => {
    const { way, url } = await openWay();
    way.dropAnswers(1, (request) => {
      if (request.includes('pg_backend_pid')) way.blackhole();
      return false;
    });
    const lines: string[] = [];
    const note = (_: object, line: string): void => {
      lines.push(line);
      way.restore();
    };
    const pool = createPool(url, 'broadside-test', 1);
    const logger = { warn: note, info: note } as unknown as Parameters<typeof prepareDatabase>[2]['logger'];
    await prepareDatabase(url, pool, { logger, signal: AbortSignal.timeout(60_000) });
    await pool.close();
    expect(lines).toEqual([
      'Postgres does not answer: the start waits for it',
      'Postgres answers: the start continues',
    ]);
  });

  it('may hold the lock of the migrations: a start says that it waits', async () => {
    const lines: string[] = [];
    const { promise: said, resolve: say } = Promise.withResolvers<void>();
    const migrating = await connectClient(test.url, {});
    // Of node-pg-migrate, around all migrations of a database.
    await migrating.query('SELECT pg_advisory_lock(7241865325823964)');
    const warn = (_: object, line: string): void => {
      lines.push(line);
      say();
    };
    const logger = { warn, info: () => {} } as unknown as Parameters<typeof prepareDatabase>[2]['logger'];
    const prepared = prepareDatabase(test.url, test.database, {
      logger,
      signal: AbortSignal.timeout(60_000),
    });
    await said;
    await migrating.end();
    await prepared;
    expect(lines[0]).toContain('another process migrates Postgres');
  });
});
