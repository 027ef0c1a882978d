import type { IAsyncProperty, IProperty } from 'fast-check';
import { leastMs } from '../support/least-ms.ts';

/** What is played with made-up input: a property that throws where it does not hold. */
export interface FuzzTarget {
  readonly name: string;
  /** What must hold, for the table. */
  readonly holds: string;
  readonly property: IProperty<unknown> | IAsyncProperty<unknown>;
}

/** What one request may take of the event loop, whatever it holds. */
export const MOST_MS = 20;

/** @throws Error where each of a few tries takes longer. @returns what the work made. */
export function within<Result>(mostMs: number, work: () => Result): Result {
  const made = work();
  const ms = leastMs(work, mostMs);
  if (ms >= mostMs) throw new Error(`it took ${ms.toFixed(1)} ms of the event loop, and may take ${mostMs}`);
  return made;
}
