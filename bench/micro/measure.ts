/** One thing that is done very often. */
export interface Case {
  readonly group: string;
  readonly name: string;
  /** What one unit is: a message, a target, a block. */
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
 * CPU time, not time: the machine is shared. The cases take turns, so that an hour that is slow is slow for
 * all of them; a library that measures time would show the neighbours' load.
 */
export function measureCases(
  cases: readonly Case[],
  rounds: number,
  cpuNow: CpuNow = cpuOfProcess,
): CaseRow[] {
  const planned = cases.map((each) => ({ each, times: timesFor(each, cpuNow), figures: [] as number[] }));
  for (let round = 0; round < rounds; round++)
    for (const { each, times, figures } of planned)
      figures.push(cpuUs(each, times, cpuNow) / (times * each.units));
  const rows = planned.map(({ each: { group, name, unit }, figures }) => ({
    ...{ group, name, unit },
    ...spread(figures),
  }));
  return rows.map((row) => {
    const first = rows.find(({ group }) => group === row.group);
    return { ...row, ratio: row.median / (first?.median ?? Number.NaN) };
  });
}

/** How often a case must run to fill a round; finding out warms it up. */
function timesFor(each: Case, cpuNow: CpuNow): number {
  for (let times = 1; ; times *= 2) {
    const used = cpuUs(each, times, cpuNow);
    if (used >= ROUND_US / 4) return Math.ceil((times * ROUND_US) / used);
  }
}

function cpuUs({ run }: Case, times: number, cpuNow: CpuNow): number {
  const before = cpuNow();
  for (let i = 0; i < times; i++) run();
  return cpuNow() - before;
}

function spread(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  return { minimum: at(0), median: at(Math.floor(sorted.length / 2)), maximum: at(sorted.length - 1) };
}
