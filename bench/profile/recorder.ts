import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CpuProfile, ThreadProfile } from './cpu-profile.ts';

/** Profiles every thread of another process between `start` and `stop`. */
export interface Recorder {
  /** The environment that the process must be started with. */
  readonly env: Readonly<Record<string, string>>;
  start(): Promise<void>;
  stop(): Promise<ThreadProfile[]>;
  remove(): Promise<void>;
}

const preload = new URL('./preload.ts', import.meta.url);
const LOOK_EVERY_MS = 50;
/** The threads check every 50 ms whether to profile. */
const SETTLE_MS = 300;
const DEADLINE_MS = 20_000;

export async function createRecorder(): Promise<Recorder> {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-profile-'));
  const flag = join(folder, 'on');
  return {
    env: { NODE_OPTIONS: `--import=${preload.href}`, BENCH_PROFILE_FOLDER: folder },
    async start() {
      await writeFile(flag, '');
      await pause(SETTLE_MS);
    },
    async stop() {
      await rm(flag);
      const files = await whenWritten(folder);
      return Promise.all(files.map((file) => read(folder, file)));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A thread that ended in between leaves its file empty: it is waited for until the deadline and left out. */
async function whenWritten(folder: string): Promise<string[]> {
  const endsAt = performance.now() + DEADLINE_MS;
  for (;;) {
    const files = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile'));
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
    const written = files.filter((_, at) => (sizes[at] ?? 0) > 0);
    if (written.length === files.length || performance.now() > endsAt) {
      await pause(LOOK_EVERY_MS);
      return written;
    }
    await pause(LOOK_EVERY_MS);
  }
}

async function read(folder: string, file: string): Promise<ThreadProfile> {
  const profile = JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile;
  return { thread: file.startsWith('main') ? 'main' : 'worker', profile };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
