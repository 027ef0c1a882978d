import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { isMarkedAsUntransferable, type Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { systemClock } from '../contract/concurrency/clock.ts';
import { createStopFlag, raiseStop } from '../contract/concurrency/stop-flag.ts';
import { within } from '../contract/concurrency/time-limit.ts';
import type {
  BlockSent,
  FromWorker,
  HostLeft,
  Probe,
  ProbeAnswer,
  SendBlock,
  ThreadStarted,
  ToWorker,
  WorkerOptions,
} from '../worker/protocol.ts';
import { WorkerFailure } from './errors.ts';
import { createThreadHeartbeat } from './thread-heartbeat.ts';

/**
 * The worker threads, the one home of Piscina. Four of its settings are not its defaults, for reasons:
 *
 * - `atomics: 'async'`. With 'sync' an idle thread sleeps in `Atomics.wait`: its event loop stops, its sockets
 *   miss PING and GOAWAY, and the next block is written to dead connections.
 * - `minThreads = maxThreads`. A thread that is ended when idle takes its connections and their TLS sessions
 *   along.
 * - A bounded queue, counted here. Piscina's own is infinite.
 * - No `AbortSignal`, ever: aborting a running task kills its thread, and every socket and every other block on
 *   it. A task is stopped by the flag in its `SendBlock.stop`.
 *
 * Life cycle: `sendBlock` until `close`; `close` refuses new blocks, waits for those in flight up to the
 * deadline, then ends the threads.
 */
export interface WorkerPool {
  /** Blocks the pool takes at the same time, including those that wait for a thread. */
  readonly capacity: number;
  /** Places left; 0 means that `sendBlock` refuses. */
  free(): number;
  /**
   * Gives one block to a thread. `task.targets` is transferred and unusable afterwards.
   * @throws WorkerFailure `worker-lost` when the thread died under the block: read its targets again and redo it.
   * @throws WorkerFailure `pool-full` when `free()` is 0: wait for a block to end.
   * @throws WorkerFailure `pool-closed` after `close`, or when its deadline cut the block off.
   * @throws WorkerFailure `block-failed` when the worker's code threw, or the task cannot be cloned: a bug.
   */
  sendBlock(task: SendBlock): Promise<BlockSent>;
  /**
   * Asks a thread for its heartbeat, or in tests for its death. Throws as `sendBlock` does. Ask for a heartbeat once
   * at the start: a thread that cannot begin (a broken `extraCa`) shows there, and is not tried again.
   */
  probe(act: Probe['act']): Promise<ProbeAnswer>;
  /** Share of the time since it was last asked that the threads were busy, on average: 0 to 1. */
  utilisation(): number;
  /** Requests of all threads that ended so far; may wrap around. */
  answers(): number;
  close(deadlineMs: number): Promise<void>;
}

export interface WorkerPoolOptions {
  readonly threads: number;
  /** Blocks at the same time on one thread: two keep it busy while the first one waits for its last answers. */
  readonly tasksPerThread: number;
  /** Blocks that may wait for a thread. */
  readonly maxQueued: number;
  /** A thread that exceeds this heap dies alone, and not the process. */
  readonly maxHeapMb: number;
  readonly workerOptions: WorkerOptions;
  /** Called once for each thread that died by itself; another one replaces it. */
  readonly onThreadLost: (reason: string) => void;
  /** Called once by each thread, before its first block. */
  readonly onThreadStarted: (started: ThreadStarted) => void;
  /** Called by each thread that leaves a host to undici. */
  readonly onHostLeft?: (left: HostLeft) => void;
  /** How often it is looked whether the threads' event loops turn; no less than `HEARTBEAT_MS`. */
  readonly heartbeatMs: number;
  /** A thread hangs and cannot be terminated: its blocks are free only when this process has exited. */
  readonly onStuckForGood: (threadId: number) => void;
}

/**
 * Data in flight survives each collection: the rarer they are, the less of it is copied and promoted. With
 * libcrypto_mb a message of 50,000 took 77 µs with 8 MB and 69 with 32.
 */
const YOUNG_GENERATION_MB = 32;
/**
 * With node:crypto every message leaves a few native key objects behind, and a collection frees all of them at
 * once: with the default size one collection held the event loop for 250 ms.
 */
const YOUNG_GENERATION_OF_NODE_CRYPTO_MB = 8;

type RunOptions = NonNullable<Parameters<Piscina['run']>[1]>;

const entry = new URL('../worker/entry.ts', import.meta.url).href;

/** The pool, its threads' heartbeat and the blocks in flight end together. */
export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const capacity = options.threads * options.tasksPerThread + options.maxQueued;
  const secondClientShut = createStopFlag();
  /** Threads that left a host to undici. */
  const left = new Set<number>();
  const pool = new Piscina({
    filename: entry,
    minThreads: options.threads,
    maxThreads: options.threads,
    concurrentTasksPerWorker: options.tasksPerThread,
    atomics: 'async',
    maxQueue: capacity, // never reached: `capacity` bounds what comes in
    resourceLimits: {
      maxOldGenerationSizeMb: options.maxHeapMb,
      maxYoungGenerationSizeMb:
        options.workerOptions.encryptionBackend === 'node'
          ? YOUNG_GENERATION_OF_NODE_CRYPTO_MB
          : YOUNG_GENERATION_MB,
    },
    workerData: Object.freeze({ ...options.workerOptions, secondClientShut }),
    recordTiming: false,
  });
  const inHand = new Set<Promise<unknown>>();
  const stoodStill = new Set<number>();
  let closed = false;
  const heartbeat = createThreadHeartbeat({
    everyMs: options.heartbeatMs,
    endThread: (threadId) => {
      stoodStill.add(threadId);
      void pool.threads.find((thread) => thread.threadId === threadId)?.terminate();
    },
    onStuckForGood: options.onStuckForGood,
  });
  // Messages that a thread posts outside of a task arrive here; nothing else is posted.
  pool.on('message', (message: ThreadStarted | HostLeft) => {
    if (message.kind === 'host-left') {
      left.add(message.threadId);
      options.onHostLeft?.(message);
      return;
    }
    heartbeat.watch(message.threadId, message.beats);
    options.onThreadStarted(message);
  });
  watchThreads(pool, (threadId, reason) => {
    heartbeat.forget(threadId);
    const still = stoodStill.delete(threadId);
    // A peer can make node:http2 loop: it may take a thread with it once, and not one after the other.
    if (left.delete(threadId)) raiseStop(secondClientShut);
    if (!closed) options.onThreadLost(still ? 'its event loop hung' : reason);
  });

  async function run(task: ToWorker, transfer: ArrayBuffer[]): Promise<FromWorker> {
    if (closed) throw new WorkerFailure('pool-closed', 'the worker pool is closed');
    if (inHand.size >= capacity)
      throw new WorkerFailure('pool-full', `the worker pool already has ${capacity} blocks`);
    // Piscina requires an array; its type is postMessage's second parameter, whose last overload in @types/node
    // is an object.
    const transferList = transfer as RunOptions['transferList'] & ArrayBuffer[];
    const running: Promise<FromWorker> = pool.run(task, { transferList });
    inHand.add(running);
    try {
      return await running;
    } catch (cause) {
      // The entry catches every error of a task: only the thread's own end arrives here.
      if (closed)
        throw new WorkerFailure('pool-closed', 'the worker pool was closed under the block', { cause });
      if (isDataCloneError(cause))
        throw new WorkerFailure('block-failed', 'the block cannot be sent to a thread', { cause });
      throw new WorkerFailure('worker-lost', 'the worker thread died under the block', { cause });
    } finally {
      inHand.delete(running);
    }
  }

  return {
    capacity,
    free: () => (closed ? 0 : capacity - inHand.size),
    async sendBlock(task) {
      const targets = transferable(task.targets);
      const answer = await run({ ...task, targets }, [targets.buffer]);
      if (answer.kind === 'block-sent') return answer;
      throw unexpected(answer);
    },
    async probe(act) {
      const answer = await run({ kind: 'probe', act }, []);
      if (answer.kind === 'probe-answer') return answer;
      throw unexpected(answer);
    },
    utilisation: createUtilisation(() => pool.threads),
    answers: heartbeat.answers,
    async close(deadlineMs) {
      closed = true;
      await within(systemClock, deadlineMs, Promise.allSettled(inHand));
      // Watched until it has exited: a hanging thread would keep the process alive.
      await pool.destroy();
      heartbeat.stop();
    },
  };
}

