import { flushBeacons } from '../beacons.ts';
import { Own } from '../own-promise.ts';

/** Seconds between the tries of one page: the visit that would begin the next one may be days away. */
const PAUSES = [5, 30, 120, 600];
let isTryingAgain = false;

/** Sends what is kept, and again while the page stays open and the API cannot take it. */
export async function flushUntilDone(): Promise<void> {
  if ((await flushBeacons()) || isTryingAgain) return;
  isTryingAgain = true;
  for (const seconds of PAUSES) {
    await new Own((resolve) => setTimeout(resolve, seconds * 1_000));
    if (await flushBeacons().catch(() => false)) break;
  }
  isTryingAgain = false;
}
