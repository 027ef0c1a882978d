// tier: system
import { createECDH } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ece from 'http_ece';
import type { Browser, BrowserContext } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeBrowser } from '../support/browsers/describe-browsers.ts';
import { startFirefox } from '../support/browsers/firefox.ts';
import { alertOf, alertsOf } from '../support/browsers/firefox-alerts.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import { createPublisher, type Publisher } from '../support/browsers/publisher.ts';
import type { ReadersBrowser } from '../support/browsers/readers.ts';
import { putSdkOn, subscribeIn, visit } from '../support/browsers/visit.ts';
import { until } from '../support/engine-harness.ts';

const readSubscription = `navigator.serviceWorker.getRegistration('/broadside-worker.js')
  .then((found) => found.pushManager.getSubscription()).then((found) => found.toJSON())`;

interface Subscribed {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

const encryptFor = ({ keys }: Subscribed, text: string): Buffer => {
  const own = createECDH('prime256v1');
  own.generateKeys();
  const { p256dh: dh, auth: authSecret } = keys;
  return ece.encrypt(Buffer.from(text), { version: 'aes128gcm', privateKey: own, dh, authSecret });
};

describeBrowser('firefox', 'readers in Firefox', (executable) => {
  let newsroom: Newsroom;
  let publisher: Publisher;
  /** To start one takes most of a test: tests have a part of this one each. */
  let shared: Browser;
  /** Where two are the point, and for what a whole one does: its profile is kept from one start to the next. */
  let other: Browser | undefined;
  let profile: string;
  let parts: BrowserContext[];
  let channelsBefore: number;

  beforeEach(async () => {
    parts = [];
    channelsBefore = newsroom.push.channels();
    newsroom.front.requests.length = 0;
  });
  beforeAll(async () => {
    newsroom = await startNewsroom();
    publisher = createPublisher(newsroom);
    putSdkOn(newsroom);
    shared = await startFirefox({ executable, pushServerUrl: newsroom.push.serverUrl });
    profile = await mkdtemp(join(tmpdir(), 'broadside-firefox-'));
  });
  afterAll(async () => {
    await shared?.close();
    await other?.close();
    await newsroom?.stop();
    await rm(profile, { recursive: true, force: true });
  });
  afterEach(async () => {
    if (parts.length > 0) await forgetParts();
  });

  /** Closed, a part ends its subscriptions: the publisher learns it here, and not from the next test's delivery. */
  const forgetParts = async (): Promise<void> => {
    for (const part of parts) await part.close();
    await until('the push service to know', () => newsroom.push.channels() <= channelsBefore);
    const id = await publisher.send('Who is left?');
    await until('the publisher to know', async () =>
      ['success', 'partial', 'failed'].includes((await publisher.delivery(id)).status),
    );
  };
  const openOther = async (): Promise<Browser> => {
    other ??= await startFirefox({ executable, pushServerUrl: newsroom.push.serverUrl, profile });
    return other;
  };
  /** Of a browser, as one that was never used. */
  const openPart = async (browser = shared): Promise<ReadersBrowser> => {
    const part = await browser.createBrowserContext();
    parts.push(part);
    return part;
  };
  /** The browsers' reports about notifications. */
  const events = (): string[] =>
    newsroom.front.requests
      .filter(({ path, status }) => path === 'beacon' && status === 204)
      .flatMap(({ body }) => (body.events as { type: string }[]).map(({ type }) => type));

  it('unsubscribes by a second click: nothing arrives any more, and the reader is not asked again', async () => {
    const browser = await openPart();
    const before = (await publisher.subscriptions()).length;
    const channels = newsroom.push.channels();
    const reader = await subscribeIn(browser, newsroom);
    expect(await publisher.subscriptions()).toHaveLength(before + 1);
    expect(newsroom.push.channels()).toBe(channels + 1);
    await reader.click();
    await reader.shows('opted-out');
    expect(await publisher.subscriptions()).toHaveLength(before);
    await until('the push service to know', () => newsroom.push.channels() === channels);
    const again = await visit(browser, newsroom.site.origin);
    await again.shows('opted-out');
    await again.click();
    await again.shows('subscribed');
    expect(await publisher.subscriptions()).toHaveLength(before + 1);
  });

  it('keeps tags, also those set before subscribing', async () => {
    const browser = await openPart();
    const reader = await visit(browser, newsroom.site.origin);
    await reader.run(`broadside.setTags({ topic: 'sports' })`);
    await reader.shows('unsubscribed');
    await reader.click();
    await reader.shows('subscribed');
    await reader.run(`broadside.setTags({ city: 'Hamburg' })`);
    const { userId } = (await reader.run('broadside.user()')) as { userId: string };
    const mine = (await publisher.subscriptions()).find(({ user_identity }) => user_identity === userId);
    expect(mine?.tags).toEqual({ topic: 'sports', city: 'Hamburg' });
  });

  it('shows something for each message that cannot be read, and is still subscribed after twenty of them', async () => {
    // Outside of parts: in one of them Firefox sees nothing shown.
    const browser = shared;
    const reader = await subscribeIn(browser, newsroom);
    const subscription = (await reader.run(readSubscription)) as Subscribed;
    const channels = newsroom.push.channels();
    // Firefox allows more of a site that is open.
    await reader.page.goto('about:blank');
    for (let sent = 0; sent < 20; sent++) {
      const before = newsroom.push.acknowledged();
      newsroom.push.deliver(subscription.endpoint, encryptFor(subscription, 'not JSON'));
      await until('Firefox to take it', () => newsroom.push.acknowledged() > before);
    }
    // Firefox looks three seconds after each whether something is shown.
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect(newsroom.push.channels()).toBe(channels);
    await alertOf(browser, 'localhost');
    expect(events()).toEqual([]);
    await publisher.sendAndWait('Readable');
    await alertOf(browser, 'Readable');
    const again = await visit(browser, newsroom.site.origin);
    await again.shows('subscribed');
    await again.click();
    await again.shows('opted-out');
    await again.page.close();
  });

  it('reports a notification that was dismissed without a click', async () => {
    const browser = await openPart();
    await subscribeIn(browser, newsroom);
    const { id } = await publisher.sendAndWait('Not for me');
    await (await alertOf(browser, 'Not for me')).close();
    await until('the beacon', () => events().includes('closed'));
    expect(events().sort()).toEqual(['closed', 'displayed']);
    expect(await publisher.delivery(id)).toMatchObject({ click_count: 0 });
  });

  it('reaches two browsers of one user, and each is a subscription of its own', async () => {
    putSdkOn(newsroom, { userId: 'ada' });
    const [desk, sofa] = [await openPart(), await openPart(await openOther())];
    const first = await subscribeIn(desk, newsroom);
    await subscribeIn(sofa, newsroom);
    const ofAda = async () =>
      (await publisher.subscriptions()).filter(({ user_identity }) => user_identity === 'ada');
    expect(await ofAda()).toHaveLength(2);
    const { id } = await publisher.sendAndWait('To both of hers');
    const alerts = await Promise.all([desk, sofa].map((each) => alertOf(each, 'To both of hers')));
    await Promise.all(alerts.map((alert) => alert.click()));
    await until('both clicks', async () => (await publisher.delivery(id)).click_count === 2);
    await first.click();
    await first.shows('opted-out');
    expect(await ofAda()).toHaveLength(1);
    putSdkOn(newsroom);
  });

  it('gets a fresh subscription where it lost its storage, and can end that', async () => {
    const browser = await openPart();
    const before = (await publisher.subscriptions()).length;
    const lost = await subscribeIn(browser, newsroom);
    await lost.page.evaluate(`new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase('broadside');
      request.onsuccess = resolve;
      request.onerror = reject;
    })`);
    await lost.page.close();
    const reader = await visit(browser, newsroom.site.origin);
    await reader.shows('subscribed');
    await until('the one before to be known as gone', async () => {
      await publisher.send('Still there?');
      return (await publisher.subscriptions()).length === before + 1;
    });
    await reader.click();
    await reader.shows('opted-out');
    expect(await publisher.subscriptions()).toHaveLength(before);
  });

  it('takes over the subscription that the site’s own script made without a secret', async () => {
    const browser = await openPart();
    const body = '<button id="notify">Notifications</button>';
    const { apiUrl, appId, site } = newsroom;
    site.setPage({
      apiUrl,
      body,
      script: 'window.ready = navigator.serviceWorker.register("/broadside-worker.js");',
    });
    const own = await browser.newPage();
    await own.goto(site.origin);
    await own.evaluate(`(async () => {
      const post = (path, body) => fetch('${apiUrl}/api/v1/public/' + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-app-id': '${appId}' },
        body: JSON.stringify(body),
      });
      const key = await (await fetch('${apiUrl}/api/v1/public/app', { headers: { 'x-app-id': '${appId}' } })).json();
      await navigator.serviceWorker.ready;
      const { pushManager } = await ready;
      const options = { userVisibleOnly: true, applicationServerKey: key.vapidPublicKey };
      await post('subscribe', { userId: 'of-the-site', subscription: await pushManager.subscribe(options) });
      await post('subscription-tags', { userId: 'of-the-site', tags: [{ key: 'city', value: 'Ulm' }] });
    })()`);
    const [before] = await publisher.subscriptions();
    expect(before).toMatchObject({ user_identity: 'of-the-site', tags: { city: 'Ulm' } });
    putSdkOn(newsroom);
    const reader = await visit(browser, site.origin);
    await reader.shows('subscribed');
    const { userId } = (await reader.run('broadside.user()')) as { userId: string };
    const [after] = await publisher.subscriptions();
    expect(after).toMatchObject({ id: before?.id, user_identity: userId, tags: { city: 'Ulm' } });
    await publisher.send('Known by its secret');
    await alertOf(browser, 'Known by its secret');
  });

  it('gets messages sent while it was closed', async () => {
    const before = await openOther();
    const reader = await subscribeIn(before, newsroom);
    await before.close();
    other = undefined;
    await publisher.sendAndWait('While you were away');
    const after = await openOther();
    const alert = await alertOf(after, 'While you were away');
    expect(alert.text).toBe('Ferries stop at noon.');
    expect(reader.page.isClosed()).toBe(true);
    const again = await visit(after, newsroom.site.origin);
    await again.click();
    await again.shows('opted-out');
  });

  it('reaches two profiles, and after one has unsubscribed the other', async () => {
    const [ada, grace] = [await openPart(), await openPart(await openOther())];
    const reader = await subscribeIn(ada, newsroom);
    await subscribeIn(grace, newsroom);
    await publisher.sendAndWait('To both');
    await Promise.all([alertOf(ada, 'To both'), alertOf(grace, 'To both')]);
    await reader.click();
    await reader.shows('opted-out');
    await publisher.sendAndWait('To one');
    await alertOf(grace, 'To one');
    expect((await alertsOf(ada)).map(({ title }) => title)).not.toContain('To one');
  });

  it('subscribes again when the app’s key was rotated, on the next visit, without asking', async () => {
    const browser = await openPart();
    await subscribeIn(browser, newsroom);
    const keys = `/apps/${newsroom.appId}/vapid-keys`;
    await newsroom.client.post(keys, {});
    const onNewKey = async (): Promise<number | undefined> => {
      const { data } = await newsroom.client.get<{ data: { state: string; subscriptions: number }[] }>(keys);
      return data.find(({ state }) => state === 'active')?.subscriptions;
    };
    expect(await onNewKey()).toBe(0);
    // The API serves the new key within seconds; earlier visitors keep the old one for the visit.
    await until('the subscription to move', async () => {
      const { page, shows } = await visit(browser, newsroom.site.origin);
      await shows('subscribed');
      const isOver = (await onNewKey()) === 1;
      await page.close();
      return isOver;
    });
    await publisher.sendAndWait('Signed with the new key');
    await alertOf(browser, 'Signed with the new key');
  });

  it('subscribes again by its worker alone when the push service has lost the subscription', async () => {
    // Its parts would subscribe again as well.
    await shared.close();
    const browser = await openPart(await openOther());
    const reader = await subscribeIn(browser, newsroom);
    const left = await reader.run('broadside.user()');
    await reader.page.goto('about:blank');
    const subscribed = newsroom.front.requests.filter(({ path }) => path === 'subscribe').length;
    newsroom.push.forget();
    await until(
      'the worker to report another subscription',
      () => newsroom.front.requests.filter(({ path }) => path === 'subscribe').length > subscribed,
    );
    // The other tests' browsers are closed, and gone for the service.
    await publisher.send('Found you again');
    await alertOf(browser, 'Found you again');
    await until('those that are gone to be unsubscribed', async () => {
      const { userId } = left as { userId: string };
      const subscribed = await publisher.subscriptions();
      return subscribed.length === 1 && subscribed[0]?.user_identity === userId;
    });
  });
});
