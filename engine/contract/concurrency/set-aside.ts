import { type Clock, systemClock } from './clock.ts';

/** What failed a moment ago, so that what waits behind it comes first. In the memory of this process. */
interface SetAside<Key> {
  readonly keys: () => Key[];
  add(key: Key): void;
}

/** @param most the one that is longest aside comes back. */
export function createSetAside<Key>(
  forMs: number,
  most: number,
  clock: Pick<Clock, 'now'> = systemClock,
): SetAside<Key> {
  const untilOf = new Map<Key, number>();
  return {
    keys: () => {
      for (const [key, until] of untilOf) if (until <= clock.now()) untilOf.delete(key);
      return [...untilOf.keys()];
    },
    add: (key) => {
      untilOf.delete(key);
      untilOf.set(key, clock.now() + forMs);
      const [oldest] = untilOf.keys();
      if (untilOf.size > most && oldest !== undefined) untilOf.delete(oldest);
    },
  };
}
