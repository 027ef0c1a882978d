import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { isMarkedAsUntransferable, type Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type {
  BlockSent,
  FromWorker,
  Probe,
  ProbeAnswer,
  SendBlock,
  ThreadStarted,
  ToWorker,
  WorkerOptions,
} from '../worker/protocol.ts';
import { createThreadPulse } from './thread-pulse.ts';

/**
 * The worker threads, the one home of Piscina. Four of its settings are not its defaults, for reasons:
 *
 * - `atomics: 'async'`. With 'sync' an idle thread sleeps in `Atomics.wait`: its event loop stands still,
 *   the sockets it keeps miss PING and GOAWAY, and the next block is written to dead connections.
 * - `minThreads = maxThreads`. A thread that idles away takes its connections and their TLS sessions along.
 * - A bounded queue, counted here. Piscina's own is infinite.
 * - No `AbortSignal`, ever: aborting a running task kills its thread, and every socket and every other
 *   block on it. A task is stopped by the flag in its `SendBlock.stop`.
 *
 * Life cycle: `sendBlock` until `close`; `close` refuses new blocks, waits for those in hand up to the
 * deadline, then ends the threads.
 */
export interface WorkerPool {
  /** Blocks the pool takes at the same time, those that wait for a thread included. */
  readonly capacity: number;
  /** Places left; 0 means that `sendBlock` refuses. */
  free(): number;
  /**
   * Gives one block to a thread. `task.targets` is transferred and unusable afterwards.
   * @throws WorkerLost when the thread died under the block: read its targets again and redo it.
   * @throws WorkerPoolFull when `free()` is 0: wait for a block in hand.
   * @throws WorkerPoolClosed after `close`, or when its deadline cut the block off.
   * @throws BlockFailed when the worker's code threw, or the task cannot be cloned: a bug.
   */
  sendBlock(task: SendBlock): Promise<BlockSent>;
  /**
   * Asks a thread for its pulse, or in tests for its death. Throws as `sendBlock` does. Ask for a pulse once
   * at the start: a thread that cannot begin (a broken `extraCa`) shows there, and is not tried again.
   */
  probe(act: Probe['act']): Promise<ProbeAnswer>;
  /** Share of the time since it was last asked that the threads were busy, on average: 0 to 1. */
  utilisation(): number;
  close(deadlineMs: number): Promise<void>;
}

export interface WorkerPoolOptions {
  readonly threads: number;
  /** Blocks at the same time on one thread: two keep it busy while the first one waits for its last answers. */
  readonly tasksPerThread: number;
  /** Blocks that may wait for a thread. */
  readonly maxQueued: number;
  /** A thread whose heap passes this dies alone, and not the process. */
  readonly maxHeapMb: number;
  readonly workerOptions: WorkerOptions;
  /** Told once for each thread that died by itself; another one takes its place. */
  readonly onThreadLost: (reason: string) => void;
  /** Told once by each thread, before its first block. */
  readonly onThreadStarted: (started: ThreadStarted) => void;
  /** How often it is looked whether the threads' event loops turn; no less than `PULSE_MS`. */
  readonly pulseMs: number;
  /** A thread stands still and cannot be ended: what it holds is free only when this process is gone. */
  readonly onStuckForGood: (threadId: number) => void;
}

export class WorkerLost extends Error {
  override readonly name = 'WorkerLost';
}
export class WorkerPoolFull extends Error {
  override readonly name = 'WorkerPoolFull';
}
export class WorkerPoolClosed extends Error {
  override readonly name = 'WorkerPoolClosed';
}
export class BlockFailed extends Error {
  override readonly name = 'BlockFailed';
}

/**
 * What is on its way survives each collection: the rarer they are, the less of it is copied and grows old. With
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

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const capacity = options.threads * options.tasksPerThread + options.maxQueued;
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
    workerData: Object.freeze({ ...options.workerOptions }),
    recordTiming: false,
  });
  const inHand = new Set<Promise<unknown>>();
  const stoodStill = new Set<number>();
  let closed = false;
  const pulse = createThreadPulse({
    everyMs: options.pulseMs,
    endThread: (threadId) => {
      stoodStill.add(threadId);
      void pool.threads.find((thread) => thread.threadId === threadId)?.terminate();
    },
    onStuckForGood: options.onStuckForGood,
  });
  // Whatever a thread posts outside of a task comes out here, and nothing else is posted.
  pool.on('message', (started: ThreadStarted) => {
    pulse.watch(started.threadId, started.beats);
    options.onThreadStarted(started);
  });
  watchThreads(pool, (threadId, reason) => {
    pulse.forget(threadId);
    const still = stoodStill.delete(threadId);
    if (!closed) options.onThreadLost(still ? 'its event loop stood still' : reason);
  });

  async function run(task: ToWorker, transfer: ArrayBuffer[]): Promise<FromWorker> {
    if (closed) throw new WorkerPoolClosed('the worker pool is closed');
    if (inHand.size >= capacity) throw new WorkerPoolFull(`the worker pool holds ${capacity} blocks`);
    // Piscina wants an array and refuses everything else; its type is postMessage's second parameter, whose
    // last overload in @types/node is an object.
    const transferList = transfer as RunOptions['transferList'] & ArrayBuffer[];
    const running: Promise<FromWorker> = pool.run(task, { transferList });
    inHand.add(running);
    try {
      return await running;
    } catch (cause) {
      // The entry catches whatever a task throws: only the thread's own end comes out here.
      if (closed) throw new WorkerPoolClosed('the worker pool was closed under the block', { cause });
      if (isDataCloneError(cause)) throw new BlockFailed('the block cannot be sent to a thread', { cause });
      throw new WorkerLost('the worker thread died under the block', { cause });
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
    async close(deadlineMs) {
      closed = true;
      await settledWithin(inHand, deadlineMs);
      // Watched until it is gone: a thread that stands still would keep the process from ending.
      await pool.destroy();
      pulse.stop();
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

/** Never sent: targets that were transferred before, as a rule. Redoing it would fail again, for ever. */
const isDataCloneError = (cause: unknown): boolean => (cause as Error).name === 'DataCloneError';

const unexpected = (answer: FromWorker): BlockFailed =>
  new BlockFailed(answer.kind === 'failed' ? answer.message : `an answer of the kind '${answer.kind}'`);

/** A view into a shared pool of small buffers cannot move without taking its neighbours along: copy it. */
function transferable(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const whole = bytes.byteLength === bytes.buffer.byteLength;
  return whole && !isMarkedAsUntransferable(bytes.buffer) ? bytes : new Uint8Array(bytes);
}

function watchThreads(pool: Piscina, onLost: (threadId: number, reason: string) => void): void {
  const watched = new WeakSet<object>();
  // A thread that dies without a task is an 'error' event, which would end the process if nobody listened.
  pool.on('error', () => {});
  pool.on('workerCreate', () => {
    for (const thread of pool.threads) {
      if (watched.has(thread)) continue;
      watched.add(thread);
      const { threadId } = thread; // -1 once it has ended
      let reason: string | null = null;
      thread.once('error', (error: Error) => {
        reason = error.message;
      });
      thread.once('exit', (code) => onLost(threadId, reason ?? `exit with code ${code}`));
    }
  });
}

async function settledWithin(running: ReadonlySet<Promise<unknown>>, deadlineMs: number): Promise<void> {
  const { promise: deadline, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, deadlineMs);
  await Promise.race([Promise.allSettled(running), deadline]);
  clearTimeout(timer);
}
