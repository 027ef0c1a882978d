// tier: system
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { createPgBossLog } from '../../engine/adapters/pgboss/log.ts';
import type { PgBossLogOptions } from '../../engine/adapters/pgboss/options.ts';
import { systemClock } from '../../engine/contract/concurrency/clock.ts';
import type { Log } from '../../engine/contract/log.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { proxyTo } from '../support/tcp-proxy.ts';
import { crashInMidBatch } from './crash.ts';
import { defaultOptions, inWorld, type LogHarness, type LogWorld } from './harness.ts';
import { createLedger, deliveries, range, until, worker } from './ledger.ts';
import { describeLog } from './log.ts';

const clock = systemClock;
const SESSION_TIMEOUT_MS = 2_000;

interface PgBossWorld extends LogWorld {
  query(text: string): Promise<unknown[]>;
}

async function open(): Promise<PgBossWorld> {
  const database = await createTestDatabase();
  const { way: proxy, url } = await proxyTo(database.url);
  const options: PgBossLogOptions = {
    url,
    claimTimeoutMs: SESSION_TIMEOUT_MS,
    maxConnections: 3,
  };
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const logs: Log[] = [];
  return {
    sessionTimeoutMs: SESSION_TIMEOUT_MS,
    keepsKeyOrder: false,
    // Not in jsonb.
    neverHeld: { key: '\0', value: { delivery_id: 999 } },
    connect: async () => {
      const log = await createPgBossLog(options);
      logs.push(log);
      return log;
    },
    putText: async (topic, key, text) => {
      const data = JSON.stringify({ key, value: JSON.parse(text) });
      await client.query('INSERT INTO broadside_log.job (name, data) VALUES ($1, $2)', [topic, data]);
    },
    crashConsumer: (done) => crashInMidBatch({ adapter: 'pgboss', options, done }),
    cut: async () => {
      proxy.cut();
      return async () => proxy.restore();
    },
    query: async (text) => (await client.query(text)).rows,
    close: async () => {
      await Promise.all(logs.map((log) => log.close(1_000)));
      await client.end();
      await proxy.close();
      await database.drop();
    },
  };
}

const harness: LogHarness = { clock, open };
describeLog('the log on Postgres', harness);

it('keeps no row of a record that is done', async () => {
  const world = await open();
  try {
    const log = await world.connect();
    const ledger = createLedger();
    await log.publish('deliveries', deliveries(range(50)));
    await log.consume('deliveries', defaultOptions, worker({ clock, ledger }));
    await until(clock, 'no lag', async () => (await log.lag('deliveries')) === 0);
    expect(await world.query('SELECT name, state FROM broadside_log.job')).toEqual([]);
  } finally {
    await world.close();
  }
});

it('returns released records at once, without waiting for the claim to run out', async () => {
  const world = await open();
  try {
    const log = await world.connect();
    const ledger = createLedger();
    await log.publish('deliveries', deliveries(range(30)));
    await log.consume('deliveries', defaultOptions, worker({ clock, ledger, workMs: 20 }));
    await until(clock, 'the first batch begun', () => ledger.size() >= 2);
    await log.close(1_000);
    const states = await world.query('SELECT DISTINCT state FROM broadside_log.job ORDER BY state');
    expect(states).toEqual([{ state: 'retry' }]);
    expect(await world.query('SELECT id FROM broadside_log.job')).toHaveLength(30 - ledger.size());
  } finally {
    await world.close();
  }
});

it('remembers the attempts of a record when another process takes it over', () =>
  inWorld(harness, async ({ connect }) => {
    const [first, second] = [await connect(), await connect()];
    const attempts: number[] = [];
    await first.publish('deliveries', deliveries([1]));
    const failing = async ([record]: readonly { readonly attempt: number }[]): Promise<never> => {
      attempts.push(record?.attempt ?? 0);
      throw new Error('not now');
    };
    const consumer = await first.consume('deliveries', defaultOptions, async (records) => {
      const failed = failing(records);
      consumer.pause();
      return failed;
    });
    await until(clock, 'the first attempt', () => attempts.length === 1);
    await first.close(2_000);
    await second.consume('deliveries', defaultOptions, failing);
    await until(clock, 'no lag', async () => (await second.lag('deliveries')) === 0);
    expect(attempts).toEqual([1, 2, 3]);
    expect(await second.deadLetters('deliveries', 5)).toHaveLength(1);
  }));

it('goes on where the clock of Postgres was set back, and frees what a dead process had claimed', async () => {
  const world = await open();
  try {
    const log = await world.connect();
    const ledger = createLedger();
    await log.publish('deliveries', deliveries(range(4)));
    // As they look an hour before they were written; the first two were claimed.
    await world.query(
      `UPDATE broadside_log.job SET created_on = created_on + interval '1h', start_after = start_after + interval '1h'`,
    );
    await world.query(
      `UPDATE broadside_log.job SET state = 'active', started_on = now() + interval '1h', heartbeat_on = now() + interval '1h'
       WHERE id IN (SELECT id FROM broadside_log.job LIMIT 2)`,
    );
    await log.consume('deliveries', defaultOptions, worker({ clock, ledger }));
    await until(clock, 'no lag', async () => (await log.lag('deliveries')) === 0);
  } finally {
    await world.close();
  }
});

it('reports in one error that Postgres does not answer', async () => {
  const opening = createPgBossLog({ url: 'postgres://nobody@127.0.0.1:1/none', connectTimeoutMs: 1_000 });
  await expect(opening).rejects.toThrow('Postgres does not answer for the log');
});

it('refuses a claim time-out that pg-boss cannot count in seconds', async () => {
  const opening = createPgBossLog({ url: 'postgres://127.0.0.1/none', claimTimeoutMs: 1_500 });
  await expect(opening).rejects.toThrow('whole seconds');
});
