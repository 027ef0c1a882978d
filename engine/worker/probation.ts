import { type ChannelBoard, placeOf, readWord, word } from '../contract/channel-board.ts';
import type { Outcome } from '../contract/outcome.ts';

/**
 * How much of a push service's window those may have that never accepted, beside readers who did: a little at first,
 * one more for each that accepts, and half as much for each that does anything else. An import that is real has
 * the whole window after a few round trips; subscriptions that strangers made up keep to the least. What becomes
 * of them says nothing of the push service: neither its breaker, nor its pauses, nor its limit hear of it.
 */
export interface Probation {
  /** Places on this thread that are free now. @param place names the channel in the thread's window */
  room(board: ChannelBoard, channel: number, place: string): number;
  take(place: string): void;
  give(place: string): void;
  answered(board: ChannelBoard, channel: number, outcome: Outcome): void;
  /** Whether enough of them were no good that they must not keep a block open. */
  isDoubtful(board: ChannelBoard, channel: number): boolean;
}

const PROBATION_START = 8;
const PROBATION_LEAST = 4;
const PROBATION_MOST = 4_096;

export function createProbation(): Probation {
  /** As many as have something in flight. */
  const inFlight = new Map<string, number>();
  const limitOf = (board: ChannelBoard, channel: number): number =>
    readWord(board, channel, word.probation) || PROBATION_START;

  function move(board: ChannelBoard, channel: number, next: (limit: number) => number): void {
    const stored = readWord(board, channel, word.probation);
    const place = placeOf(channel, word.probation);
    // Another thread's change may win: both saw about the same.
    Atomics.compareExchange(board.words, place, stored, next(stored || PROBATION_START));
  }

  return {
    room: (board, channel, place) => Math.max(0, limitOf(board, channel) - (inFlight.get(place) ?? 0)),
    take(place) {
      inFlight.set(place, (inFlight.get(place) ?? 0) + 1);
    },
    give(place) {
      const left = (inFlight.get(place) ?? 0) - 1;
      if (left > 0) inFlight.set(place, left);
      else inFlight.delete(place);
    },
    answered(board, channel, outcome) {
      if (outcome === 'accepted') move(board, channel, (limit) => Math.min(PROBATION_MOST, limit + 1));
      // Who left was here: an old list has many of them.
      else if (outcome !== 'gone') move(board, channel, (limit) => Math.max(PROBATION_LEAST, limit >> 1));
    },
    isDoubtful: (board, channel) => limitOf(board, channel) <= PROBATION_START,
  };
}
