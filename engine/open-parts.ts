import type { ClickHouse } from './adapters/clickhouse/clickhouse.ts';
import { openClickHouse } from './adapters/clickhouse/client.ts';
import { migrateClickHouse } from './adapters/clickhouse/migrate.ts';
import { createKafkaLog } from './adapters/kafka/log.ts';
import { createPgBossLog } from './adapters/pgboss/log.ts';
import { createDatabase, type Database } from './adapters/postgres/database.ts';
import { migrateDatabase } from './adapters/postgres/migrate.ts';
import type { Logger } from './adapters/telemetry/logger.ts';
import type { Log } from './contract/log.ts';
import type { Values } from './contract/settings.ts';
import type { clickhouseSettings, logSettings } from './contract/shared-settings.ts';

/** Opens what every role stands on, each ready to be used or refused in one clear line. */
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 60_000;
const CLICKHOUSE_TIMEOUT_MS = 30_000;
const CLICKHOUSE_CONNECTIONS = 8;

/** @throws Error where Postgres does not answer, or holds the schema of a newer version. */
export async function openDatabase(
  url: string,
  applicationName: string,
  maxConnections: number,
): Promise<Database> {
  const database = createDatabase({
    url,
    applicationName,
    maxConnections,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  try {
    await database.query('SELECT 1');
    await migrateDatabase(url, database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** @throws Error where the brokers, or the Postgres beneath the embedded log, do not answer. */
export function openLog(
  config: Values<typeof logSettings>,
  databaseUrl: string,
  logger: Logger,
): Promise<Log> {
  const write = (level: 'error' | 'warn' | 'info', message: string, fields: object): void =>
    logger[level](fields, message);
  if (config.logBackend === 'pgboss') return createPgBossLog({ url: databaseUrl, logger: write });
  return createKafkaLog({ brokers: config.kafkaBrokers, prefix: config.kafkaTopicPrefix, logger: write });
}

/**
 * The ClickHouse of `CLICKHOUSE_URL`, else the embedded one in the folder, with its tables.
 * @throws Error where it does not answer, or neither is given.
 */
export async function openStatistics(
  config: Values<typeof clickhouseSettings>,
  embeddedFolder: string | null,
): Promise<ClickHouse> {
  const clickhouse = await openClickHouse(homeOf(config, embeddedFolder));
  try {
    await clickhouse.createDatabase();
    await migrateClickHouse(clickhouse);
    return clickhouse;
  } catch (error) {
    await clickhouse.close();
    throw error;
  }
}

function homeOf(
  config: Values<typeof clickhouseSettings>,
  embeddedFolder: string | null,
): Parameters<typeof openClickHouse>[0] {
  const database = config.clickhouseDatabase;
  if (config.clickhouseUrl !== null) {
    return {
      kind: 'http',
      url: config.clickhouseUrl,
      username: config.clickhouseUser,
      password: config.clickhousePassword ?? '',
      database,
      requestTimeoutMs: CLICKHOUSE_TIMEOUT_MS,
      maxConnections: CLICKHOUSE_CONNECTIONS,
    };
  }
  if (embeddedFolder === null) {
    throw new Error(
      'CLICKHOUSE_URL is not set: a role that runs alone needs a ClickHouse server (the embedded one is for "broadside up")',
    );
  }
  return { kind: 'embedded', path: embeddedFolder, database };
}
