import { hasPush } from './device.ts';
import type { Profile } from './store.ts';

/**
 * Chrome takes the permission away from sites that nobody visits, and then asks again as if it had never been given. The
 * reader is not told. A reader who was subscribed finds that at the next visit, and may be won back; the prompt that they
 * once said yes to has no part in it.
 */
export const noteLoss = ({ choice, sent, lostAtMs }: Profile): Partial<Profile> =>
  hasPush && Notification.permission === 'default' && choice === 'in' && sent?.endpoint
    ? { lostAtMs: lostAtMs || Date.now(), promptVariant: undefined }
    : {};

/**
 * What changes while a page is open changes by the reader's own hand: without the endpoint a later visit finds nothing
 * lost.
 */
export async function watchHand(byHand: () => unknown): Promise<void> {
  try {
    const status = await navigator.permissions.query({ name: 'notifications' });
    status.onchange = () => status.state === 'granted' || byHand();
  } catch {
    // Not in this browser: there, what changed cannot be told apart.
  }
}

export const endedByHand = ({ sent }: Profile): Partial<Profile> => ({
  sent: sent && { ...sent, endpoint: '' },
});
