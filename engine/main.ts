import { createAnalytics } from './adapters/clickhouse/analytics.ts';
import { createStatisticsChanges } from './adapters/clickhouse/anonymize.ts';
import { createEventStore } from './adapters/clickhouse/event-store.ts';
import { createOutcomeStore } from './adapters/clickhouse/outcome-store.ts';
import { keepRawRows } from './adapters/clickhouse/retention.ts';
import { createSealer, readMasterKeys } from './adapters/postgres/sealed-secret.ts';
import { startInternalServer } from './adapters/telemetry/internal-server.ts';
import { createLogger } from './adapters/telemetry/logger.ts';
import { createMetrics } from './adapters/telemetry/metrics.ts';
import { openTracing } from './adapters/telemetry/open-tracing.ts';
import { createReadiness } from './adapters/telemetry/readiness.ts';
import { readEngineConfig } from './config.ts';
import { startEngine } from './engine.ts';
import type { EngineControl } from './internal-control.ts';
import { createInternalLookUp, createInternalStreams } from './internal-lookups.ts';
import { openDatabase, openLog, openStatistics } from './open-parts.ts';
import { runUntilStopped } from './run-until-stopped.ts';

const CLOSE_MARGIN_MS = 10_000;
const CLOSE_PART_MS = 2_000;

/** The engine role alone, over Postgres, Kafka and ClickHouse servers. */
export async function runEngine(): Promise<void> {
  const config = readEngineConfig();
  const masterKeys = readMasterKeys(config);
  const logger = createLogger({ level: config.logLevel, role: 'engine' });
  const metrics = createMetrics();
  const tracing = await openTracing(config, 'engine', logger);
  const database = await openDatabase(config.databaseUrl, 'broadside-engine', config.databaseConnections);
  const log = await openLog(config, config.databaseUrl, logger);
  const clickhouse = await openStatistics(config, null);
  await keepRawRows(clickhouse, config.rawRowsDays);
  let control: EngineControl | null = null;
  const internal = await startInternalServer({
    host: config.internalHost,
    port: config.internalPort,
    // Not ClickHouse: sending goes on without it, results catch up.
    readiness: createReadiness({ postgres: () => database.ping(), log: () => log.ping() }),
    metrics: () => metrics.exposition(),
    lookUp: createInternalLookUp(database, createAnalytics(clickhouse)),
    control: () => control,
    streams: createInternalStreams(database),
  });
  const outcomeStore = createOutcomeStore(clickhouse);
  const eventStore = createEventStore(clickhouse);
  const statisticsChanges = createStatisticsChanges(clickhouse);
  const sealer = createSealer(masterKeys.current, masterKeys.old);
  const engine = await startEngine(config, {
    database,
    log,
    outcomeStore,
    eventStore,
    statisticsChanges,
    sealer,
    logger,
    metrics,
    tracing,
  });
  control = engine.control;
  logger.info({ internal: internal.url }, 'the engine runs');

  await runUntilStopped({
    logger,
    deadlineMs: config.drainDeadlineMs + CLOSE_MARGIN_MS,
    close: async () => {
      internal.drain();
      await engine.close(config.drainDeadlineMs);
      await log.close(CLOSE_PART_MS);
      await clickhouse.close();
      await database.close();
      await internal.close(CLOSE_PART_MS);
      await tracing.close(CLOSE_PART_MS);
    },
  });
}
