import { readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A thread's memory after a garbage collection. Bytes; resources by their kind. */
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
  /**
   * Open files, sockets included, seen from outside: how many of each kind. Not those of the embedded
   * ClickHouse: its data files come and go with merges, and each thread of its pool reads its own figures
   * through three files below /proc, as long as the pool keeps it.
   */
  readonly handlesByKind: Readonly<Record<string, number>>;
  readonly handles: number;
  readonly timers: number;
  readonly sockets: number;
  readonly threads: number;
}

const MB = 1_048_576;
const WAIT_MS = 30_000;
const POLL_MS = 100;

export const figuresPreload = fileURLToPath(new URL('./preload/figures.ts', import.meta.url));

/**
 * Asks a process that loaded the preload.
 * @param file where it answers.
 * @param merged the folder whose files are not counted.
 * @throws Error where it does not answer.
 */
export async function readHoldings(pid: number, file: string, merged: string): Promise<Holdings> {
  await rm(file, { force: true });
  await writeFile(`${file}.ask`, '');
  const { main, threads, rss } = await untilWritten(file);
  const all = [main, ...threads];
  const sum = (value: (figures: ThreadFigures) => number): number =>
    all.reduce((total, figures) => total + value(figures), 0);
  const handlesByKind = await openFiles(pid, merged);
  return {
    heapMb: sum(({ heapUsed, external }) => heapUsed + external) / MB,
    rssMb: rss / MB,
    handlesByKind,
    handles: Object.values(handlesByKind).reduce((total, count) => total + count, 0),
    timers: sum(({ resources }) => (resources.Timeout ?? 0) + (resources.Immediate ?? 0)),
    sockets: sum(({ resources }) => resources.TCPSocketWrap ?? 0),
    threads: threads.length,
  };
}

/** By kind: `socket`, `pipe`, `anon_inode`, or the file's path. */
async function openFiles(pid: number, except: string): Promise<Record<string, number>> {
  const folder = `/proc/${pid}/fd`;
  const targets = await Promise.all(
    // One may be closed between the two checks.
    (await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => null)),
  );
  const kinds = targets
    .filter((target) => target !== null && !target.startsWith(except) && !target.startsWith('/proc/'))
    .map((target) => target?.replace(/:.*/, '') ?? '');
  return Object.fromEntries(
    Object.entries(Object.groupBy(kinds, (kind) => kind)).map(([kind, all]) => [kind, all?.length ?? 0]),
  );
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
