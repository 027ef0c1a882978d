import { readFile } from 'node:fs/promises';
import { databaseProcess, sumOfTree } from '../stand/database-time.ts';
import { pause } from '../stand/deliver.ts';
import { readProcStats } from '../stand/proc-stat.ts';

export interface IdleUp {
  /** Of a core, in percent. */
  readonly cpuPercent: number;
  readonly postgresPercent: number;
  readonly memoryMb: number;
}

/** What a start leaves to do is done by then. */
const SETTLE_MS = 15_000;

export async function measureIdleUp(pid: number, dataFolder: string, seconds: number): Promise<IdleUp> {
  const postgres = await databaseProcess(dataFolder);
  if (postgres === null) throw new Error('the embedded Postgres does not run');
  await pause(SETTLE_MS);
  const before = await readTimes(pid, postgres);
  await pause(seconds * 1_000);
  const after = await readTimes(pid, postgres);
  const percent = (us: number): number => us / (seconds * 1e6 * 0.01);
  return {
    cpuPercent: percent(after.own - before.own),
    postgresPercent: percent(after.postgres - before.postgres),
    memoryMb: await readMemoryMb(pid),
  };
}

/** @throws Error where the machine has no `/proc`. */
async function readTimes(pid: number, postgres: number) {
  const stats = await readProcStats('/proc');
  if (stats === null)
    throw new Error('the CPU time of other processes is read from /proc: run this on Linux');
  return { own: sumOfTree(stats, pid), postgres: sumOfTree(stats, postgres) };
}

async function readMemoryMb(pid: number): Promise<number> {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kilobytes) * 1_024) / 1e6;
}
