const KEY = 'broadside-seconds';
/** Of a report; the API counts hours. */
const MOST = 1e6;
let from = 0;
let isSeen = false;

/**
 * Seconds that the site's pages were in view since the API last heard of them, over all of its tabs and visits. Called
 * wherever that may change; the sum goes with the next request that says the browser is here.
 * @param heard of them, which the API has now.
 * @returns 0 where the browser keeps nothing of that kind, and in the worker.
 */
export function secondsOnSite(heard = 0): number {
  try {
    const now = performance.now() / 1_000;
    const kept = (Number(localStorage.getItem(KEY)) || 0) + (isSeen ? now - from : 0) - heard;
    // The page's own storage: who wrote something else into it must not make the request one that is refused.
    const sum = Math.min(MOST, Math.max(0, kept));
    from = now;
    isSeen = !document.hidden;
    localStorage.setItem(KEY, String(sum));
    return Math.floor(sum);
  } catch {
    return 0;
  }
}
