import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProcStat, readProcStats } from './proc-stat.ts';

/** The first process of the embedded Postgres; null where it does not run. */
export async function databaseProcess(dataFolder: string): Promise<number | null> {
  const file = await readFile(join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8').catch(() => null);
  return file === null ? null : Number.parseInt(file, 10);
}

/**
 * User and system time of the embedded Postgres so far, all its processes and those that ended, in µs. It is not a
 * child of Broadside: it detaches itself. Null where the machine cannot report it.
 */
export async function readDatabaseUs(dataFolder: string): Promise<number | null> {
  const pid = await databaseProcess(dataFolder);
  const processes = await readProcStats('/proc');
  return pid === null || processes === null ? null : sumOfTree(processes, pid);
}

/** A process and everything below it. */
export function sumOfTree(processes: readonly ProcStat[], pid: number): number {
  let sum = 0;
  const open = [pid];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const process of processes) {
      if (process.id === id) sum += process.ownUs + process.childrenUs;
      if (process.parent === id) open.push(process.id);
    }
  }
  return sum;
}
