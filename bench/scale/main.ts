import { createSay } from '../command-options.ts';
import type { Output } from '../report/report.ts';
import { showReport } from '../report/show.ts';
import { measureScale, type ScaleRow } from './measure.ts';
import { scaleReport } from './report.ts';

export interface ScaleOptions {
  /** The largest audience; it is measured itself where it lies between two of the usual ones. */
  readonly max: number;
}

const usual = [10_000, 100_000, 1_000_000];

export const sizesUpTo = (max: number): number[] => [
  ...new Set([...usual.filter((size) => size < max), max]),
];

/** @returns the exit code: 1 where the books of a delivery differ, for then the figures mean nothing. */
export async function runScale({ max }: ScaleOptions, output: Output): Promise<number> {
  const say = createSay(output);
  const rows: ScaleRow[] = [];
  for (const size of sizesUpTo(max)) {
    const row = await measureScale(size, say);
    if (row === null) return 1;
    rows.push(row);
  }
  await showReport(scaleReport(rows), output);
  return 0;
}
