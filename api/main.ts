import { createAnalytics } from '../engine/adapters/clickhouse/analytics.ts';
import { createEarnings } from '../engine/adapters/clickhouse/earnings.ts';
import { createRelayStep } from '../engine/adapters/postgres/relay.ts';
import { createLogger } from '../engine/adapters/telemetry/logger.ts';
import { openTracing } from '../engine/adapters/telemetry/open-tracing.ts';
import { createReadiness } from '../engine/adapters/telemetry/readiness.ts';
import { startLoop } from '../engine/loop.ts';
import { openDatabase, openLog, openStatistics } from '../engine/open-parts.ts';
import { runUntilStopped } from '../engine/run-until-stopped.ts';
import { createAnalyticsPort } from './analytics-port.ts';
import { readApiConfig } from './config.ts';
import { startApi } from './server.ts';

const CLOSE_DEADLINE_MS = 15_000;
const CLOSE_TRACING_MS = 2_000;
const RELAY_IDLE_MS = 500;
const RELAY_MAX_BACKOFF_MS = 5_000;

/** The API role alone: it serves HTTP, and moves accepted deliveries from the outbox to the log. */
export async function runApi(): Promise<void> {
  const config = readApiConfig();
  const logger = createLogger({ level: config.logLevel, role: 'api' });
  const tracing = await openTracing(config, 'api', logger);
  const database = await openDatabase(config.databaseUrl, 'broadside-api', config.apiDatabaseConnections);
  const log = await openLog(config, config.databaseUrl, logger);
  const clickhouse = await openStatistics(config, null);
  const relay = startLoop({
    step: createRelayStep(database, log, {
      topics: ['deliveries.breaking', 'deliveries'],
      outcomesPerBatch: 0,
      outcomesDelayMs: 0,
    }),
    idleMs: RELAY_IDLE_MS,
    maxBackoffMs: RELAY_MAX_BACKOFF_MS,
    onError: (error) =>
      logger.warn({ err: error }, 'accepted deliveries wait in the outbox: the log or Postgres is away'),
  });
  // Not the log: deliveries are accepted without it and wait in the outbox.
  const readiness = createReadiness({ postgres: () => database.ping() });
  let draining = false;
  const api = await startApi(config, {
    database,
    analytics: createAnalyticsPort(createAnalytics(clickhouse), createEarnings(clickhouse)),
    log,
    readiness: async () => ({ accepting: !draining, ...(await readiness()) }),
    wakeRelay: () => relay.wake(),
    logger,
    tracing,
  });
  logger.info({ url: api.url }, 'the API serves');

  await runUntilStopped({
    logger,
    deadlineMs: CLOSE_DEADLINE_MS,
    close: async () => {
      draining = true;
      await api.close();
      await relay.close();
      await log.close(0);
      await clickhouse.close();
      await database.close();
      await tracing.close(CLOSE_TRACING_MS);
    },
  });
}
