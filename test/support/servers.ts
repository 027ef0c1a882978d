import { createAnalytics } from '../../engine/adapters/clickhouse/analytics.ts';
import { openClickHouse } from '../../engine/adapters/clickhouse/client.ts';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { freePort } from '../../engine/adapters/postgres/free-port.ts';
import type { DeliveryId } from '../../engine/contract/ids.ts';
import { type BroadsideProcess, startBroadside } from './broadside-process.ts';
import {
  type BuiltApp,
  buildApp,
  buildDelivery,
  type DeliveryRow,
  readDelivery,
  testMasterKey,
} from './builders.ts';
import { type ClickHouseBridge, startClickHouseBridge } from './clickhouse-bridge/bridge.ts';
import { composeEnvironment } from './compose-environment.ts';
import { until } from './engine-harness.ts';
import { type KafkaBroker, startKafkaBroker } from './kafka-broker.ts';
import { type PushServiceDouble, startPushService } from './push-service/start.ts';
import { insertBrowsers } from './real-sender.ts';

/** Engines as processes over servers: Kafka, ClickHouse over HTTP, and a Postgres that the test has. */
export interface Servers extends AsyncDisposable {
  readonly pushService: PushServiceDouble;
  readonly app: BuiltApp;
  /** Of an engine, as docker-compose.yml has it, at these servers. */
  readonly environment: Readonly<Record<string, string>>;
  /** @param root of the checkout to run; by default this one. */
  startEngine(env?: Readonly<Record<string, string>>, root?: string): Promise<BroadsideProcess>;
  /** A delivery to all subscribers that is due now. */
  send(database?: Database): Promise<DeliveryId>;
  /** Its ending by every book, once all of them have it. */
  readBooks(id: DeliveryId, given?: { database?: Database; statistics?: string }): Promise<ServerBooks>;
}

export interface ServerBooks {
  readonly delivery: DeliveryRow;
  readonly recorded: { readonly acceptedSubscribers: number | null; readonly attempts: object };
  readonly ledger: { readonly distinct: number; readonly duplicates: number };
}

export const SERVER_SUBSCRIBERS = 5_000;
export const BLOCKS_IN_FLIGHT = 2;
const PATIENCE_MS = 150_000;
const over = ['success', 'partial', 'failed'];

/** @param url by which the engines reach the database. */
export async function startServers(database: Database, url: string): Promise<Servers> {
  await using opening = new AsyncDisposableStack();
  const open = async <Part extends { stop(): Promise<unknown> }>(starting: Promise<Part>): Promise<Part> => {
    const part = await starting;
    opening.defer(async () => {
      await part.stop();
    });
    return part;
  };
  const [kafka, clickhouse, pushService]: [KafkaBroker, ClickHouseBridge, PushServiceDouble] =
    await Promise.all([
      open(startKafkaBroker()),
      open(startClickHouseBridge()),
      open(startPushService({ verify: 'none' })),
    ]);
  const app = await buildApp(database);
  const indexes = Array.from({ length: SERVER_SUBSCRIBERS }, (_, index) => index);
  const browsers = indexes.map((index) => pushService.subscriber(index, app.vapidPublicKey));
  await insertBrowsers(database, app.id, 1, browsers);
  const environment = {
    ...composeEnvironment('engine'),
    DATABASE_URL: url,
    MASTER_KEY: testMasterKey.toString('base64'),
    KAFKA_BROKERS: kafka.address,
    CLICKHOUSE_URL: clickhouse.url,
    CLICKHOUSE_USER: 'default',
    CLICKHOUSE_PASSWORD: '',
    PUSH_SERVICE_CA_FILE: pushService.caFile,
    ALLOW_ANY_PUSH_HOST: 'true',
    LOG_LEVEL: 'warn',
    INTERNAL_HOST: '127.0.0.1',
    WORKER_THREADS: '1',
    // Small shards and a short lease, so that an engine is in the middle of some when it ends.
    SHARD_BLOCKS: '1',
    BLOCKS_IN_FLIGHT: String(BLOCKS_IN_FLIGHT),
    LEASE_MS: '11000',
  };
  const opened = opening.move();
  return {
    pushService,
    app,
    environment,
    startEngine: async (env = {}, root) => {
      const port = await freePort();
      const engine = await startBroadside({
        args: ['engine'],
        env: { ...environment, INTERNAL_PORT: String(port), ...env },
        readyUrl: `http://127.0.0.1:${port}/health/ready`,
        ...(root === undefined ? {} : { root }),
      });
      opened.defer(() => engine.kill());
      return engine;
    },
    send: (into = database) => buildDelivery(into, app.id, { status: 'scheduled', scheduledAt: new Date() }),
    readBooks: async (id, given = {}) => {
      const from = given.database ?? database;
      await until('its end', async () => over.includes((await readDelivery(from, id)).status), PATIENCE_MS);
      const delivery = await readDelivery(from, id);
      const recorded = await readRecorded(
        clickhouse.url,
        app.id,
        id,
        delivery.success_count,
        given.statistics,
      );
      const { distinct, duplicates } = await pushService.ledger();
      return { delivery, recorded, ledger: { distinct, duplicates } };
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function readRecorded(
  url: string,
  appId: BuiltApp['id'],
  id: DeliveryId,
  expected: number,
  database = 'broadside',
): Promise<ServerBooks['recorded']> {
  const statistics = await openClickHouse({
    ...{ kind: 'http', url, username: 'default', password: '', database },
    ...{ requestTimeoutMs: 10_000, maxConnections: 2 },
  });
  try {
    const analytics = createAnalytics(statistics);
    const read = () => analytics.deliveryTotals(appId, id);
    // What a dead engine held on the log is free when its Kafka session of 30 s is over.
    const isIn = async () => (await read()).acceptedSubscribers === expected;
    await until('ClickHouse to agree', isIn, PATIENCE_MS);
    const { acceptedSubscribers, attempts } = await read();
    return { acceptedSubscribers, attempts };
  } finally {
    await statistics.close();
  }
}
