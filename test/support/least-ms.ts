/**
 * What work takes beside a fixed piece of work on the same machine in the same moment. Limits are in milliseconds of a
 * machine that does the fixed one in `YARDSTICK_MS`; a slower one has as much longer, a faster one has no less.
 */
interface Clock {
  /** Since any moment, in ms. */
  readonly now: () => number;
}

/** What one thread takes of a quiet core of the AMD EPYC that the limits were checked on. */
const YARDSTICK_MS = 20;
const ROUNDS = 4;

const text = JSON.stringify(
  Array.from({ length: 4_000 }, (_, n) => ({
    ...{ id: n, title: `word${n} \u00e9 ${'x'.repeat(n % 90)}`, tags: ['a', 'b', String(n)] },
  })),
);

/** What requests are made of: JSON, patterns, normal forms, sets. */
function readOnce(): number {
  const read = JSON.parse(text) as readonly { readonly title: string; readonly tags: readonly string[] }[];
  let length = 0;
  for (const { title, tags } of read) {
    length += title.normalize('NFC').replaceAll(/[aeiou]\d/g, '-').length;
    for (const tag of new Set(tags)) length += tag.length;
  }
  return length + JSON.stringify(read).length;
}

/** The first is compiled on the way; the least of them says what the machine can do now. */
const SERIES = 3;

/** How much slower than that machine this thread is now; at least 1. */
function slowness({ now }: Clock): number {
  const series = Array.from({ length: SERIES }, () => {
    const before = now();
    for (let round = 0; round < ROUNDS; round++) readOnce();
    return now() - before;
  });
  return Math.max(1, Math.min(...series) / YARDSTICK_MS);
}

const byTheWall: Clock = { now: () => performance.now() };
const ofThisThread: Clock = {
  now: () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  },
};

/** A try below the limit needs no yardstick. */
const inLimitMs = (ms: number, enoughMs: number, clock: Clock): number =>
  ms < enoughMs ? ms : ms / slowness(clock);

/**
 * The least time that the work took in a few tries, in ms: it takes at least as long as its own CPU, and a busy machine
 * makes no try shorter. Ends with the first try below `enoughMs`.
 */
export function leastMs(work: () => unknown, enoughMs: number, tries = 5): number {
  let least = Number.POSITIVE_INFINITY;
  for (let left = tries; left > 0 && least >= enoughMs; left--) {
    const before = byTheWall.now();
    work();
    least = Math.min(least, inLimitMs(byTheWall.now() - before, enoughMs, byTheWall));
  }
  return least;
}

/**
 * The same of the CPU of this thread, which all else waits for: what other threads do meanwhile counts for none, nor
 * what is compiled or collected in some of the tries.
 */
export async function leastCpuMs(work: () => Promise<unknown>, enoughMs: number, tries = 6): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let left = tries; left > 0 && least >= enoughMs; left--) {
    const before = ofThisThread.now();
    await work();
    least = Math.min(least, inLimitMs(ofThisThread.now() - before, enoughMs, ofThisThread));
  }
  return least;
}
