import { randomBytes } from 'node:crypto';
import { type Analytics, createAnalytics } from '../../../engine/adapters/clickhouse/analytics.ts';
import { openClickHouse } from '../../../engine/adapters/clickhouse/client.ts';
import { createDatabase, type Database } from '../../../engine/adapters/postgres/database.ts';
import { freePort } from '../../../engine/adapters/postgres/free-port.ts';
import { migrateDatabase } from '../../../engine/adapters/postgres/migrate.ts';
import { type ClickHouseBridge, startClickHouseBridge } from '../../support/clickhouse-bridge/bridge.ts';
import { type KafkaBroker, startKafkaBroker } from '../../support/kafka-broker.ts';
import { type PushServiceDouble, startPushService } from '../../support/push-service/start.ts';
import { proxyTo, startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { type Crew, createCrew } from './crew.ts';
import type { LogName } from './log-name.ts';
import { poisoned, pushOrigins } from './push-hosts.ts';
import { type RestartablePostgres, startRestartablePostgres } from './restartable-postgres.ts';

/** Everything real that a run depends on; each part can be taken away. */
export interface World {
  readonly log: LogName;
  readonly postgres: RestartablePostgres;
  /** Null on pg-boss. */
  readonly kafka: KafkaBroker | null;
  readonly clickhouse: ClickHouseBridge;
  readonly pushService: PushServiceDouble;
  /** The ways of Broadside's processes to their servers; the runner itself goes straight. */
  readonly ways: {
    readonly postgres: TcpProxy;
    readonly kafka: TcpProxy | null;
    readonly clickhouse: TcpProxy;
  };
  readonly crew: Crew;
  readonly database: Database;
  readonly analytics: Analytics;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly log: LogName;
  /** A module that each of Broadside's processes loads first: the builds that are broken on purpose. */
  readonly preload: string | null;
}

export async function openWorld({ log, preload }: WorldOptions): Promise<World> {
  await using opened = new AsyncDisposableStack();
  const postgres = await startRestartablePostgres();
  opened.defer(() => postgres.stop());
  const [clickhouse, pushService] = await Promise.all([
    startClickHouseBridge(),
    startPushService({ verify: 'all', durable: true, origins: [...pushOrigins], poisoned: [...poisoned] }),
  ]);
  opened.defer(() => clickhouse.stop());
  opened.defer(() => pushService.stop());
  const { kafka, way: toKafka } = log === 'kafka' ? await openKafka(opened) : { kafka: null, way: null };
  const toPostgres = await proxyTo(postgres.url);
  opened.defer(() => toPostgres.way.close());
  const toClickHouse = await proxyTo(clickhouse.url);
  opened.defer(() => toClickHouse.way.close());
  const ways = { postgres: toPostgres.way, kafka: toKafka, clickhouse: toClickHouse.way };

  const database = createDatabase({
    url: postgres.url,
    applicationName: 'broadside-chaos',
    maxConnections: 3,
    connectTimeoutMs: 5_000,
    statementTimeoutMs: 30_000,
  });
  opened.defer(() => database.close());
  await migrateDatabase(postgres.url, database);
  const statistics = await openClickHouse({
    kind: 'http',
    url: clickhouse.url,
    username: 'default',
    password: '',
    database: 'broadside',
    requestTimeoutMs: 10_000,
    maxConnections: 2,
  });
  opened.defer(() => statistics.close());
  const crew = await createCrew({
    log,
    preload,
    databaseUrl: toPostgres.url,
    clickhouseUrl: toClickHouse.url,
    kafkaBrokers: toKafka === null ? null : `127.0.0.1:${toKafka.port}`,
    kafkaPrefix: `chaos-${randomBytes(4).toString('hex')}.`,
    pushServiceCaFile: pushService.caFile,
  });
  opened.defer(() => crew.kill());
  const analytics = createAnalytics(statistics);
  const parts = opened.move();
  return {
    ...{ log, postgres, kafka, clickhouse, pushService, ways, crew, database, analytics },
    close: () => parts.disposeAsync(),
  };
}

/** Clients connect to the address that the broker advertises: the proxy. */
async function openKafka(
  opened: AsyncDisposableStack,
): Promise<{ readonly kafka: KafkaBroker; readonly way: TcpProxy }> {
  const port = await freePort();
  const way = await startTcpProxy('127.0.0.1', port);
  opened.defer(() => way.close());
  const kafka = await startKafkaBroker({ port, advertisedPort: way.port });
  opened.defer(() => kafka.stop());
  return { kafka, way };
}
