/**
 * The least time that the work took in a few tries, in ms: it takes at least as long as its own CPU, and a busy machine
 * makes no try shorter. Ends with the first try below `enoughMs`.
 */
export function leastMs(work: () => unknown, enoughMs: number, tries = 5): number {
  let least = Number.POSITIVE_INFINITY;
  for (let left = tries; left > 0 && least >= enoughMs; left--) {
    const before = performance.now();
    work();
    least = Math.min(least, performance.now() - before);
  }
  return least;
}
