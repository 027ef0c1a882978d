// tier: system
import { type Consumer, Kafka, logLevel } from 'kafkajs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { groupName, topicName } from '../../engine/adapters/kafka/names.ts';
import { freePort } from '../../engine/adapters/postgres/free-port.ts';
import type { Topic } from '../../engine/contract/topics.ts';
import { type BroadsideProcess, spawnBroadside, startBroadside } from '../support/broadside-process.ts';
import { testMasterKey } from '../support/builders.ts';
import { until } from '../support/engine-harness.ts';
import { itThorough } from '../support/it-thorough.ts';
import { startKafkaBroker } from '../support/kafka-broker.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { proxyTo, type TcpProxy } from '../support/tcp-proxy.ts';

const PREFIX = 'broadside.';
const A_FEW_ATTEMPTS_MS = 200_000;

/** A role that starts in the middle of an outage. */
describe('starting while something is unavailable', () => {
  let test: TestDatabase;
  let way: TcpProxy;
  let env: Record<string, string>;
  let health: string;
  const started: BroadsideProcess[] = [];

  beforeEach(async () => {
    test = await createTestDatabase();
    const proxy = await proxyTo(test.url);
    way = proxy.way;
    const [apiPort, internalPort] = [await freePort(), await freePort()];
    health = `http://127.0.0.1:${internalPort}/health`;
    env = {
      DATABASE_URL: proxy.url,
      MASTER_KEY: testMasterKey.toString('base64'),
      LOG_BACKEND: 'pgboss',
      // Away all the time: nothing waits for it.
      CLICKHOUSE_URL: 'http://127.0.0.1:1',
      API_HOST: '127.0.0.1',
      API_PORT: String(apiPort),
      API_INTERNAL_PORT: '0',
      INTERNAL_PORT: String(internalPort),
      INTERNAL_SECRET: 'internal-secret-of-tests',
      WORKER_THREADS: '1',
      LOG_LEVEL: 'warn',
    };
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((broadside) => broadside.kill()));
    await way.close();
    await test.drop();
  });

  const start = (role: string, given: Record<string, string> = {}): BroadsideProcess => {
    const broadside = spawnBroadside([role], { ...env, ...given });
    started.push(broadside);
    return broadside;
  };
  const statusOf = (url: string): Promise<number> =>
    fetch(url).then(
      async (response) => {
        await response.body?.cancel();
        return response.status;
      },
      () => 0,
    );

  it('an engine waits for Postgres, logs it, is live and not ready, and goes on', async () => {
    way.cut();
    const engine = start('engine');
    await until('a line in the log', () =>
      engine.output().includes('Postgres does not answer: the start waits for it'),
    );
    expect(await statusOf(`${health}/live`)).toBe(200);
    expect(await statusOf(`${health}/ready`)).toBe(503);
    way.restore();
    await until('readiness', async () => (await statusOf(`${health}/ready`)) === 200);
    expect(await engine.stop()).toBe(0);
  });

  it('an engine runs without ClickHouse, and makes its tables later', async () => {
    const engine = await startBroadside({ args: ['engine'], env, readyUrl: `${health}/ready` });
    started.push(engine);
    expect(engine.output()).toContain('ClickHouse does not answer');
    expect(await engine.stop()).toBe(0);
  });

  it('an engine waits for Kafka, and is not ready', async () => {
    const engine = start('engine', {
      LOG_BACKEND: 'kafka',
      KAFKA_BROKERS: `127.0.0.1:${await freePort()}`,
    });
    await until('a line in the log', () =>
      engine.output().includes('Kafka does not answer: the start waits for it'),
    );
    expect(await statusOf(`${health}/ready`)).toBe(503);
    expect(await engine.stop()).toBe(0);
  });

  // An attempt to join lasts 80 s. It ends here: each failed attempt may hold up the next one.
  itThorough(
    'an engine waits until it can join its consumer group, is not ready, and stops in order',
    async () => {
      const broker = await startKafkaBroker();
      let member: Consumer | null = null;
      try {
        member = await joinAndKeep(broker.address, 'outcomes');
        const engine = start('engine', { LOG_BACKEND: 'kafka', KAFKA_BROKERS: broker.address });
        const line = 'joining outcomes took longer than';
        await until('a line in the log', () => engine.output().includes(line), A_FEW_ATTEMPTS_MS);
        expect(await statusOf(`${health}/live`)).toBe(200);
        expect(await statusOf(`${health}/ready`)).toBe(503);
        expect(await engine.stop()).toBe(0);
      } finally {
        await member?.disconnect();
        await broker.stop();
      }
    },
    2 * A_FEW_ATTEMPTS_MS,
  );

  it('an API answers 503 with Retry-After until Postgres is there', async () => {
    way.cut();
    const api = start('api');
    const apps = `http://127.0.0.1:${env.API_PORT}/api/v1/client/apps`;
    const headers = { authorization: `Bearer 1|${'a'.repeat(43)}` };
    await until('an answer', async () => (await statusOf(apps)) !== 0);
    const answer = await fetch(apps, { headers });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await statusOf(`http://127.0.0.1:${env.API_PORT}/internal/health/ready`)).toBe(503);
    way.restore();
    await until('Postgres', async () => (await fetch(apps, { headers })).status === 401);
    expect(await api.stop()).toBe(0);
  });

  it('an API serves without Kafka', async () => {
    const api = await startBroadside({
      args: ['api'],
      env: { ...env, LOG_BACKEND: 'kafka', KAFKA_BROKERS: `127.0.0.1:${await freePort()}` },
      readyUrl: `http://127.0.0.1:${env.API_PORT}/internal/health/ready`,
    });
    started.push(api);
    expect(await api.stop()).toBe(0);
  });

  it.each(['engine', 'api'])('SIGTERM ends a waiting %s in order', async (role) => {
    way.blackhole();
    const broadside = start(role);
    const live = role === 'api' ? `http://127.0.0.1:${env.API_PORT}/internal/health/live` : `${health}/live`;
    await until('its listener', async () => (await statusOf(live)) === 200);
    expect(await broadside.stop()).toBe(0);
  });

  it.each([
    ['a password', (url: URL) => Object.assign(url, { password: 'wrong' }), /password authentication failed/],
    ['a database', (url: URL) => Object.assign(url, { pathname: '/nowhere' }), /"nowhere" does not exist/],
  ])('does not wait where %s is wrong, and explains it in one line', async (_, change, message) => {
    const engine = start('engine', { DATABASE_URL: change(new URL(test.url)).href });
    expect(await engine.exited).toBe(1);
    expect(engine.output().split('\n')).toEqual([expect.stringMatching(message)]);
  });

  it('ends with 1 where its start fails late', async () => {
    const engine = start('engine', { PUSH_SERVICE_CA_FILE: '/nowhere/ca.pem' });
    expect(await engine.exited).toBe(1);
    expect(engine.output()).toContain("ENOENT: no such file or directory, open '/nowhere/ca.pem'");
  });

  it('does not wait for a database that a newer version wrote', async () => {
    await test.database.query(`INSERT INTO schema_migrations (name, run_on) VALUES ('9999_later', now())`);
    const engine = start('engine');
    expect(await engine.exited).toBe(1);
    expect(engine.output().split('\n')).toEqual([
      expect.stringContaining('was written by a newer Broadside'),
    ]);
  });
});

/** A member of the topic's consumer group that never takes part in a rebalance, so nobody else can join. */
async function joinAndKeep(broker: string, topic: Topic): Promise<Consumer> {
  const kafka = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic: topicName(PREFIX, topic), numPartitions: 1 }] });
  await admin.disconnect();
  const silent = { heartbeatInterval: 600_000, sessionTimeout: 900_000, rebalanceTimeout: 900_000 };
  const member = kafka.consumer({ groupId: groupName(PREFIX, topic), ...silent });
  const joined = new Promise((resolve) => member.on(member.events.GROUP_JOIN, resolve));
  await member.connect();
  await member.subscribe({ topic: topicName(PREFIX, topic) });
  await member.run({ eachMessage: async () => undefined });
  await joined;
  return member;
}
