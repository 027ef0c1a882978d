import { createDatabase, type Database } from '../adapters/postgres/database.ts';
import {
  createReplicaReads,
  type ReplicaOptions,
  type ReplicaReads,
  type ReplicaState,
} from '../adapters/postgres/dispatch/read-replicas.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import type { Metrics } from '../adapters/telemetry/metrics.ts';
import type { EngineConfig } from '../config.ts';
import { parsePostgresUrl } from '../contract/settings/postgres-url.ts';
import { logFailure } from '../kit/roles/log-failure.ts';

const CONNECT_TIMEOUT_MS = 2_000;
/** A block waits no longer for a replica that hangs: then the primary is read. */
const READ_TIMEOUT_MS = 5_000;
const SAID_EVERY_MS = 60_000;

const words: Readonly<Record<ReplicaState['kind'], string>> = {
  reads: 'targets are read from a replica',
  behind:
    'a replica is behind the primary, follows none, or is of another cluster or database: targets are read elsewhere',
  failed: 'a replica does not answer: targets are read elsewhere',
};

interface Parts {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** @returns null where `DATABASE_READ_URLS` names none. */
export function openReplicas(
  config: EngineConfig,
  { database, logger, metrics }: Parts,
): ReplicaReads | null {
  if (config.databaseReadUrls.length === 0) return null;
  const replicas = config.databaseReadUrls.map((url) => ({
    name: nameOf(url),
    database: createDatabase({
      url,
      applicationName: 'broadside-targets',
      maxConnections: config.workerThreads * config.tasksPerThread,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      statementTimeoutMs: READ_TIMEOUT_MS,
    }),
  }));
  return createReplicaReads({
    ...{ primary: database, replicas, nowMs: () => performance.now() },
    noteState: createNoteState(logger),
    count: (source) => metrics.targetsRead(source),
  });
}

/** One that is a moment behind now and then is as it should be: a line a minute at most, the rest at the level `debug`. */
function createNoteState(logger: Logger): ReplicaOptions['noteState'] {
  const saidAt = new Map<string, number>();
  return (replica, state) => {
    if (state.kind === 'failed') {
      logFailure(logger, state.error, words.failed, { fields: { replica } });
      return;
    }
    const now = performance.now();
    const isKnown = now - (saidAt.get(replica) ?? Number.NEGATIVE_INFINITY) < SAID_EVERY_MS;
    if (!isKnown) saidAt.set(replica, now);
    logger[isKnown ? 'debug' : 'info']({ replica }, words[state.kind]);
  };
}

function nameOf(url: string): string {
  const [host] = parsePostgresUrl(url).hosts;
  return `${host?.host}:${host?.port}`;
}
