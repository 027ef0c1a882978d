/** The middle one; of an even number the upper of the two. NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** By nearest rank: the smallest value that a `share` of all do not pass. NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** To tenths: more is noise. */
export const tenths = (value: number): number => Math.round(value * 10) / 10;
