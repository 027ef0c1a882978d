import { type Clock, systemClock } from './clock.ts';

/** Whether `work` settled within the limit; late work continues and its result is ignored. Rejects with `work`. */
export async function within(clock: Clock, limitMs: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = clock.setTimer(limitMs, () => resolve(false));
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    timer.clear();
  }
}

/** @throws Error `late` where the limit came first, or what `work` rejects with. */
export async function resultWithin<Result>(
  clock: Clock,
  limitMs: number,
  work: Promise<Result>,
  late: string,
): Promise<Result> {
  if (await within(clock, limitMs, work)) return work;
  throw new Error(late);
}

/** The result of the work, or `fallback` where it rejects or exceeds the limit. Never rejects. */
export async function resultOr<Result, Fallback>(
  fallback: Fallback,
  limitMs: number,
  work: () => Promise<Result>,
): Promise<Result | Fallback> {
  try {
    const running = work();
    return (await within(systemClock, limitMs, running)) ? await running : fallback;
  } catch {
    return fallback;
  }
}
