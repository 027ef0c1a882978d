import type { StatisticsChanges } from '../adapters/clickhouse/anonymize.ts';
import type { ReachedReads } from '../adapters/clickhouse/reached.ts';
import type { Database } from '../adapters/postgres/database.ts';
import { createPruneStore } from '../adapters/postgres/removal/prune-store.ts';
import { createRemovalStore } from '../adapters/postgres/removal/removal-store.ts';
import { createSweeps } from '../adapters/postgres/removal/sweeps.ts';
import { createVapidReaper } from '../adapters/postgres/vapid-store.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import { recentReach } from '../contract/audience.ts';
import { pause, systemClock } from '../contract/concurrency/clock.ts';
import { createPruneStep } from '../removal/prune.ts';
import { createRemovalSteps, gentlePace } from '../removal/stage.ts';
import { type BackgroundWork, startBackground } from './background.ts';

/** How soon a deletion begins to be carried out; forgetting and sweeping keep their own, longer pace. */
const IDLE_MS = 15_000;
const MAX_BACKOFF_MS = 120_000;
/** One step of all engines. Each app is looked at once a day, in as many steps as it needs. */
const PRUNE_EVERY_MS = 60_000;

/** Removes deleted and expired rows in the background; `close` waits for the running step. */
export function startRemoval(parts: {
  readonly database: Database;
  readonly statisticsChanges: StatisticsChanges;
  readonly reached: ReachedReads;
  readonly logger: Logger;
}): { close(): Promise<void> } {
  const stop = new AbortController();
  const store = createRemovalStore(parts.database);
  const steps = createRemovalSteps({
    store,
    statistics: parts.statisticsChanges,
    sweeps: createSweeps(parts.database),
    clock: systemClock,
    pace: gentlePace,
    signal: stop.signal,
  });
  const prune = createPruneStep({
    store: createPruneStore(parts.database),
    turns: store,
    seenWithin: (appId, days) => parts.reached.reacted(appId, recentReach, days),
    clock: systemClock,
    everyMs: PRUNE_EVERY_MS,
    ...gentlePace,
    signal: stop.signal,
  });
  const reapEndedKeys = createVapidReaper(parts.database);
  const reap = async (): Promise<number> => {
    const reaped = await reapEndedKeys();
    if (reaped > 0) await pause(systemClock, gentlePace.restMs, stop.signal);
    return reaped;
  };
  const waits = (step: () => Promise<number>, what: string): BackgroundWork => ({
    step,
    idleMs: IDLE_MS,
    maxBackoffMs: MAX_BACKOFF_MS,
    failure: `${what} waits: a database does not answer`,
  });
  const background = startBackground(parts.logger, [
    waits(steps.remove, 'the removal of deleted rows'),
    waits(steps.forget, 'the deletion in ClickHouse'),
    waits(steps.sweep, 'the removal of expired rows'),
    waits(prune, 'unsubscribing readers who were never reachable'),
    waits(reap, 'unsubscribing the rest of an ended VAPID key'),
  ]);
  return {
    close: () => {
      stop.abort();
      return background.close();
    },
  };
}
