import { type Kept, keptOf } from './message.ts';
import { worker } from './worker-scope.ts';

/**
 * The icon of the installed app shows how many notifications are there that nobody has opened or closed: what this browser
 * knows, and no server.
 * @param least of a browser that does not tell a worker what it shows.
 */
export async function countOpen({ counts }: Kept, least = 0): Promise<void> {
  try {
    if (!counts) return;
    const shown = await worker.registration.getNotifications();
    const open = shown.filter((each) => keptOf(each)?.counts).length;
    await navigator.setAppBadge?.(Math.max(open, least));
  } catch {
    // The site is not installed, or may not count.
  }
}
