import type { Clock } from '../../contract/concurrency/clock.ts';
import { resultWithin } from '../../contract/concurrency/time-limit.ts';

/**
 * Waits for `work` until the limit.
 * @throws Error `what` exceeded the limit, or the rejection of `work`.
 */
export const bounded = <T>(clock: Clock, limitMs: number, what: string, work: Promise<T>): Promise<T> =>
  resultWithin(clock, limitMs, work, `Kafka: ${what} took longer than ${Math.round(limitMs)} ms`);
