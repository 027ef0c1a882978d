/**
 * What is known of a click rate after a uniform prior: Beta(1 + clicked, 1 + others), as a table over a grid that is as
 * wide as itself. So the posterior of millions of messages is as exact as that of none.
 *
 * Own code: libraries of distributions give one value at a time, by up to thousands of terms where counts are in the
 * millions. Which of ten is the best takes tens of thousands of values, and from the table each takes 0.1 µs.
 */
export interface Posterior {
  readonly mean: number;
  /** Less than 1e-8 is outside of these. */
  readonly low: number;
  readonly high: number;
  /** From `low` to `high`, by one standard deviation. */
  readonly steps: readonly number[];
  /** Probability density of a rate. */
  density(rate: number): number;
  /** The probability that the rate is at most this. */
  below(rate: number): number;
}

/** Each is a 25th of a standard deviation wide or less. */
const CELLS = 1_024;
/** In standard deviations. A posterior of no clicks is the widest: it falls as e^-x. */
const REACH = 20;

export function createPosterior(clicked: number, others: number): Posterior {
  const all = clicked + others;
  const mean = (clicked + 1) / (all + 2);
  const deviation = Math.sqrt((mean * (1 - mean)) / (all + 3));
  const low = Math.max(0, mean - REACH * deviation);
  const high = Math.min(1, mean + REACH * deviation);
  const width = (high - low) / CELLS;
  const shape = shapeOf(clicked, others);
  const heights = Float64Array.from({ length: 2 * CELLS + 1 }, (_, place) =>
    shape(low + (place * width) / 2),
  );
  const sums = sumsOf(heights, width);
  const total = at(sums, CELLS);
  const density = (rate: number) => (rate < low || rate > high ? 0 : shape(rate) / total);
  return {
    mean,
    low,
    high,
    steps: stepsOf(mean, deviation, low, high),
    density,
    below(rate) {
      if (rate <= low) return 0;
      if (rate >= high) return 1;
      const cell = Math.min(Math.floor((rate - low) / width), CELLS - 1);
      // The cubic that has the values and the slopes of both ends.
      const t = (rate - low) / width - cell;
      const heightOf = (place: number) => (width * at(heights, 2 * place)) / total;
      const [start, rise] = [at(sums, cell) / total, (at(sums, cell + 1) - at(sums, cell)) / total];
      const [slope, endSlope] = [heightOf(cell), heightOf(cell + 1)];
      const inner =
        start + t * (slope + t * (3 * rise - 2 * slope - endSlope + t * (slope + endSlope - 2 * rise)));
      // In the ends of a distribution it may leave the two by 1e-20, and a probability below 0 is none.
      return Math.min(Math.max(inner, start), start + rise);
    },
  };
}

/** The density up to a factor: 1 where it is highest, so that no logarithm of a gamma function is needed. */
function shapeOf(clicked: number, others: number): (rate: number) => number {
  const peak = clicked / (clicked + others);
  // No power of 0: 0 times the logarithm of 0 is not a number.
  const power = (count: number, share: number, peakShare: number) =>
    count === 0 ? 0 : count * Math.log(share / peakShare);
  return (rate) => Math.exp(power(clicked, rate, peak) + power(others, 1 - rate, 1 - peak));
}

/** Simpson's rule, cell by cell. @param heights at the ends and the middle of each. */
function sumsOf(heights: Float64Array, width: number): Float64Array {
  const sums = new Float64Array(CELLS + 1);
  for (let cell = 0; cell < CELLS; cell++) {
    const height = at(heights, 2 * cell) + 4 * at(heights, 2 * cell + 1) + at(heights, 2 * cell + 2);
    sums[cell + 1] = at(sums, cell) + (height * width) / 6;
  }
  return sums;
}

function stepsOf(mean: number, deviation: number, low: number, high: number): number[] {
  const steps = Array.from({ length: 2 * REACH + 1 }, (_, step) => mean + (step - REACH) * deviation);
  return [low, ...steps.filter((rate) => rate > low && rate < high), high];
}

/** Gauss's five points of an interval from -1 to 1, with their weights. */
const POINTS = [
  [-0.906179845938664, 0.23692688505618908],
  [-0.5384693101056831, 0.47862867049936647],
  [0, 0.5688888888888889],
  [0.5384693101056831, 0.47862867049936647],
  [0.906179845938664, 0.23692688505618908],
] as const;

/** Where to evaluate a function to integrate it, and how much each value counts. */
export interface Point {
  readonly x: number;
  readonly weight: number;
}

/** @param ends of intervals, in order, in each of which the function is smooth. */
export function pointsOf(ends: readonly number[]): Point[] {
  return ends.slice(1).flatMap((end, place) => {
    const half = (end - (ends[place] ?? end)) / 2;
    return half > 0
      ? POINTS.map(([point, weight]) => ({ x: end - half * (1 - point), weight: half * weight }))
      : [];
  });
}

export const integrate = (of: (x: number) => number, ends: readonly number[]): number =>
  pointsOf(ends).reduce((sum, { x, weight }) => sum + weight * of(x), 0);

/** They leave 1e-10 of the interval. */
const HALVINGS = 33;

/** Where a rising function reaches a value. */
export function solve(rising: (x: number) => number, value: number, from: number, to: number): number {
  let [low, high] = [from, to];
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (rising(middle) < value) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const at = (values: Float64Array, place: number): number => values[place] ?? 0;
