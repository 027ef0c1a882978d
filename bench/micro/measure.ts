import { Bench } from 'tinybench';

/** One thing that is done very often. */
export interface Case {
  readonly group: string;
  readonly name: string;
  /** One unit: a message, a target, a block. */
  readonly unit: string;
  /** Units that one `run` does. */
  readonly units: number;
  readonly run: () => unknown;
}

export interface CaseRow {
  readonly group: string;
  readonly name: string;
  readonly unit: string;
  /** CPU µs a unit, over the rounds. */
  readonly minimum: number;
  readonly median: number;
  readonly maximum: number;
  /** Median against the first case of the group. */
  readonly ratio: number;
}

/** CPU of one round of one case; long enough that the clock's steps of 1 µs mean nothing. */
const ROUND_US = 60_000;

/** CPU µs that this process has used. */
type CpuNow = () => number;

const cpuOfProcess: CpuNow = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/**
 * `tinybench` runs and counts, by CPU time instead of time: the machine is shared. It would run all of a case before the
 * next one, so each round of each case is a task of its own: the cases take turns, and an hour that is slow is slow for
 * all of them. Ratios of medians then hold where those of one long run after the other do not. A task is one sample of
 * many runs: the clock's step of 1 µs is more than what one run of most cases takes.
 */
export function measureCases(
  cases: readonly Case[],
  rounds: number,
  cpuNow: CpuNow = cpuOfProcess,
): CaseRow[] {
  const bench = new Bench({
    iterations: 1,
    time: 0,
    warmup: false,
    throws: true,
    now: cpuNow,
  });
  const planned = cases.map((each) => ({ each, times: timesFor(each, cpuNow) }));
  for (let round = 1; round <= rounds; round++)
    for (const [at, { each, times }] of planned.entries())
      bench.add(taskName(at, round), () => runOften(each, times), { async: false });
  bench.runSync();
  const rows = planned.map(({ each: { group, name, unit, units }, times }, at) => {
    const figures = Array.from(
      { length: rounds },
      (_, round) => cpuUsOf(bench, taskName(at, round + 1)) / (times * units),
    );
    return { group, name, unit, ...spread(figures) };
  });
  return rows.map((row) => {
    const first = rows.find(({ group }) => group === row.group);
    return { ...row, ratio: row.median / (first?.median ?? Number.NaN) };
  });
}

const taskName = (at: number, round: number): string => `case ${at}, round ${round}`;

/** `tinybench` takes its clock to tell milliseconds; with one sample a task nothing but names depends on that. */
function cpuUsOf(bench: Bench, task: string): number {
  const result = bench.getTask(task)?.result;
  if (result?.state !== 'completed') throw new Error(`${task} was not measured`);
  return result.latency.mean;
}

/** How often a case must run to fill a round; finding out warms it up. */
function timesFor(each: Case, cpuNow: CpuNow): number {
  for (let times = 1; ; times *= 2) {
    const before = cpuNow();
    runOften(each, times);
    const used = cpuNow() - before;
    if (used >= ROUND_US / 4) return Math.ceil((times * ROUND_US) / used);
  }
}

function runOften({ run }: Case, times: number): void {
  for (let i = 0; i < times; i++) run();
}

function spread(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  return { minimum: at(0), median: at(Math.floor(sorted.length / 2)), maximum: at(sorted.length - 1) };
}
