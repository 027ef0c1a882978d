import { isYoung } from './clock.ts';

const KEY = 'broadside';
const AGAIN_MS = 3_600_000;

/** True once a visit, and once an hour of a long one: pages need not ask the API at every view. */
export function isDue(): boolean {
  try {
    const isDue = !isYoung(Number(sessionStorage.getItem(KEY)), AGAIN_MS);
    if (isDue) sessionStorage.setItem(KEY, String(Date.now()));
    return isDue;
  } catch {
    // The page may keep nothing of that kind.
    return true;
  }
}
