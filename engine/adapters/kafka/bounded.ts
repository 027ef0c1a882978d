import { type Clock, within } from '../../contract/clock.ts';

/**
 * Waits for `work`, but not for ever.
 * @throws Error `what` took too long, or what `work` rejects with.
 */
export async function bounded<T>(clock: Clock, limitMs: number, what: string, work: Promise<T>): Promise<T> {
  if (!(await within(clock, limitMs, work))) throw new Error(`Kafka: ${what} took longer than ${limitMs} ms`);
  return work;
}
