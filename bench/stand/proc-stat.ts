import { readdir, readFile } from 'node:fs/promises';

/** Linux' statistics of a process or a thread, proc_pid_stat(5). */
export interface ProcStat {
  readonly id: number;
  readonly name: string;
  readonly parent: number;
  /** User and system time of its own, in µs, to 10 ms. */
  readonly ownUs: number;
  /** Of children that ended and were waited for, and theirs. */
  readonly childrenUs: number;
}

const US_PER_TICK = 10_000;

/** Of each process under `/proc`, or thread under `/proc/N/task`; null where the machine has none (not Linux). */
export async function readProcStats(folder: string): Promise<ProcStat[] | null> {
  try {
    const ids = (await readdir(folder)).filter((name) => /^\d+$/.test(name));
    const found = await Promise.all(ids.map((id) => readOne(`${folder}/${id}/stat`)));
    return found.filter((one) => one !== null);
  } catch {
    return null;
  }
}

/** Null: it ended meanwhile. */
async function readOne(file: string): Promise<ProcStat | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  // The name is in brackets and may hold blanks and brackets; fields are counted from behind it.
  const end = text.lastIndexOf(')');
  const fields = text
    .slice(end + 2)
    .split(' ')
    .map(Number);
  const us = (first: number): number => ((fields[first] ?? 0) + (fields[first + 1] ?? 0)) * US_PER_TICK;
  return {
    id: Number.parseInt(text, 10),
    name: text.slice(text.indexOf('(') + 1, end),
    parent: fields[1] ?? 0,
    ownUs: us(11),
    childrenUs: us(13),
  };
}
