import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { freePorts } from '../../engine/adapters/postgres/free-port.ts';
import { waitUntilReady } from '../../test/support/broadside-process.ts';
import { readProcStats } from '../stand/proc-stat.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const READY_WITHIN_MS = 240_000;

/** `npm start` on a data folder. */
export interface Started {
  /** From the call until it answered that it is ready. */
  readonly ms: number;
  /** Of Broadside itself, below npm and its shell. */
  readonly pid: number;
  stop(): Promise<void>;
}

export async function npmStart(dataFolder: string): Promise<Started> {
  const [api = 0, internal = 0, reporting = 0] = await freePorts(3);
  const { PATH = '', HOME = '' } = process.env;
  const startedAt = performance.now();
  const npm = spawn('npm', ['--silent', 'start'], {
    cwd: root,
    env: {
      ...{ PATH, HOME, DATA_FOLDER: dataFolder, LOG_LEVEL: 'warn' },
      ...{ API_PORT: String(api), INTERNAL_PORT: String(internal), REPORTING_PORT: String(reporting) },
    },
    stdio: 'ignore',
  });
  const exited = once(npm, 'exit').then(([code]) => code as number | null);
  const isReady = await waitUntilReady(`http://127.0.0.1:${internal}/health/ready`, READY_WITHIN_MS, exited);
  const ms = performance.now() - startedAt;
  const pid = await findBroadside(npm.pid ?? 0);
  async function stop(): Promise<void> {
    // A signal to npm may leave what it started.
    if (npm.exitCode === null) process.kill(pid, 'SIGTERM');
    await exited;
  }
  if (isReady) return { ms, pid, stop };
  await stop();
  throw new Error('npm start did not become ready: run it by hand to see why');
}

/** Npm starts a shell, the shell starts Broadside, and Broadside starts others for moments. */
async function findBroadside(npm: number): Promise<number> {
  const stats = (await readProcStats('/proc')) ?? [];
  const below = [npm];
  for (const pid of below) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.startsWith('node\0api/bin.mjs')) return pid;
    below.push(...stats.filter(({ parent }) => parent === pid).map(({ id }) => id));
  }
  throw new Error('npm start runs, and no process below it is Broadside');
}
