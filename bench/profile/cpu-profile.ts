/** The output of V8's sampling profiler, as far as it is read here. Times in µs. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** Ids of nodes, one a sample. */
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

export interface ThreadProfile {
  readonly thread: ThreadKind;
  readonly profile: CpuProfile;
}
export type ThreadKind = 'main' | 'worker';

/** The profiler's own work, and idle time. */
const isNoWork = ({ functionName, url }: ProfileNode['callFrame']): boolean =>
  functionName === '(idle)' || url === 'node:inspector';

/** Self time of each node, by its id; idle time is left out. */
export function selfTimes({ nodes, samples, timeDeltas }: CpuProfile): Map<number, number> {
  const idle = new Set(nodes.filter(({ callFrame }) => isNoWork(callFrame)).map(({ id }) => id));
  const times = new Map<number, number>();
  for (const [at, id] of samples.entries()) {
    if (!idle.has(id)) times.set(id, (times.get(id) ?? 0) + Math.max(0, timeDeltas[at] ?? 0));
  }
  return times;
}
