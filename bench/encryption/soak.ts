import { Worker } from 'node:worker_threads';
import type { BackendName } from '../../engine/worker/encryption/backends.ts';
import { openNativeMemory } from './native-memory.ts';
import type { SoakLife } from './soak-thread.ts';
import type { WorkDone } from './work.ts';

export interface SoakOptions {
  readonly backend: BackendName;
  readonly cryptoMbLibrary: string | null;
  readonly messages: number;
  /** Threads one after the other: each loads the libraries, works, and ends. */
  readonly lives: number;
  readonly json: boolean;
}

export interface SoakRow extends WorkDone {
  readonly backend: BackendName;
  readonly cpu_us_per_message: number;
  /** Growth of malloc's memory since the second life; null where it cannot be read. */
  readonly native_growth_bytes: number | null;
  readonly rss_growth_mb: number;
}

/** Lives that warm up: pools of libc and V8 fill in them. */
const WARM_UP = 2;
/** Of all lives together; a leak of 16 bytes a message would pass it within 300,000. */
const MAX_GROWTH_BYTES = 4_000_000;

/** @returns the exit code: 1 where memory grew, or a thread ended with an error. */
export async function runSoak(options: SoakOptions): Promise<number> {
  const row = await soak(options, (text) => console.error(`  ${text}`));
  if (options.json) console.log(JSON.stringify(row));
  else console.table([row]);
  if (row.native_growth_bytes === null || row.native_growth_bytes <= MAX_GROWTH_BYTES) return 0;
  console.error(`native memory grew by ${row.native_growth_bytes} bytes: something is not given back`);
  return 1;
}

/** @throws Error of the thread that failed. */
export async function soak(options: SoakOptions, say: (text: string) => void): Promise<SoakRow> {
  const inUse = openNativeMemory();
  const total = { messages: 0, refused: 0, read: 0, cpuUs: 0 };
  let baseline = { native: 0, rss: 0 };
  const figures = () => ({ native: inUse?.() ?? 0, rss: process.memoryUsage.rss() });
  for (let life = 0; life < options.lives; life++) {
    if (life === WARM_UP) baseline = figures();
    const done = await live({ ...options, messages: Math.ceil(options.messages / options.lives) });
    total.messages += done.messages;
    total.refused += done.refused;
    total.read += done.read;
    total.cpuUs += done.cpuUs;
    const { native, rss } = figures();
    say(
      `${total.messages} messages; in use ${(native / 1e6).toFixed(1)} MB, resident ${(rss / 1e6).toFixed(0)} MB`,
    );
  }
  const { native, rss } = figures();
  const { cpuUs, ...done } = total;
  return {
    backend: options.backend,
    ...done,
    cpu_us_per_message: Math.round((10 * cpuUs) / total.messages) / 10,
    native_growth_bytes: inUse === null ? null : native - baseline.native,
    rss_growth_mb: Math.round((rss - baseline.rss) / 1e5) / 10,
  };
}

function live({
  backend,
  cryptoMbLibrary,
  messages,
}: SoakLife): Promise<WorkDone & { readonly cpuUs: number }> {
  return new Promise((resolve, reject) => {
    const workerData: SoakLife = { backend, cryptoMbLibrary, messages };
    const thread = new Worker(new URL('./soak-thread.ts', import.meta.url), { workerData });
    let done: (WorkDone & { readonly cpuUs: number }) | null = null;
    thread.once('message', (message: WorkDone & { readonly cpuUs: number }) => {
      done = message;
    });
    thread.once('error', reject);
    // Only after its end: its memory is freed then.
    thread.once('exit', (code) =>
      done === null ? reject(new Error(`the thread ended with code ${code}`)) : resolve(done),
    );
  });
}
