import type { RateAnswer } from '../../contract/rate-limit.ts';

/** The columns of `take_hit`, which counts a request exactly over all processes. */
export interface HitRow {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly wait_seconds: number | null;
}

export const rateAnswerOf = ({ allowed, remaining, wait_seconds }: HitRow): RateAnswer => ({
  isWithinRate: allowed,
  remaining,
  waitSeconds: wait_seconds ?? 0,
});
