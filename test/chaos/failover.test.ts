// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { isDatabaseAway } from '../../engine/adapters/postgres/database-away.ts';
import { migrateDatabase } from '../../engine/adapters/postgres/migrate.ts';
import { until } from '../support/engine-harness.ts';
import { describeKafka } from '../support/kafka/describe-kafka.ts';
import { openDatabase } from '../support/postgres.ts';
import { BLOCKS_IN_FLIGHT, SERVER_SUBSCRIBERS, type Servers, startServers } from '../support/servers.ts';
import { type PostgresPair, startPostgresPair } from './runner/postgres-pair.ts';

describeKafka('a primary with a synchronous standby', () => {
  let pair: PostgresPair;
  /** Looks for the host that takes writes, as the engines do. */
  let database: Database;
  let servers: Servers;

  beforeAll(async () => {
    pair = await startPostgresPair();
    database = openDatabase(pair.url, 4);
    await migrateDatabase(pair.url, database);
    await database.query('CREATE TABLE acknowledged (n integer)');
    servers = await startServers(database, pair.url);
  });
  afterAll(async () => {
    await servers?.[Symbol.asyncDispose]();
    await database?.close();
    await pair?.stop();
  });

  const isOnStandby = async (n: number): Promise<boolean> =>
    (await pair.standby.query('SELECT FROM acknowledged WHERE n = $1', [n])).length > 0;

  it('acknowledges no commit that the standby lacks, as it does with synchronous_commit=local', async () => {
    await pair.stream(false);
    await pair.primary.transaction(async (sql) => {
      await sql.query('SET LOCAL synchronous_commit = local');
      await sql.query('INSERT INTO acknowledged VALUES (-1)');
    });
    expect(await isOnStandby(-1)).toBe(false);
    const acknowledged = pair.primary.query('INSERT INTO acknowledged VALUES (-2)');
    const waits = `SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
    await until('the commit to wait', async () => (await pair.primary.query(waits)).length === 1);
    await pair.stream(true);
    await acknowledged;
    expect(await isOnStandby(-2)).toBe(true);
  });

  it('loses nothing when it dies in the middle of a delivery and the standby is promoted', async ({
    onTestFailed,
  }) => {
    await servers.pushService.setFaults([{ action: { kind: 'latency', ms: 1_000 } }]);
    const engines = await Promise.all([servers.startEngine(), servers.startEngine()]);
    onTestFailed(() => console.error(engines.map((engine) => engine.output()).join('\n---\n')));
    const id = await servers.send();
    const ledger = () => servers.pushService.ledger();
    await until('a tenth', async () => (await ledger()).accepted > SERVER_SUBSCRIBERS / 10);

    const written: number[] = [];
    const writing = new AbortController();
    const writer = writeUntil(writing.signal, database, written);
    await until('writes', async () => written.length > 20);
    await pair.failOver();
    const before = written.length;
    await until('writes on the standby', async () => written.length > before + 20);
    writing.abort();
    await writer;
    expect((await ledger()).accepted).toBeLessThan(SERVER_SUBSCRIBERS);
    await servers.pushService.setFaults([]);

    const books = await servers.readBooks(id);
    expect(books).toMatchObject({
      delivery: { status: 'success', success_count: SERVER_SUBSCRIBERS, failed_count: 0 },
      recorded: { acceptedSubscribers: SERVER_SUBSCRIBERS, attempts: { accepted: SERVER_SUBSCRIBERS } },
      ledger: { distinct: SERVER_SUBSCRIBERS },
    });
    // As of a process that dies: the blocks in flight.
    expect(books.ledger.duplicates).toBeLessThanOrEqual(engines.length * BLOCKS_IN_FLIGHT * 1_024);
    const kept = await pair.standby.query<{ n: number }>('SELECT n FROM acknowledged WHERE n >= 0');
    expect(kept.map(({ n }) => n)).toEqual(expect.arrayContaining(written));
  }, 480_000);
});

/** Notes each number once Postgres has acknowledged it; goes on through the fail-over. */
async function writeUntil(signal: AbortSignal, database: Database, written: number[]): Promise<void> {
  for (let n = 0; !signal.aborted; n++) {
    try {
      await database.query('INSERT INTO acknowledged VALUES ($1)', [n]);
      written.push(n);
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
