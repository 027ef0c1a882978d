const KEY = 'broadside-seconds';
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
    const sum = (Number(localStorage.getItem(KEY)) || 0) + (isSeen ? now - from : 0) - heard;
    from = now;
    isSeen = !document.hidden;
    localStorage.setItem(KEY, String(sum));
    return Math.max(0, Math.floor(sum));
  } catch {
    return 0;
  }
}
