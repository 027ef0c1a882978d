import closeWithGrace from 'close-with-grace';
import type { FastifyBaseLogger } from 'fastify';
import { type ClickHouse, openClickHouse } from '../engine/adapters/clickhouse/client.ts';
import { createLogger } from '../engine/adapters/telemetry/logger.ts';
import { createReadiness } from '../engine/adapters/telemetry/readiness.ts';
import { SettingsError } from '../engine/contract/settings.ts';
import { createReporting } from './app.ts';
import { type ReportingConfig, readReportingConfig } from './config.ts';

/** What the reporting API stands on; whoever starts it opens and closes these. */
export interface ReportingParts {
  readonly clickhouse: Pick<ClickHouse, 'ping'>;
  readonly logger: FastifyBaseLogger | false;
}

export interface RunningReporting {
  /** Where it listens: `http://127.0.0.1:8082`. */
  readonly url: string;
  /** Takes no more requests and answers those in hand. */
  close(): Promise<void>;
}

/** @throws Error where the address is taken. */
export async function startReporting(
  config: ReportingConfig,
  { clickhouse, logger }: ReportingParts,
): Promise<RunningReporting> {
  const readiness = createReadiness({ clickhouse: () => clickhouse.ping() });
  const app = createReporting({ readiness, logger });
  const url = await app.listen({ host: config.reportingHost, port: config.reportingPort });
  return { url, close: () => app.close() };
}

const REQUEST_TIMEOUT_MS = 30_000;
const MAX_CONNECTIONS = 10;
const CLOSE_DEADLINE_MS = 15_000;

/**
 * The role in a process of its own, until it is told to stop.
 * @throws SettingsError where settings are wrong, Error where the address is taken.
 */
export async function runReporting(config: ReportingConfig = readReportingConfig()): Promise<void> {
  const logger = createLogger({ level: config.logLevel, role: 'reporting' });
  const clickhouse = await openClickHouse(serverOf(config));
  const reporting = await startReporting(config, { clickhouse, logger });
  const { promise: stopped, resolve: onStopped } = Promise.withResolvers<void>();
  closeWithGrace({ delay: CLOSE_DEADLINE_MS, logger }, async ({ err }) => {
    if (err !== undefined) logger.fatal({ err }, 'the process ends on an error that nobody caught');
    await reporting.close();
    await clickhouse.close();
    onStopped();
  });
  await stopped;
}

function serverOf(config: ReportingConfig): Parameters<typeof openClickHouse>[0] {
  const { clickhouseUrl, clickhouseUser, clickhousePassword, clickhouseDatabase } = config;
  if (clickhouseUrl === null) {
    throw new SettingsError([
      'CLICKHOUSE_URL is missing: the embedded ClickHouse lives in "broadside up" alone',
    ]);
  }
  return {
    kind: 'http',
    url: clickhouseUrl,
    username: clickhouseUser,
    password: clickhousePassword ?? '',
    database: clickhouseDatabase,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    maxConnections: MAX_CONNECTIONS,
  };
}
