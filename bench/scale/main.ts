import { tmpdir } from 'node:os';
import { createSay } from '../command-options.ts';
import type { Output } from '../report/report.ts';
import { showReport } from '../report/show.ts';
import { diskRefusal } from './disk.ts';
import { measureScale, type ScaleRow } from './measure.ts';
import { scaleReport } from './report.ts';

export interface ScaleOptions {
  /** The smallest audience. */
  readonly from: number;
  /** The largest audience; it is measured itself where it lies between two of the usual ones. */
  readonly max: number;
}

const usual = [10_000, 100_000, 1_000_000, 10_000_000];

export const sizesUpTo = (max: number, from = 0): number[] => [
  ...new Set([...usual.filter((size) => size >= from && size < max), max]),
];

/** @returns the exit code: 1 where the disk is too small, or the books of a delivery differ: then figures mean nothing. */
export async function runScale({ from, max }: ScaleOptions, output: Output): Promise<number> {
  const refusal = await diskRefusal(max, tmpdir());
  if (refusal !== null) {
    console.error(refusal);
    return 1;
  }
  const say = createSay(output);
  const rows: ScaleRow[] = [];
  for (const size of sizesUpTo(max, from)) {
    const row = await measureScale(size, say);
    if (row === null) return 1;
    // A run of hours that is stopped has not measured for nothing.
    say(
      `${row.cpu_us_per_message} µs a message, ${row.rss_peak_mb} MB at most, planned in ${row.plan_ms} ms`,
    );
    rows.push(row);
  }
  await showReport(scaleReport(rows), output);
  return 0;
}
