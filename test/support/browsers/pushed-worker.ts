import type { CDPSession, Page, WebWorker } from 'puppeteer-core';
import { until } from '../engine-harness.ts';

/** A notification as the page's registration knows it. */
export interface Shown {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly image: string;
  readonly icon: string;
  readonly badge: string;
  readonly dir: string;
  readonly lang: string;
  readonly timestamp: number;
  readonly requireInteraction: boolean;
  readonly silent: boolean | null;
  readonly vibrate: readonly number[];
  readonly renotify: boolean;
  readonly actions: readonly { readonly action: string; readonly title: string }[];
}

/** A site's service worker in Chromium, and what reaches it from outside. */
export interface PushedWorker {
  /** As the push service would, over the DevTools protocol. Resolves when the title is shown. */
  push(data: string, title: string): Promise<Shown>;
  shown(): Promise<readonly Shown[]>;
  /** @returns what it led to, such as `open https://…` or `focus https://…` */
  click(title: string, action?: string): Promise<readonly string[]>;
  close(title: string): Promise<void>;
  /** The device is online again, says the browser. */
  sync(): Promise<void>;
  /** As browsers do once a worker idles. */
  stop(): Promise<void>;
  setOffline(isOffline: boolean): Promise<void>;
  evaluate(script: string): Promise<unknown>;
}

/** For any browser: null where it does not know a property. */
export const readShown = `(async () => {
  const registration = await navigator.serviceWorker.ready;
  const names = ['title', 'body', 'tag', 'image', 'icon', 'badge', 'dir', 'lang', 'timestamp', 'requireInteraction',
    'silent', 'vibrate', 'renotify', 'actions'];
  return (await registration.getNotifications()).map((one) =>
    Object.fromEntries(names.map((name) => [name, JSON.parse(JSON.stringify(one[name] ?? null))])));
})()`;

/**
 * Chromium forgets a notification that is asked for between being kept and being drawn, and the first one takes
 * long to be drawn. So one is drawn beforehand, and the others are asked for only once they are.
 */
const warmUp = `(async () => {
  const registration = await navigator.serviceWorker.ready;
  const wait = () => new Promise((resolve) => setTimeout(resolve, 500));
  for (let shown = []; shown.length === 0; shown = await registration.getNotifications()) {
    await registration.showNotification('Warm up', { tag: 'warm-up' });
    await wait();
  }
  for (const shown of await registration.getNotifications()) shown.close();
})()`;

/** Runs in the worker: keeps the titles that were drawn. */
const watch = `self.drawn ??= (() => {
  const titles = [];
  const show = ServiceWorkerRegistration.prototype.showNotification;
  ServiceWorkerRegistration.prototype.showNotification = async function (title, options) {
    await show.call(this, title, options);
    titles.push(title);
  };
  return titles;
})()`;

/** The page must be one of the worker's site, with the worker running. */
export async function meetWorker(page: Page): Promise<PushedWorker> {
  const devtools = await page.createCDPSession();
  const registrationId = await registrationOf(devtools);
  await page.evaluate(warmUp);
  const origin = new URL(page.url()).origin;
  const shown = (): Promise<readonly Shown[]> => page.evaluate(readShown) as Promise<readonly Shown[]>;

  /** The one that runs now: a stopped worker starts again as another. */
  async function running(): Promise<WebWorker> {
    await devtools.send('ServiceWorker.startWorker', { scopeURL: `${origin}/` });
    const target = await page.browser().waitForTarget((one) => one.type() === 'service_worker');
    const worker = await target.worker();
    if (worker === null) throw new Error('the service worker is not reached');
    return worker;
  }
  const evaluate = async (script: string): Promise<unknown> => (await running()).evaluate(script);
  const happen = (name: string, title: string, action: string): Promise<unknown> =>
    evaluate(`(${dispatch})(${JSON.stringify([name, title, action])})`);

  const drawn = async (title: string): Promise<readonly string[]> =>
    ((await evaluate(watch)) as readonly string[]).filter((one) => one === title);

  return {
    shown,
    evaluate,
    async push(data, title) {
      await evaluate(watch);
      const before = (await drawn(title)).length;
      await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
      await until(`Chromium to show “${title}”`, async () => (await drawn(title)).length > before, 20_000);
      const found = (await shown()).find((one) => one.title === title);
      if (found === undefined) throw new Error(`“${title}” was shown and is gone`);
      return found;
    },
    click: async (title, action = '') =>
      (await happen('notificationclick', title, action)) as readonly string[],
    close: async (title) => void (await happen('notificationclose', title, '')),
    sync: () =>
      devtools.send('ServiceWorker.dispatchSyncEvent', {
        ...{ origin, registrationId, tag: 'broadside', lastChance: false },
      }),
    stop: () => devtools.send('ServiceWorker.stopAllWorkers'),
    setOffline: async (isOffline) => {
      const { client } = await running();
      await client.send('Network.enable');
      await client.send('Network.emulateNetworkConditions', {
        ...{ offline: isOffline, latency: 0, downloadThroughput: -1, uploadThroughput: -1 },
      });
    },
  };
}

async function registrationOf(devtools: CDPSession): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const [registration] = registrations.filter(({ isDeleted }) => !isDeleted);
    if (registration !== undefined) resolve(registration.registrationId);
  });
  await devtools.send('ServiceWorker.enable');
  return promise;
}

/**
 * Runs in the worker. No protocol clicks a notification of a headless Chromium, so the event is made here. Only
 * a real click lets a worker open a window: Firefox proves that, and here is written down what would open.
 */
const dispatch = `async ([name, title, action]) => {
  const led = [];
  clients.openWindow = async (url) => { led.push('open ' + url); return null; };
  WindowClient.prototype.focus = async function () { led.push('focus ' + this.url); return this; };
  const notification = (await registration.getNotifications()).find((one) => one.title === title);
  const event = new NotificationEvent(name, { notification, action });
  const waited = [];
  event.waitUntil = (work) => waited.push(work);
  self.dispatchEvent(event);
  await Promise.all(waited);
  return led;
}`;
