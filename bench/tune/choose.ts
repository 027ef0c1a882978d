import { median } from '../median.ts';

/** One way to set the engine, and how fast it was each time. */
export interface Trial {
  readonly value: number;
  /** Messages a second, one a delivery. */
  readonly rates: readonly number[];
}

export interface Choice {
  readonly value: number;
  /** By which share it was faster than the current setting; 0 where that stays. */
  readonly gain: number;
  /** How far deliveries with the same settings lay apart, as a share of their middle. */
  readonly noise: number;
}

/** A gain below it is not worth a line in a configuration, however still the machine was. */
const LEAST_GAIN = 0.03;

/** How far the rates of one trial lie apart. */
export function noiseOf({ rates }: Trial): number {
  return rates.length === 0 ? 0 : (Math.max(...rates) - Math.min(...rates)) / median(rates);
}

/**
 * The fastest of the candidates, where it is faster than the current setting by more than the machine's own
 * noise: else the current one stays, because a difference within the noise is none.
 */
export function chooseValue(current: Trial, candidates: readonly Trial[]): Choice {
  const noise = Math.max(noiseOf(current), ...candidates.map(noiseOf));
  const gainOf = (trial: Trial): number => median(trial.rates) / median(current.rates) - 1;
  const best = candidates.toSorted((a, b) => gainOf(b) - gainOf(a))[0];
  if (best === undefined || gainOf(best) <= Math.max(noise, LEAST_GAIN))
    return { value: current.value, gain: 0, noise };
  return { value: best.value, gain: gainOf(best), noise };
}
