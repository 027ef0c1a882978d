import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import type { Logger } from '../../engine/adapters/telemetry/logger.ts';
import type { Metrics } from '../../engine/adapters/telemetry/metrics.ts';
import type { IngestTopic } from '../../engine/adapters/telemetry/reporting-entries.ts';
import type { Log } from '../../engine/contract/log.ts';
import { logFailure } from '../../engine/kit/roles/log-failure.ts';
import { startLoop } from '../../engine/kit/roles/loop.ts';
import { abandonLoad, activateLoad, registerLoad } from './ad-loads.ts';
import { createAdStatsRemoval } from './ad-stats-removal.ts';
import { createAdStatsStage } from './ad-stats-stage.ts';
import { createAdStatsStore } from './ad-stats-store.ts';
import { createKeepDays } from './days/keep-days.ts';
import { createFxStage } from './fx-stage.ts';
import { createFxStore } from './fx-store.ts';
import { createSweep } from './sweep.ts';

/** The topics that come over the log, and their sweep. Any number of processes may run it side by side. */
export interface Ingest {
  /** Starts no further insert, and waits for the running one up to the deadline. */
  close(deadlineMs: number): Promise<void>;
}

export interface IngestParts {
  readonly database: Database;
  readonly log: Log;
  readonly clickhouse: ClickHouse;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'ingest' | 'backPressurePause'>;
  /** New rates can be read. */
  readonly onRates: () => void;
}

/** How long the callers let a running insert finish. */
export const CLOSE_INGEST_MS = 10_000;
const SWEEP_IDLE_MS = 30_000;
/** Restatements are in the feed, and webhooks sent, about this long after an import. */
const KEEP_DAYS_IDLE_MS = 5_000;
const SWEEP_MAX_BACKOFF_MS = 300_000;

/** @throws Error where the log is unavailable. */
export async function startIngest(parts: IngestParts): Promise<Ingest> {
  const { database, log, clickhouse, logger, metrics, onRates } = parts;
  const metricsOf = (topic: IngestTopic) => ({
    recordBatch: (rows: number, durationMs: number) => metrics.ingest.taken(topic, rows, durationMs),
    backPressurePause: () => metrics.backPressurePause('ingest'),
  });
  const adStats = createAdStatsStage({
    log,
    logger,
    metrics: metricsOf('ad-stats'),
    store: createAdStatsStore(clickhouse),
    onSetAside: metrics.ingest.setAside,
    nowMs: Date.now,
    loads: {
      register: (load) => registerLoad(database, load),
      activate: (activation) => activateLoad(database, activation),
      abandon: (load) => abandonLoad(database, load),
      answers: () => database.ping(),
    },
  });
  const rates = createFxStage({
    log,
    logger,
    metrics: metricsOf('fx-rates'),
    store: createFxStore(clickhouse),
    onRates,
    nowMs: Date.now,
  });
  await Promise.all([adStats.start(), rates.start()]);
  metrics.ingest.sampleLag(async () => {
    const [adStatsLag, ratesLag] = await Promise.all([log.lag('ad-stats'), log.lag('fx-rates')]);
    return { 'ad-stats': adStatsLag, 'fx-rates': ratesLag };
  });
  const sweep = startLoop({
    step: createSweep({ sql: database, removal: createAdStatsRemoval(clickhouse) }),
    idleMs: SWEEP_IDLE_MS,
    maxBackoffMs: SWEEP_MAX_BACKOFF_MS,
    onError: (error) => logFailure(logger, error, 'dead ad statistics wait: a store does not answer'),
  });
  const keepDays = startLoop({
    step: createKeepDays({
      ...{ database, clickhouse },
      onFault: (error) => logFailure(logger, error, 'a restatement or final days cannot be read'),
    }),
    idleMs: KEEP_DAYS_IDLE_MS,
    maxBackoffMs: SWEEP_MAX_BACKOFF_MS,
    onError: (error) =>
      logFailure(logger, error, 'final days and restatements wait: a store does not answer'),
  });
  return {
    close: async (deadlineMs) => {
      await Promise.all([sweep.close(), keepDays.close()]);
      await Promise.all([adStats.close(deadlineMs), rates.close(deadlineMs)]);
    },
  };
}