/** By each thread's own account of its event loop; a thread that is new counts from its start. */
function createUtilisation(threads: () => readonly Worker[]): () => number {
  const before = new WeakMap<Worker, EventLoopUtilization>();
  return () => {
    const shares = threads().map((thread) => {
      const now = thread.performance.eventLoopUtilization();
      const since = before.get(thread);
      before.set(thread, now);
      return since === undefined ? now.utilization : performance.eventLoopUtilization(now, since).utilization;
    });
    return shares.length === 0 ? 0 : shares.reduce((sum, share) => sum + share, 0) / shares.length;
  };
}

/** Never sent: usually targets that were already transferred. Redoing it would fail again, forever. */
const isDataCloneError = (cause: unknown): boolean => (cause as Error).name === 'DataCloneError';

const unexpected = (answer: FromWorker): WorkerFailure =>
  new WorkerFailure(
    'block-failed',
    answer.kind === 'failed' ? answer.message : `an answer of the kind '${answer.kind}'`,
  );

/** A view into a shared pool of small buffers cannot move without taking its neighbours along: copy it. */
function transferable(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const whole = bytes.byteLength === bytes.buffer.byteLength;
  return whole && !isMarkedAsUntransferable(bytes.buffer) ? bytes : new Uint8Array(bytes);
}

function watchThreads(pool: Piscina, onLost: (threadId: number, reason: string) => void): void {
  const watched = new WeakSet<object>();
  // A thread that dies without a task is an 'error' event, which would end the process if it had no listener.
  pool.on('error', () => {});
  pool.on('workerCreate', () => {
    for (const thread of pool.threads) {
      if (watched.has(thread)) continue;
      watched.add(thread);
      const { threadId } = thread; // -1 once it has ended.
      let reason: string | null = null;
      thread.once('error', (error: Error) => {
        reason = error.message;
      });
      thread.once('exit', (code) => onLost(threadId, reason ?? `exit with code ${code}`));
    }
  });
}
