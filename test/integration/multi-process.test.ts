// tier: core
import { afterAll, beforeAll, expect, it } from 'vitest';
import { issueToken } from '../../api/account/own/tokens/issue.ts';
import { createAnalytics } from '../../engine/adapters/clickhouse/analytics.ts';
import { openClickHouse } from '../../engine/adapters/clickhouse/client.ts';
import { freePort } from '../../engine/adapters/postgres/free-port.ts';
import type { DeliveryId } from '../../engine/contract/ids.ts';
import { formatToken } from '../../engine/kit/http/token.ts';
import { type BroadsideProcess, startBroadside } from '../support/broadside-process.ts';
import { buildApp, readDelivery, testMasterKey } from '../support/builders.ts';
import { type ClickHouseBridge, startClickHouseBridge } from '../support/clickhouse-bridge/bridge.ts';
import { composeEnvironment } from '../support/compose-environment.ts';
import { until } from '../support/engine-harness.ts';
import { describeKafka } from '../support/kafka/describe-kafka.ts';
import { type KafkaBroker, startKafkaBroker } from '../support/kafka-broker.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type PushServiceDouble, startPushService } from '../support/push-service/start.ts';

const SUBSCRIBERS = 5_000;

describeKafka('api and two engines as processes, over Kafka, Postgres and ClickHouse', () => {
  let test: TestDatabase;
  let kafka: KafkaBroker;
  let clickhouse: ClickHouseBridge;
  let pushService: PushServiceDouble;
  const processes: BroadsideProcess[] = [];

  beforeAll(async () => {
    [test, kafka, clickhouse, pushService] = await Promise.all([
      createTestDatabase(),
      startKafkaBroker(),
      startClickHouseBridge(),
      startPushService({ verify: 'all' }),
    ]);
  });

  afterAll(async () => {
    await Promise.all(processes.map((broadside) => broadside.kill()));
    await Promise.all([pushService?.stop(), clickhouse?.stop(), kafka?.stop()]);
    await test?.drop();
  });

  /** What docker-compose.yml gives a role, at the addresses of this test's servers. */
  const environment = (role: 'api' | 'engine'): Record<string, string> => ({
    ...composeEnvironment(role),
    DATABASE_URL: test.url,
    MASTER_KEY: testMasterKey.toString('base64'),
    KAFKA_BROKERS: kafka.address,
    CLICKHOUSE_URL: clickhouse.url,
    CLICKHOUSE_USER: 'default',
    CLICKHOUSE_PASSWORD: '',
    PUSH_SERVICE_CA_FILE: pushService.caFile,
    ALLOW_ANY_PUSH_HOST: 'true',
    LOG_LEVEL: 'warn',
  });

  const startEngine = async (): Promise<BroadsideProcess> => {
    const port = await freePort();
    const env = {
      ...environment('engine'),
      INTERNAL_HOST: '127.0.0.1',
      INTERNAL_PORT: String(port),
      WORKER_THREADS: '1',
      // Small shards and a short lease, so that both engines are in the middle of several when one dies.
      SHARD_BLOCKS: '1',
      // Above the default deadline of an answer: on a busy machine a shorter one would send messages again.
      LEASE_MS: '11000',
    };
    const engine = await startBroadside({
      args: ['engine'],
      env,
      readyUrl: `http://127.0.0.1:${port}/health/ready`,
    });
    processes.push(engine);
    return engine;
  };

  const startApi = async (): Promise<string> => {
    const port = await freePort();
    const rate = { CLIENT_RATE_PER_MINUTE: '5000' };
    const inner = { API_INTERNAL_HOST: '127.0.0.1', API_INTERNAL_PORT: '0' };
    const outer = { API_HOST: '127.0.0.1', API_PORT: String(port) };
    const env = { ...environment('api'), ...rate, ...inner, ...outer };
    const readyUrl = `http://127.0.0.1:${port}/internal/health/ready`;
    processes.push(await startBroadside({ args: ['api'], env, readyUrl }));
    return `http://127.0.0.1:${port}/api/v1/client`;
  };

  const importSubscribers = async (appId: number): Promise<void> => {
    const rows = Array.from({ length: SUBSCRIBERS }, (_, index) => pushService.subscriber(index));
    await test.database.query(
      `INSERT INTO subscriptions (app_id, seq, endpoint, p256dh, auth)
       SELECT $1, n - 1, endpoint, decode(translate(p256dh, '-_', '+/') || '=', 'base64'),
         decode(translate(auth, '-_', '+/') || '==', 'base64')
       FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS s (endpoint, p256dh, auth, n)`,
      [appId, rows.map((row) => row.endpoint), rows.map((row) => row.p256dh), rows.map((row) => row.auth)],
    );
    await test.database.query('UPDATE apps SET next_seq = $2 WHERE id = $1', [appId, SUBSCRIBERS]);
  };

  it('serves every subscriber and keeps the books equal when an engine is killed in the middle', async ({
    onTestFailed,
  }) => {
    onTestFailed(() => console.error(processes.map((broadside) => broadside.output()).join('\n---\n')));
    const app = await buildApp(test.database);
    await importSubscribers(app.id);
    const issued = await issueToken(test.database, {
      email: 'editor@news.example',
      organization: 'Daily Example Newsroom',
      name: 'test',
      abilities: ['deliveries:write', 'deliveries:read'],
      role: 'admin',
    });
    if (issued.kind !== 'issued') throw new Error(issued.reason);
    await test.database.query('UPDATE users SET organization_id = $1', [app.organizationId]);
    // Slow answers, so that the kill finds messages in flight.
    await pushService.setFaults([{ action: { kind: 'latency', ms: 40 } }]);
    const [api, doomed] = await Promise.all([startApi(), startEngine(), startEngine()]);

    const answer = await fetch(`${api}/apps/${app.identifier}/deliveries`, {
      method: 'POST',
      headers: { authorization: `Bearer ${formatToken(issued.token)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'n', title: 't', body: 'b', url: 'https://news.example/1' }),
    });
    expect(answer.status).toBe(201);
    const { data } = (await answer.json()) as { data: { id: DeliveryId } };

    await until(
      'the middle of the delivery',
      async () => (await pushService.ledger()).accepted > SUBSCRIBERS / 4,
      150_000,
    );
    await doomed.kill();
    const beforeTheEnd = await readDelivery(test.database, data.id);
    expect(beforeTheEnd.status).toBe('processing');

    await until(
      'the delivery to complete',
      async () => (await readDelivery(test.database, data.id)).status !== 'processing',
      150_000,
    );
    const delivery = await readDelivery(test.database, data.id);
    expect(delivery).toMatchObject({
      status: 'success',
      total_subscribers: SUBSCRIBERS,
      success_count: SUBSCRIBERS,
      failed_count: 0,
    });

    const ledger = await pushService.ledger();
    expect(ledger.distinct).toBe(SUBSCRIBERS);
    expect(ledger.decryptFailed).toBe(0);
    // The window that is promised: the blocks in the hands of the engine that died.
    expect(ledger.duplicates).toBeLessThanOrEqual(4 * 1_024);

    const statistics = await openClickHouse({
      kind: 'http',
      url: clickhouse.url,
      username: 'default',
      password: '',
      database: 'broadside',
      requestTimeoutMs: 10_000,
      maxConnections: 2,
    });
    const analytics = createAnalytics(statistics);
    const recorded = async () => (await analytics.deliveryTotals(app.id, data.id)).acceptedSubscribers;
    // The engine that was killed holds its share of the outcomes until its Kafka session of 30 s is over.
    await until('ClickHouse to agree', async () => (await recorded()) === SUBSCRIBERS, 150_000);
    expect((await analytics.deliveryTotals(app.id, data.id)).attempts).toEqual({ accepted: SUBSCRIBERS });
    await statistics.close();
  }, 480_000);
});
