import { createAnalytics } from '../adapters/clickhouse/analytics.ts';
import { createStatisticsChanges } from '../adapters/clickhouse/anonymize.ts';
import { createEventStore } from '../adapters/clickhouse/event-store.ts';
import { createOutcomeStore } from '../adapters/clickhouse/outcome-store.ts';
import { createReachedReads } from '../adapters/clickhouse/reached.ts';
import { createSealer, readMasterKeys } from '../adapters/postgres/sealed-secret.ts';
import { createLogger } from '../adapters/telemetry/logger.ts';
import { createMetrics } from '../adapters/telemetry/metrics.ts';
import { openTracing } from '../adapters/telemetry/open-tracing.ts';
import { readEngineConfig } from '../config.ts';
import type { Log } from '../contract/log.ts';
import { createInternalLookup, createInternalStreams } from '../control/live-answers.ts';
import { startInternalServer } from '../kit/roles/internal-server.ts';
import {
  createPool,
  openLog,
  openStatistics,
  prepareDatabase,
  prepareStatistics,
} from '../kit/roles/open-parts.ts';
import { createReadiness } from '../kit/roles/readiness.ts';
import { runUntilStopped } from '../kit/roles/run-until-stopped.ts';
import { sampleService } from '../kit/roles/service-samples.ts';
import { createDeliveryProofs } from '../notification/delivery-proof.ts';
import { type Engine, startEngine } from './engine.ts';

const CLOSE_MARGIN_MS = 10_000;
const CLOSE_PART_MS = 2_000;

/**
 * The engine role alone, over Postgres, Kafka and ClickHouse servers. The internal listener comes first: it
 * shows that the start waits, and for which dependency.
 */
export async function runEngine(): Promise<void> {
  const config = readEngineConfig();
  const masterKeys = readMasterKeys(config);
  const logger = createLogger({ level: config.logLevel, format: config.logFormat, role: 'engine' });
  await runUntilStopped({
    logger,
    deadlineMs: config.drainDeadlineMs + CLOSE_MARGIN_MS,
    start: async ({ opened, signal }) => {
      const patience = { logger, signal };
      const metrics = createMetrics();
      const tracing = await openTracing(config, 'engine', logger);
      opened.defer(() => tracing.close(CLOSE_PART_MS));
      const database = createPool(config.databaseUrl, 'broadside-engine', config.databaseConnections);
      opened.defer(() => database.close());
      const clickhouse = await openStatistics(config, null);
      opened.defer(() => clickhouse.close());
      let log: Log | null = null;
      let engine: Engine | null = null;
      const internal = await startInternalServer({
        host: config.internalHost,
        port: config.internalPort,
        hostNames: config.internalHostNames,
        secret: config.internalSecret === null ? 'missing' : { text: config.internalSecret },
        // Not ClickHouse: sending goes on without it, results catch up.
        readiness: createReadiness({
          postgres: () => database.ping(),
          log: async () => (await log?.ping()) ?? false,
          running: async () => engine !== null,
          sending: async () => engine?.isSending() ?? false,
        }),
        metrics: () => metrics.exposition(),
        lookUp: createInternalLookup(database, createAnalytics(clickhouse)),
        control: () => engine?.control ?? null,
        streams: createInternalStreams(database),
      });
      opened.defer(() => internal.close(CLOSE_PART_MS));
      sampleService(metrics.service, {
        ...{ database, clickhouse, pingLog: async () => (await log?.ping()) ?? false },
        config,
      });
      await prepareDatabase(config.databaseUrl, database, patience);
      const openedLog = await openLog(config, config.databaseUrl, patience);
      opened.defer(() => openedLog.close(CLOSE_PART_MS));
      log = openedLog;
      await prepareStatistics(clickhouse, config, patience, config.rawRowsDays);
      const started = await startEngine(config, {
        database,
        log,
        logger,
        metrics,
        tracing,
        outcomeStore: createOutcomeStore(clickhouse),
        eventStore: createEventStore(clickhouse),
        statisticsChanges: createStatisticsChanges(clickhouse),
        reached: createReachedReads(clickhouse),
        sealer: createSealer(masterKeys.current, masterKeys.old),
        proofs: createDeliveryProofs(masterKeys.current),
      });
      opened.defer(() => started.close(config.drainDeadlineMs));
      engine = started;
      opened.defer(() => internal.drain());
      logger.info({ internal: internal.url }, 'the engine runs');
    },
  });
}
