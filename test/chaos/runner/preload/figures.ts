import { existsSync, rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';
import type { ProcessFigures, ThreadFigures } from '../soak-figures.ts';

/**
 * Loaded into a process and each of its threads before anything else: when a file asks, all of them
 * collect their garbage and say what they hold, and the main thread writes it to another one. Not by a signal:
 * the embedded ClickHouse takes the free ones for its own profiler.
 */
const file = process.env.SOAK_FIGURES_FILE ?? '';
const CHANNEL = 'broadside-soak';
const THREADS_ANSWER_MS = 5_000;
const LOOK_EVERY_MS = 200;

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

const channel = new BroadcastChannel(CHANNEL);
channel.unref();

function figures(): ThreadFigures {
  if (typeof collectGarbage === 'function') collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  const resources: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
  return { heapUsed, external, resources };
}

if (isMainThread) {
  const threads: ThreadFigures[] = [];
  channel.onmessage = ({ data }: MessageEvent) => {
    threads.push(data as ThreadFigures);
  };
  const answer = (): void => {
    threads.length = 0;
    channel.postMessage('report');
    setTimeout(() => {
      const all: ProcessFigures = { main: figures(), threads: [...threads], rss: process.memoryUsage.rss() };
      void writeFile(`${file}.new`, JSON.stringify(all)).then(() => rename(`${file}.new`, file));
    }, THREADS_ANSWER_MS);
  };
  setInterval(() => {
    if (!existsSync(`${file}.ask`)) return;
    rmSync(`${file}.ask`);
    answer();
  }, LOOK_EVERY_MS).unref();
} else {
  channel.onmessage = ({ data }: MessageEvent) => {
    if (data === 'report') channel.postMessage(figures());
  };
}
