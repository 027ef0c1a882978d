import { parentPort, Worker } from 'node:worker_threads';

/**
 * Reads what a stranger wrote, such as a feed or a page, in a thread beside the event loop: however long it takes, no
 * request waits for it. One at a time. A reading that exceeds its time, its memory or its stack ends with its thread,
 * and the next one has a new thread; one that has been idle ends by itself.
 *
 * @returns null where it was not read to its end.
 */
export type Beside<Input, Output> = (input: Input) => Promise<Output | null>;

export interface BesideOptions {
  /** A module that calls `answerBeside`. */
  readonly entry: URL;
  readonly timeLimitMs: number;
  readonly idleMs?: number;
}

const MAX_HEAP_MB = 256;
const IDLE_MS = 30_000;

export function createBeside<Input, Output>(options: BesideOptions): Beside<Input, Output> {
  const { entry, timeLimitMs, idleMs = IDLE_MS } = options;
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let before: Promise<unknown> = Promise.resolve();

  function end(): void {
    void thread?.terminate();
    thread = null;
  }

  async function read(input: Input): Promise<Output | null> {
    clearTimeout(idle);
    thread ??= startThread(entry);
    thread.ref();
    const answer = await answerOf<Output>(thread, input, timeLimitMs);
    if (answer === null) end();
    thread?.unref();
    idle = setTimeout(end, idleMs).unref();
    return answer?.output ?? null;
  }

  return function beside(input) {
    const reading = before.then(() => read(input));
    before = reading;
    return reading;
  };
}

function startThread(entry: URL): Worker {
  const thread = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
  // Without a listener an error of the thread would be one of the process.
  thread.on('error', () => {});
  return thread;
}

interface Answer<Output> {
  readonly output: Output;
}

function answerOf<Output>(thread: Worker, input: unknown, limitMs: number): Promise<Answer<Output> | null> {
  const { promise, resolve } = Promise.withResolvers<Answer<Output> | null>();
  const late = setTimeout(() => resolve(null), limitMs);
  const onMessage = (output: Output): void => resolve({ output });
  const onEnd = (): void => resolve(null);
  thread.once('message', onMessage).once('error', onEnd).once('exit', onEnd);
  thread.postMessage(input);
  return promise.finally(() => {
    clearTimeout(late);
    thread.off('message', onMessage).off('error', onEnd).off('exit', onEnd);
  });
}

/** The thread's side. An error of `read` ends the thread. */
export function answerBeside<Input, Output>(read: (input: Input) => Output | Promise<Output>): void {
  if (parentPort === null) throw new Error('this module is for a thread: start it with createBeside');
  parentPort.on('message', async (input: Input) => parentPort?.postMessage(await read(input)));
}
