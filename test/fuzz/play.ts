import fc from 'fast-check';
import type { FuzzTarget } from './target.ts';

export interface Played {
  readonly name: string;
  readonly cases: number;
  readonly seconds: number;
  /** Null: it held. Otherwise what broke it, smallest first, and how to see it again. */
  readonly broken: string | null;
}

const MOST_CASES = 10_000_000;

/** Plays one target for a time, or to its first failure. The same seed draws the same cases. */
export async function play({ name, property }: FuzzTarget, seed: number, seconds: number): Promise<Played> {
  const began = performance.now();
  const details = await fc.check(property, {
    ...{ seed, numRuns: MOST_CASES, interruptAfterTimeLimit: seconds * 1_000, markInterruptAsFailure: false },
    // Shrinking takes time of its own.
    endOnFailure: false,
  });
  return {
    name,
    cases: details.numRuns,
    seconds: (performance.now() - began) / 1_000,
    broken: details.failed ? `${whyOf(details.errorInstance)}\n${fc.defaultReportMessage(details)}` : null,
  };
}

const whyOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
