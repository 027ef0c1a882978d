import './worker-part.ts';
import { worker } from './worker-scope.ts';

/**
 * The whole worker of a site that has none of its own. A new version takes over at once, for no page depends
 * on the one before; whether another worker's pages do is not for its part to say.
 */
worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));
