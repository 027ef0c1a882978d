import { createAnalytics } from '../engine/adapters/clickhouse/analytics.ts';
import { createEarnings } from '../engine/adapters/clickhouse/earnings.ts';
import type { Database } from '../engine/adapters/postgres/database.ts';
import { renewOwnAddresses } from '../engine/adapters/postgres/own-addresses.ts';
import { createRelayStep } from '../engine/adapters/postgres/relay.ts';
import { createLogger, type Logger } from '../engine/adapters/telemetry/logger.ts';
import { createMetrics } from '../engine/adapters/telemetry/metrics.ts';
import { openTracing } from '../engine/adapters/telemetry/open-tracing.ts';
import { systemClock } from '../engine/contract/concurrency/clock.ts';
import { within } from '../engine/contract/concurrency/time-limit.ts';
import type { Log } from '../engine/contract/log.ts';
import { startInternalServer } from '../engine/kit/roles/internal-server.ts';
import { type Loop, startLoop } from '../engine/kit/roles/loop.ts';
import {
  createPool,
  openLog,
  openStatistics,
  prepareDatabase,
  prepareStatistics,
} from '../engine/kit/roles/open-parts.ts';
import { createReadiness } from '../engine/kit/roles/readiness.ts';
import { runUntilStopped } from '../engine/kit/roles/run-until-stopped.ts';
import { sampleService } from '../engine/kit/roles/service-samples.ts';
import { createAnalyticsPort } from './serve/analytics-port.ts';
import { holdDatabase } from './serve/held-database.ts';
import { createLateLog } from './serve/late-log.ts';
import { apiConnections, openApiPools, warnOfTooManyConnections } from './serve/pools.ts';
import { startApi } from './serve/server.ts';
import { readApiConfig } from './settings/config.ts';

const CLOSE_DEADLINE_MS = 15_000;
const CLOSE_PART_MS = 2_000;
const CLOSE_RELAY_MS = 3_000;
const RELAY_IDLE_MS = 500;
const RELAY_MAX_BACKOFF_MS = 5_000;

/**
 * The API role alone: it serves HTTP, and moves accepted deliveries from the outbox to the log. It serves from
 * the start: while Postgres is unavailable it answers 503 with Retry-After, and without the log it accepts deliveries.
 */
export async function runApi(): Promise<void> {
  const config = readApiConfig();
  const logger = createLogger({ level: config.logLevel, format: config.logFormat, role: 'api' });
  await runUntilStopped({
    logger,
    deadlineMs: CLOSE_DEADLINE_MS,
    start: async ({ opened, signal }) => {
      const tracing = await openTracing(config, 'api', logger);
      opened.defer(() => tracing.close(CLOSE_PART_MS));
      const patience = { logger, signal };
      const open = (name: string, most: number) => createPool(config.databaseUrl, name, most);
      const pools = openApiPools(open, config, opened);
      const pool = open('broadside-api', config.apiDatabaseConnections);
      const { held: database, release } = holdDatabase(pool);
      opened.defer(() => database.close());
      const held = { public: holdDatabase(pools.publicDatabase), read: holdDatabase(pools.readDatabase) };
      const clickhouse = await openStatistics(config, null);
      opened.defer(() => clickhouse.close());
      const log = createLateLog();
      opened.defer(() => log.close(0));
      const metrics = createMetrics();
      const internal = await startInternalServer({
        host: config.apiInternalHost,
        port: config.apiInternalPort,
        hostNames: config.internalHostNames,
        readiness: createReadiness({ postgres: () => database.ping() }),
        metrics: () => metrics.exposition(),
      });
      opened.defer(() => internal.close(CLOSE_PART_MS));
      sampleService(metrics.service, {
        ...{ database: pool, clickhouse, pingLog: () => log.ping() },
        ...{ otherPools: Object.values(pools), publicBaseUrl: config.publicBaseUrl },
        config,
      });
      const relay = startRelay(database, log, logger);
      // A running publish may hang on a log that is unavailable: its rows stay in the outbox.
      opened.defer(() => within(systemClock, CLOSE_RELAY_MS, relay.close()).then(() => {}));
      // Not the log: deliveries are accepted without it and wait in the outbox.
      const readiness = createReadiness({ postgres: () => database.ping() });
      let draining = false;
      const api = await startApi(config, {
        database,
        publicDatabase: held.public.held,
        readDatabase: held.read.held,
        analytics: createAnalyticsPort(createAnalytics(clickhouse), createEarnings(clickhouse)),
        log,
        readiness: async () => ({ accepting: !draining, ...(await readiness()) }),
        wakeRelay: () => relay.wake(),
        metrics: metrics.service,
        logger,
        tracing,
      });
      opened.defer(() => api.close());
      opened.defer(() => {
        draining = true;
        internal.drain();
      });
      await prepareDatabase(config.databaseUrl, pool, patience);
      for (const each of [release, held.public.release, held.read.release]) each();
      if (config.publicBaseUrl !== null) await renewOwnAddresses(pool, config.publicBaseUrl);
      await warnOfTooManyConnections(pool, apiConnections(config), logger);
      await prepareStatistics(clickhouse, config, patience);
      log.arrive(await openLog(config, config.databaseUrl, patience));
      logger.info({ url: api.url }, 'the API serves');
    },
  });
}

const startRelay = (database: Database, log: Pick<Log, 'publish'>, logger: Logger): Loop =>
  startLoop({
    step: createRelayStep(database, log, {
      topics: ['deliveries.breaking', 'deliveries'],
      outcomesPerBatch: 0,
      outcomesDelayMs: 0,
    }),
    idleMs: RELAY_IDLE_MS,
    maxBackoffMs: RELAY_MAX_BACKOFF_MS,
    onError: (error) =>
      logger.warn(
        { err: error },
        'accepted deliveries wait in the outbox: the log or Postgres is unavailable',
      ),
  });
