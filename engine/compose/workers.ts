import { readFile } from 'node:fs/promises';
import type { Logger } from '../adapters/telemetry/logger.ts';
import type { EncryptionBackend } from '../adapters/telemetry/metric-register.ts';
import type { Metrics } from '../adapters/telemetry/metrics.ts';
import type { EngineConfig } from '../config.ts';
import { createWorkerPool, type WorkerPool } from '../dispatch/worker-pool.ts';
import { adviceOn, findFastLibrary } from '../kit/fast-library/look.ts';
import { HEARTBEAT_MS } from '../worker/heartbeat.ts';
import { createEncryptionNote } from './encryption-note.ts';
import { createHostNote } from './host-note.ts';

/** Kept on every thread for a breaking block: it never queues behind bulk ones that a slow push service holds. */
export const BREAKING_TASKS_PER_THREAD = 1;
const WORKER_HEAP_MB = 512;

interface Parts {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface Workers extends WorkerPool {
  /** What the newest thread encrypts with; null until one runs. */
  encryption(): EncryptionBackend | null;
}

/** The engine's threads, and the reaction when one of them dies. */
export async function createWorkers(config: EngineConfig, { logger, metrics }: Parts): Promise<Workers> {
  const extraCa = config.pushServiceCaFile === null ? null : await readFile(config.pushServiceCaFile, 'utf8');
  if (config.pushTransport !== 'own') {
    logger.info(
      { pushTransport: config.pushTransport },
      'messages leave over this HTTP/2 instead of our own',
    );
  }
  const found = await findFastLibrary(config.dataFolder);
  const note = createEncryptionNote(logger, (used) => adviceOn(found, config, used));
  let encryption: EncryptionBackend | null = null;
  const pool = await createWorkerPool({
    threads: config.workerThreads,
    tasksPerThread: config.tasksPerThread + BREAKING_TASKS_PER_THREAD,
    maxQueued: config.blocksInFlight,
    maxHeapMb: WORKER_HEAP_MB,
    workerOptions: {
      connectionsPerOrigin: config.connectionsPerOrigin,
      streamsPerConnection: config.streamsPerConnection,
      maxInFlight: config.maxInFlight,
      connectTimeoutMs: config.connectTimeoutMs,
      answerTimeoutMs: config.answerTimeoutMs,
      deadSessionAfterTimeouts: config.deadSessionAfterTimeouts,
      maxOrigins: config.maxOrigins,
      extraCa,
      endpointHosts: config.pushServiceHosts,
      allowAnyEndpointHost: config.allowAnyPushHost,
      pushTransport: config.pushTransport,
      encryptionBackend: config.encryptionBackend,
      cryptoMbLibrary: config.cryptoMbLibrary ?? found.path,
      allowProbes: false,
    },
    onThreadStarted: (started) => {
      encryption = started.encryption;
      note(started);
    },
    onHostLeft: createHostNote(logger, metrics),
    heartbeatMs: HEARTBEAT_MS,
    onStuckForGood: (threadId) => {
      logger.error({ threadId }, 'a worker thread hangs and cannot be terminated: this process exits');
      // Nothing gentler ends a process that waits for its threads.
      process.kill(process.pid, 'SIGKILL');
    },
    onThreadLost: (reason) => {
      metrics.workerThreadLost();
      logger.error({ reason }, 'a worker thread died; it is replaced and its blocks are sent again');
    },
  });
  return { ...pool, encryption: () => encryption };
}
