import type { VariantCount } from '../../../engine/campaigns/rules/decide.ts';

/** Closed forms for whole counts, and plain grids where there are none. */

const small = [0];
for (let number = 1; number < 30; number++) small.push((small[number - 1] ?? 0) + Math.log(number));

/** Stirling's series, exact to 1e-12 from 30 on. */
export const logFactorial = (n: number): number =>
  small[n] ?? n * Math.log(n) - n + Math.log(2 * Math.PI * n) / 2 + 1 / (12 * n) - 1 / (360 * n ** 3);

const logBeta = (a: number, b: number): number =>
  logFactorial(a - 1) + logFactorial(b - 1) - logFactorial(a + b - 1);

const shapesOf = ({ accepted, clicked }: VariantCount) => ({ a: clicked + 1, b: accepted - clicked + 1 });

/** P(other > one): a sum of as many terms as the other has clicks (Evan Miller, "Formulas for Bayesian A/B Testing"). */
export function probabilityAbove(one: VariantCount, other: VariantCount): number {
  const [first, second] = [shapesOf(one), shapesOf(other)];
  let sum = 0;
  for (let i = 0; i < second.a; i++)
    sum += Math.exp(
      logBeta(first.a + i, first.b + second.b) -
        Math.log(second.b + i) -
        logBeta(1 + i, second.b) -
        logBeta(first.a, first.b),
    );
  return sum;
}

/** P(rate < x): the probability of more than `clicked` successes in one trial more than there were. */
export function probabilityBelow(count: VariantCount, x: number): number {
  const { a, b } = shapesOf(count);
  const trials = a + b - 1;
  let less = 0;
  for (let k = 0; k < a; k++) {
    const ways = logFactorial(trials) - logFactorial(k) - logFactorial(trials - k);
    less += Math.exp(ways + k * Math.log(x) + (trials - k) * Math.log1p(-x));
  }
  return 1 - less;
}

/** Rates, each with its probability: fine enough for counts of hundreds. */
const GRID = 100_000;

function gridOf(count: VariantCount): Float64Array {
  const { a, b } = shapesOf(count);
  return Float64Array.from({ length: GRID }, (_, cell) => {
    const x = (cell + 0.5) / GRID;
    return Math.exp((a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x) - logBeta(a, b)) / GRID;
  });
}

/** P(best) of each, cell by cell. */
export function gridProbabilities(counts: readonly VariantCount[]): number[] {
  const grids = counts.map(gridOf);
  const below = counts.map(() => 0);
  const chances = counts.map(() => 0);
  for (let cell = 0; cell < GRID; cell++) {
    const mass = grids.map((grid) => grid[cell] ?? 0);
    const middle = below.map((sum, index) => sum + (mass[index] ?? 0) / 2);
    for (const [index, own] of mass.entries()) {
      const others = middle.reduce(
        (product, each, other) => (other === index ? product : product * each),
        own,
      );
      chances[index] = (chances[index] ?? 0) + others;
      below[index] = (below[index] ?? 0) + own;
    }
  }
  return chances;
}

/** P(one − other < difference). */
export function gridDifferenceBelow(one: VariantCount, other: VariantCount, difference: number): number {
  const sums = gridOf(one);
  for (let cell = 1; cell < GRID; cell++) sums[cell] = (sums[cell] ?? 0) + (sums[cell - 1] ?? 0);
  const shift = difference * GRID;
  return gridOf(other).reduce((total, mass, cell) => {
    const place = Math.round(cell + shift);
    return total + mass * (place < 0 ? 0 : place >= GRID ? 1 : (sums[place] ?? 0));
  }, 0);
}

/** Binomial counts of the same seed are the same. */
export function createDraws(seed: number) {
  let state = seed;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return (accepted: number, rate: number): VariantCount => ({
    accepted,
    clicked: Array.from({ length: accepted }, random).filter((each) => each < rate).length,
  });
}
