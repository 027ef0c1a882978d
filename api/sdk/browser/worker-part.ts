import { countOpen } from './app-badge.ts';
import { flushBeacons, type Happened, sendHappened } from './beacons.ts';
import type { Device } from './device.ts';
import { showFallback } from './fallback.ts';
import { type Kept, keptOf, type Message, readMessage } from './message.ts';
import { PREFERENCES, preferencesUrl, withPreferences } from './preferences/button.ts';
import { noesOf, outdated, withSecret } from './profile.ts';
import { changeProfile, readProfile } from './store.ts';
import { ensureSubscribed } from './subscription.ts';
import { worker } from './worker-scope.ts';

/**
 * The service worker's part, which a site's own worker can import beside its own code. It handles Broadside's
 * messages and nothing else, and no other listener sees those: imported first, it is called first.
 */

const SYNC_TAG = 'broadside';
/** Browsers close a clicked notification, and report it in the same moment: the reader did not dismiss it. */
const clicked = new Set<string>();

worker.addEventListener('activate', (event) => event.waitUntil(meetAgain().then(flushBeacons, flushBeacons)));

worker.addEventListener('push', (event) => {
  const message = readMessage(event);
  if (message === null) return;
  event.stopImmediatePropagation();
  event.waitUntil(show(message));
});

worker.addEventListener('notificationclick', (event) => {
  const kept = keptOf(event.notification);
  if (kept === null) return;
  event.stopImmediatePropagation();
  clicked.add(kept.proof);
  event.notification.close();
  event.waitUntil(countOpen(kept));
  if (event.action === PREFERENCES) return event.waitUntil(preferencesUrl().then(open));
  // First the page: the browser lets a worker open one only shortly after the click.
  const opened = open(kept.actions[event.action] ?? kept.navigate);
  event.waitUntil(Promise.all([opened, tell('clicked', kept, event.action)]));
});

worker.addEventListener('notificationclose', (event) => {
  const kept = keptOf(event.notification);
  if (kept === null) return;
  event.stopImmediatePropagation();
  event.waitUntil(countOpen(kept));
  if (!clicked.delete(kept.proof)) event.waitUntil(tell('closed', kept));
});

/** The push service ended the subscription, or gave it another address. No page need be open. */
worker.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(resubscribe()));

/** The device is online again. Rejected where it is not enough so, for the browser to try once more. */
worker.addEventListener('sync', (event) => {
  if (event.tag !== SYNC_TAG) return;
  event.waitUntil(
    flushBeacons().then((isDone) => {
      if (!isDone) throw new Error('Broadside: not reached yet');
    }),
  );
});

const device: Device = {
  read: () => worker.registration.pushManager.getSubscription(),
  ready: async () => worker.registration.pushManager,
};

async function resubscribe(): Promise<void> {
  const profile = await readProfile();
  if (profile?.choice !== 'in') return;
  // Should it fail, the next visit of a page does it.
  const changed = await changeProfile((now = profile) => withSecret({ ...now, sent: outdated(now.sent) }));
  await ensureSubscribed(device, noesOf(changed));
}

/** A reader of an earlier version may not come to a page for long, and is to be proven all the same. */
async function meetAgain(): Promise<void> {
  if ((await readProfile())?.secret === undefined) await resubscribe();
}

async function tell(type: Happened['type'], { app, delivery, proof }: Kept, action = ''): Promise<void> {
  if (proof === '') return;
  const isDone = await sendHappened({ type, app, delivery, proof, ...(action === '' ? {} : { action }) });
  // Where the browser has it: it wakes the worker when the device is online again.
  if (!isDone) await worker.registration.sync?.register(SYNC_TAG).catch(() => {});
}

/** Something is shown whatever the message has in it: see `showFallback`. */
async function show({ title, options: sent }: Message): Promise<void> {
  const { data, body, tag } = sent;
  try {
    if (title === '') return await showFallback();
    const options = { ...sent, actions: await withPreferences(sent.actions) } as typeof sent;
    // A browser may refuse an option that it knows otherwise, with the whole notification.
    await showOne(title, options).catch(() => showOne(title, { data, body, tag } as typeof sent));
  } catch {
    return showFallback();
  }
  await countOpen(data, 1);
  await tell('displayed', data);
}

const showOne = (title: string, options: Message['options']): Promise<void> =>
  worker.registration.showNotification(title, options);

/** A page that shows it already comes to the front; otherwise a new one is opened. */
async function open(url: string): Promise<void> {
  const { href } = new URL(url, location.href);
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = pages.find((page) => page.url === href);
  // A page may be gone, or not be let to the front, by the time it is asked.
  const focused = await there?.focus().catch(() => undefined);
  if (focused === undefined) await worker.clients.openWindow(href);
}
