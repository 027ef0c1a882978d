import { counted } from '../../engine/contract/counted.ts';
import { WireError } from './wire-error.ts';

/**
 * What statements cost this process before they are reports: questions about the catalogue, reading and planning count
 * against no rate, and run on its one thread.
 */
export interface Work {
  /** @throws WireError where the token has used up its part. */
  add(steps: number): void;
  /** Of what is over: the next one is refused. */
  note(steps: number): void;
}

/** About two seconds of the process in a minute, thirty times what a tool asks when it opens. */
const STEPS = 3_000_000;
const WITHIN_MS = 60_000;

/** Of all connections of one token. */
export function createWork(now: () => number): Work {
  let [steps, endsAt] = [0, 0];
  const note = (more: number): void => {
    if (now() >= endsAt) [steps, endsAt] = [0, now() + WITHIN_MS];
    steps += more;
  };
  return {
    note,
    add: (more) => {
      note(more);
      if (steps <= STEPS) return;
      throw new WireError(
        '53400',
        'too much work for statements of this token in a minute',
        `Try again in ${counted(Math.ceil((endsAt - now()) / 1_000), 'second')}.`,
      );
    },
  };
}
