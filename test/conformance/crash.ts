import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DoomedOptions } from './doomed-consumer.ts';
import type { CrashReport } from './harness.ts';

const script = fileURLToPath(new URL('./doomed-consumer.ts', import.meta.url));

/** Starts a consumer in a process of its own and kills it, with SIGKILL, as soon as it is in mid-batch. */
export async function crashInMidBatch(options: DoomedOptions): Promise<CrashReport> {
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const said = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).once('line', said.resolve);
  const ended = exited.then(() => Promise.reject(new Error('the consumer ended before it was in mid-batch')));
  try {
    return JSON.parse(await Promise.race([said.promise, ended])) as CrashReport;
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}
