import { type ProcStat, readProcStats } from '../stand/proc-stat.ts';

/** CPU time of a process's threads; null where the machine cannot report it (all but Linux). */
export const readThreadTimes = (pid: number): Promise<readonly ProcStat[] | null> =>
  readProcStats(`/proc/${pid}/task`);

/** As Node names the threads of workers that have no name of their own, and as Piscina names its own. */
const workerNames = /^(WorkerThread|piscina)/;
/** Works for the profiler, not for the engine. */
const profilerName = 'v8:ProfEvntProc';

/**
 * The share of the time between two readings that threads without JavaScript used: the embedded ClickHouse's,
 * V8's and libuv's helpers. Null: not known.
 */
export function nativeShare(
  pid: number,
  before: readonly ProcStat[] | null,
  after: readonly ProcStat[] | null,
): number | null {
  if (before === null || after === null) return null;
  const earlier = new Map(before.map(({ id, ownUs }) => [id, ownUs]));
  const counted = after.filter(({ name }) => name !== profilerName);
  const used = counted.map(({ id, name, ownUs }) => ({
    // By its number: threads that a library starts may have inherited the main thread's name.
    isNative: id !== pid && !workerNames.test(name),
    us: ownUs - (earlier.get(id) ?? 0),
  }));
  const sum = (of: typeof used): number => of.reduce((total, { us }) => total + us, 0);
  const all = sum(used);
  return all === 0 ? null : sum(used.filter(({ isNative }) => isNative)) / all;
}
