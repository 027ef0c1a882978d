import type { Kept } from './message.ts';
import { readProfileSoon } from './store.ts';
import { worker } from './worker-scope.ts';

/**
 * Shown instead of a message that cannot be. A push that shows nothing counts against the site: after three of
 * them Safari ends every subscription of it, after a few Firefox ends this one and Chrome shows a text of its own.
 */
export async function showFallback(): Promise<void> {
  const body = (await readProfileSoon())?.fallbackText ?? '';
  const data: Kept = { app: '', delivery: '', proof: '', navigate: '/', actions: {} };
  const title = location.hostname.replace(/^www\./, '');
  await worker.registration.showNotification(title, { body, tag: 'broadside', data });
}
