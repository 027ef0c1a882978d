import type { Kept } from './message.ts';
import { readProfile } from './store.ts';
import { worker } from './worker-scope.ts';

/** A browser's storage may hang. */
const PATIENCE_MS = 1_000;

/**
 * Shown instead of a message that cannot be. A push that shows nothing counts against the site: after three of
 * them Safari ends every subscription of it, after a few Firefox ends this one and Chrome shows a text of its own.
 */
export async function showFallback(): Promise<void> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS));
  const body = await Promise.race([readProfile(), late]).then(
    (profile) => profile?.fallbackText ?? '',
    () => '',
  );
  const data: Kept = { app: '', delivery: '', proof: '', navigate: '/', actions: {} };
  const title = location.hostname.replace(/^www\./, '');
  await worker.registration.showNotification(title, { body, tag: 'broadside', data });
}
