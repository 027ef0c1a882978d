import './worker-part.ts';
import { showFallback } from './fallback.ts';
import { worker } from './worker-scope.ts';

/**
 * The whole worker of a site that has none of its own. A new version takes over at once, because no page
 * depends on the old one; a site's own worker decides that for itself.
 */
worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

/** No message of Broadside, and the site has no worker of its own that could know it. */
worker.addEventListener('push', (event) => event.waitUntil(showFallback()));
