/** The middle one; of an even number the upper of the two. NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** To tenths: more is noise. */
export const tenths = (value: number): number => Math.round(value * 10) / 10;
