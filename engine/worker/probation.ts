import { type ChannelState, readWord, word, wordIndex } from '../contract/channel-state.ts';
import type { Outcome } from '../contract/outcome.ts';

/**
 * How much of a push service's window endpoints may use that never accepted, beside trusted ones: a little at
 * first, one more for each that accepts, and half as much for each other outcome. A genuine import has the
 * whole window after a few round trips; invented subscriptions keep to the minimum. Their outcomes say nothing
 * about the push service: its breaker, pauses and limit ignore them.
 */
export interface Probation {
  /** Requests that may start on this thread now. @param key names the channel in the thread's window. */
  room(state: ChannelState, channel: number, key: string): number;
  take(key: string): void;
  give(key: string): void;
  answered(state: ChannelState, channel: number, outcome: Outcome): void;
  /** Whether enough of them were not usable that they must not keep a block open. */
  isUnproven(state: ChannelState, channel: number): boolean;
}

const PROBATION_START = 8;
const PROBATION_LEAST = 4;
const PROBATION_MOST = 4_096;

export function createProbation(): Probation {
  /** As many as have something in flight. */
  const inFlight = new Map<string, number>();
  const limitOf = (state: ChannelState, channel: number): number =>
    readWord(state, channel, word.probation) || PROBATION_START;

  function move(state: ChannelState, channel: number, next: (limit: number) => number): void {
    const stored = readWord(state, channel, word.probation);
    const index = wordIndex(channel, word.probation);
    // Another thread's change may win: both saw about the same.
    Atomics.compareExchange(state.words, index, stored, next(stored || PROBATION_START));
  }

  return {
    room: (state, channel, key) => Math.max(0, limitOf(state, channel) - (inFlight.get(key) ?? 0)),
    take(key) {
      inFlight.set(key, (inFlight.get(key) ?? 0) + 1);
    },
    give(key) {
      const left = (inFlight.get(key) ?? 0) - 1;
      if (left > 0) inFlight.set(key, left);
      else inFlight.delete(key);
    },
    answered(state, channel, outcome) {
      if (outcome === 'accepted') move(state, channel, (limit) => Math.min(PROBATION_MOST, limit + 1));
      // A subscriber that left was real: an old list has many of them.
      else if (outcome !== 'gone') move(state, channel, (limit) => Math.max(PROBATION_LEAST, limit >> 1));
    },
    isUnproven: (state, channel) => limitOf(state, channel) <= PROBATION_START,
  };
}
