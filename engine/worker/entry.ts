import { isMainThread, parentPort, threadId, workerData } from 'node:worker_threads';
import { isStopped } from '../contract/concurrency/stop-flag.ts';
import { describeError } from './describe-error.ts';
import { chooseEncryption } from './encryption/choose.ts';
import { createGovernor, governorOptions } from './governor.ts';
import { startHeartbeat } from './heartbeat.ts';
import { createOrigins } from './origin-health.ts';
import { createProbation } from './probation.ts';
import { createProbe } from './probe.ts';
import {
  type FromWorker,
  type HostLeft,
  heartbeatWord,
  type ThreadStarted,
  type ToWorker,
  type WorkerOptions,
} from './protocol.ts';
import { createRehearsalSink } from './rehearsal-sink.ts';
import { createSendBlock } from './send-block.ts';
import { createPushClient } from './transports.ts';
import { createAuthorize } from './vapid.ts';
import { createWindow } from './window.ts';

/** The thread's composition root: everything built here lives as long as the thread. */
if (isMainThread)
  throw new Error('engine/worker/entry.ts is for worker threads: start it through worker-pool.ts');

const options = workerData as WorkerOptions;
const encryption = chooseEncryption({
  setting: options.encryptionBackend,
  cryptoMbLibrary: options.cryptoMbLibrary,
});
process.once('exit', encryption.close);
const beats = startHeartbeat();
parentPort?.postMessage({
  kind: 'thread-started',
  threadId,
  beats,
  encryption: encryption.name,
  warning: encryption.warning,
} satisfies ThreadStarted);
const sendBlock = createSendBlock({
  options,
  encryptBatch: encryption.encryptBatch,
  authorize: createAuthorize(Date.now),
  client: createPushClient(options, undefined, {
    isOpen: () => options.secondClientShut === undefined || !isStopped(options.secondClientShut),
    onGivenUp: (host) => parentPort?.postMessage({ kind: 'host-left', threadId, ...host } satisfies HostLeft),
  }),
  sink: createRehearsalSink(Math.random),
  window: createWindow(options.maxInFlight),
  governor: createGovernor(governorOptions(options)),
  probation: createProbation(),
  origins: createOrigins(),
  random: Math.random,
  now: Date.now,
  onAnswered: () => Atomics.add(beats, heartbeatWord.answers, 1),
});
const probe = createProbe(options.allowProbes);

/** The one catch: an error loses its own fields between threads, so a bug travels as a value. */
export default async function handle(task: ToWorker): Promise<FromWorker> {
  try {
    return await answer(task);
  } catch (error) {
    return { kind: 'failed', message: describeError(error) };
  }
}

function answer(task: ToWorker): Promise<FromWorker> | FromWorker {
  switch (task.kind) {
    case 'send-block':
      return sendBlock(task);
    case 'probe':
      return probe(task);
  }
}
