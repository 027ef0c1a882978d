import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** What one thread holds after its garbage was collected. Bytes; resources by their kind. */
export interface ThreadFigures {
  readonly heapUsed: number;
  readonly external: number;
  /** Timers, sockets, requests: what keeps a thread alive. */
  readonly resources: Readonly<Record<string, number>>;
}

/** As the preload writes it. */
export interface ProcessFigures {
  readonly main: ThreadFigures;
  readonly threads: readonly ThreadFigures[];
  readonly rss: number;
}

/** A process in numbers that must not grow with what it has done. */
export interface Holdings {
  /** JavaScript heaps and what they hold outside, of all threads. */
  readonly heapMb: number;
  readonly rssMb: number;
  /** Open files, sockets included, seen from outside. */
  readonly handles: number;
  readonly timers: number;
  readonly sockets: number;
  readonly threads: number;
}

const MB = 1_048_576;
const WAIT_MS = 30_000;
const POLL_MS = 100;

export const figuresPreload = fileURLToPath(new URL('./preload/figures.ts', import.meta.url));

/** Asks a process that loaded the preload. @throws Error where it does not answer. */
export async function readHoldings(pid: number, file: string): Promise<Holdings> {
  await rm(file, { force: true });
  await writeFile(`${file}.ask`, '');
  const { main, threads, rss } = await untilWritten(file);
  const all = [main, ...threads];
  const sum = (value: (figures: ThreadFigures) => number): number =>
    all.reduce((total, figures) => total + value(figures), 0);
  return {
    heapMb: sum(({ heapUsed, external }) => heapUsed + external) / MB,
    rssMb: rss / MB,
    handles: (await readdir(`/proc/${pid}/fd`)).length,
    timers: sum(({ resources }) => (resources.Timeout ?? 0) + (resources.Immediate ?? 0)),
    sockets: sum(({ resources }) => resources.TCPSocketWrap ?? 0),
    threads: threads.length,
  };
}

async function untilWritten(file: string): Promise<ProcessFigures> {
  const endsAt = performance.now() + WAIT_MS;
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text !== null) return JSON.parse(text) as ProcessFigures;
    if (performance.now() > endsAt) throw new Error('the process did not say what it holds');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
