import { limited } from './clock.ts';
import { type Profile, readProfile } from './store.ts';

/**
 * One operation of a browser at a time, over its pages and the worker. Web Locks keep the turns; where they are not to
 * be had, each page has turns of its own.
 *
 * What the reader said is kept, and not queued: a no counts from the moment it is said. Each operation is for as long as
 * the profile says what it began with, and looks after everything that it waited for. So whatever is held up where, what
 * was said last is what is left.
 */

/** Reads the profile again. @throws STOPPED, which ends the turn. */
export type Look = () => Promise<Profile>;

/** The reader has said something else since. */
export const STOPPED = Symbol();
const OVER = Symbol();

/**
 * A browser whose push service cannot be reached waits without end: others are let in, and the rest waits for another
 * turn. Longer than a request, and shorter than `subscribe()` waits, so that one that follows begins at once.
 */
const TURN_MS = 25_000;
const MAX_TURNS = 10;

/**
 * @param holds whether what is kept still asks for this work.
 * @returns STOPPED where it does not, before the work or at one of its looks.
 */
export async function inTurn<Value>(
  holds: (profile: Profile) => boolean,
  work: (look: Look) => Promise<Value>,
): Promise<Value | typeof STOPPED> {
  for (let turns = 0; turns < MAX_TURNS; turns++) {
    try {
      return await oneTurn(holds, work);
    } catch (reason) {
      if (reason === STOPPED) return STOPPED;
      // What it waited for has come after its turn: once more, from what is kept by then.
      if (reason !== OVER) throw reason;
    }
  }
  throw new Error('Broadside: the browser does not answer');
}

let last: Promise<void> | undefined;

async function oneTurn<Value>(
  holds: (profile: Profile) => boolean,
  work: (look: Look) => Promise<Value>,
): Promise<Value> {
  let ended: Promise<Value> | undefined;
  let isOver = false;
  const look: Look = async () => {
    const now = await readProfile();
    if (isOver) throw OVER;
    if (now === undefined || !holds(now)) throw STOPPED;
    return now;
  };
  const run = async (): Promise<void> => {
    ended = (async () => {
      await look();
      return work(look);
    })();
    try {
      await limited(ended, TURN_MS, () => {});
    } catch {
      // Its caller gets it.
    }
    isOver = true;
  };
  const before = last;
  last = (async () => {
    await before;
    try {
      await navigator.locks.request('broadside', run);
    } catch {
      // None in this browser, or not for this page.
    }
    if (ended === undefined) await run();
  })();
  await last;
  return ended as unknown as Promise<Value>;
}
