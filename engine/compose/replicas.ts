import { createDatabase, type Database } from '../adapters/postgres/database.ts';
import {
  createReplicaReads,
  type ReplicaReads,
  type ReplicaState,
} from '../adapters/postgres/dispatch/read-replicas.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import type { Metrics } from '../adapters/telemetry/metrics.ts';
import type { EngineConfig } from '../config.ts';
import { parsePostgresUrl } from '../contract/settings/postgres-url.ts';

const CONNECT_TIMEOUT_MS = 2_000;
/** A block waits no longer for a replica that hangs: then the primary is read. */
const READ_TIMEOUT_MS = 5_000;

const words: Readonly<Record<ReplicaState['kind'], string>> = {
  reads: 'targets are read from a replica',
  behind: 'a replica is behind the primary, or follows none: targets are read elsewhere',
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
    noteState: (replica, state) => {
      if (state.kind === 'failed') logger.warn({ replica, err: state.error }, words.failed);
      else logger.info({ replica }, words[state.kind]);
    },
    count: (source) => metrics.targetsRead(source),
  });
}

function nameOf(url: string): string {
  const [host] = parsePostgresUrl(url).hosts;
  return `${host?.host}:${host?.port}`;
}
