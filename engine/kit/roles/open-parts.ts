import type { ClickHouse } from '../../adapters/clickhouse/clickhouse.ts';
import { openClickHouse } from '../../adapters/clickhouse/client.ts';
import { migrateClickHouse } from '../../adapters/clickhouse/migrate.ts';
import { keepRawRows } from '../../adapters/clickhouse/retention.ts';
import { serverHome } from '../../adapters/clickhouse/server-home.ts';
import { kafkaOptions } from '../../adapters/kafka/from-settings.ts';
import { createKafkaLog } from '../../adapters/kafka/log.ts';
import { createPgBossLog } from '../../adapters/pgboss/log.ts';
import { connectionOf } from '../../adapters/postgres/connection.ts';
import { createDatabase, type Database, KEPT_IDLE_MS } from '../../adapters/postgres/database.ts';
import { migrateDatabase } from '../../adapters/postgres/migrate.ts';
import { listNamesakes } from '../../adapters/postgres/namesakes.ts';
import { refusePooler } from '../../adapters/postgres/refuse-pooler.ts';
import type { Logger } from '../../adapters/telemetry/logger.ts';
import { systemClock } from '../../contract/concurrency/clock.ts';
import { within } from '../../contract/concurrency/time-limit.ts';
import type { Log } from '../../contract/log.ts';
import type { Values } from '../../contract/settings/settings.ts';
import type { clickhouseSettings, logSettings } from '../../contract/settings/shared-settings.ts';
import { isAway, openPatiently, type Patience } from './patience.ts';

/** Opens the dependencies of every role: an outage is waited for, a wrong setting is refused in one clear line. */
const CONNECT_TIMEOUT_MS = 5_000;
const MIGRATION_WAITS =
  'the start waits: another process migrates Postgres, or a table that a migration changes is locked';
const NAMESAKES =
  'some names differ in case alone, and are one name now: "broadside doctor" lists them, with what to do';
const STATEMENT_TIMEOUT_MS = 60_000;
const CLICKHOUSE_TIMEOUT_MS = 30_000;
const CLICKHOUSE_CONNECTIONS = 8;
/** How long a start waits at most for ClickHouse to answer. */
const CLICKHOUSE_FIRST_TRY_MS = 5_000;

/** A pool, not spoken to yet: `prepareDatabase` does. */
export const createPool = (url: string, applicationName: string, maxConnections: number): Database =>
  createDatabase({
    url,
    applicationName,
    maxConnections,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });

/**
 * Brings Postgres to this version's schema, however long it is unavailable.
 * @throws Error where it refuses us, or holds the schema of a newer version.
 */
export async function prepareDatabase(url: string, database: Database, patience: Patience): Promise<void> {
  const prepare = async (): Promise<void> => {
    await refusePooler(url);
    await database.query('SELECT 1');
    await migrateDatabase(url, database, () => patience.logger.warn({}, MIGRATION_WAITS));
    const namesakes = await listNamesakes(database, 1);
    if (namesakes.length > 0) patience.logger.warn({}, NAMESAKES);
  };
  await openPatiently('Postgres', prepare, patience);
}

/**
 * However long the brokers, or the Postgres beneath the embedded log, are unavailable. Its consumers wait as well: joining a
 * group may take longer than one attempt, since other members finish their work first.
 * @param pollMs how often the embedded log is asked for records of other processes; left out: five times a second.
 * @throws Error where they refuse us.
 */
export async function openLog(
  config: Values<typeof logSettings>,
  databaseUrl: string,
  patience: Patience & { readonly logger: Logger },
  pollMs?: number,
): Promise<Log> {
  const what = config.logBackend === 'kafka' ? 'Kafka' : 'the log on Postgres';
  const log = await openPatiently(
    what,
    () => openLogNow(config, databaseUrl, patience.logger, pollMs),
    patience,
  );
  return {
    ...log,
    consume: (topic, options, handle) =>
      openPatiently(what, () => log.consume(topic, options, handle), patience),
  };
}

function openLogNow(
  config: Values<typeof logSettings>,
  databaseUrl: string,
  logger: Logger,
  pollMs?: number,
): Promise<Log> {
  const write = (level: 'error' | 'warn' | 'info', message: string, fields: object): void =>
    logger[level](fields, message);
  if (config.logBackend === 'pgboss')
    return createPgBossLog({
      url: databaseUrl,
      pool: { ...connectionOf(databaseUrl), idleTimeoutMillis: KEPT_IDLE_MS },
      logger: write,
      ...(pollMs && { pollMs }),
    });
  return createKafkaLog(kafkaOptions(config, write));
}

/**
 * The ClickHouse of `CLICKHOUSE_URL`, not spoken to yet, otherwise the embedded one in the folder.
 * @param timeoutMs of a request to a server.
 * @throws Error where neither is given, or another process holds the folder.
 */
export const openStatistics = (
  config: Values<typeof clickhouseSettings>,
  embeddedFolder: string | null,
  timeoutMs = CLICKHOUSE_TIMEOUT_MS,
): Promise<ClickHouse> => openClickHouse(homeOf(config, embeddedFolder, timeoutMs));

/**
 * Makes the tables. Nothing waits for a server that is unavailable: sending goes on without it, and the tables are
 * made when it is back. Until then every insert and question finds it away.
 * @param rawRowsDays how long single attempts and events are kept; null: as it is.
 * @throws Error where it refuses us, or holds the schema of a newer version.
 */
export async function prepareStatistics(
  clickhouse: ClickHouse,
  config: Values<typeof clickhouseSettings>,
  patience: Patience & { readonly logger: Logger },
  rawRowsDays: number | null = null,
): Promise<void> {
  const prepare = (): Promise<void> => makeTables(clickhouse, rawRowsDays);
  const first = prepare();
  // The embedded one is here or broken.
  if (config.clickhouseUrl === null) return first;
  try {
    if (await within(systemClock, CLICKHOUSE_FIRST_TRY_MS, first)) return;
  } catch (error) {
    if (!isAway(error)) throw error;
  }
  openPatiently('ClickHouse', prepare, patience).catch((error) => {
    if (!patience.signal.aborted) patience.logger.error({ err: error }, 'ClickHouse cannot be used');
  });
}

/** Makes the tables, and waits for a server as long as it is unavailable. @throws Error as `prepareStatistics` does. */
export const migrateStatistics = (clickhouse: ClickHouse, patience: Patience): Promise<void> =>
  openPatiently('ClickHouse', () => makeTables(clickhouse, null), patience);

async function makeTables(clickhouse: ClickHouse, rawRowsDays: number | null): Promise<void> {
  await clickhouse.createDatabase();
  await migrateClickHouse(clickhouse);
  if (rawRowsDays !== null) await keepRawRows(clickhouse, rawRowsDays);
}

function homeOf(
  config: Values<typeof clickhouseSettings>,
  embeddedFolder: string | null,
  requestTimeoutMs: number,
): Parameters<typeof openClickHouse>[0] {
  const database = config.clickhouseDatabase;
  if (config.clickhouseUrl !== null) {
    return serverHome(
      { ...config, clickhouseUrl: config.clickhouseUrl },
      {
        requestTimeoutMs,
        maxConnections: CLICKHOUSE_CONNECTIONS,
      },
    );
  }
  if (embeddedFolder === null) {
    throw new Error(
      'CLICKHOUSE_URL is not set: a role that runs alone needs a ClickHouse server (the embedded one is for "broadside up")',
    );
  }
  return { kind: 'embedded', path: embeddedFolder, database };
}
