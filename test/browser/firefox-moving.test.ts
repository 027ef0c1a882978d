// tier: system
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formerSnippets, formerWorkers } from '../../api/sdk/former-workers.ts';
import { describeBrowser } from '../support/browsers/describe-browsers.ts';
import { startFirefox } from '../support/browsers/firefox.ts';
import { alertOf, alertsOf } from '../support/browsers/firefox-alerts.ts';
import {
  createFormerSender,
  type FormerSender,
  swapped,
  withOwnApp,
} from '../support/browsers/former-sender.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import { createPublisher } from '../support/browsers/publisher.ts';
import { putSdkOn, subscribeIn, visit } from '../support/browsers/visit.ts';

describeBrowser('firefox', 'a reader of another service, in Firefox', (executable) => {
  let newsroom: Newsroom;
  let browser: Browser;
  beforeAll(async () => {
    newsroom = await startNewsroom();
    browser = await startFirefox({ executable, pushServerUrl: newsroom.push.serverUrl });
  });
  afterAll(async () => {
    await browser?.close();
    await newsroom?.stop();
  });

  const placeOf = (name: string) => {
    const found = formerWorkers.find((each) => each.name === name);
    if (found === undefined) throw new Error(`no worker of ${name}`);
    return found;
  };
  const site = () => ({ appId: newsroom.appId, baseUrl: newsroom.apiUrl });
  const keysOf = async (own: Newsroom) =>
    (
      await own.client.get<{ data: { state: string; subscriptions: number }[] }>(
        `/apps/${own.appId}/vapid-keys`,
      )
    ).data;

  /** Subscribes at the old service's page, and leaves. */
  async function subscribedBefore(
    former: FormerSender,
    part: Awaited<ReturnType<Browser['createBrowserContext']>>,
  ) {
    former.putOn();
    const page = await part.newPage();
    await page.goto(newsroom.site.origin);
    const kept = await former.subscribeIn(page);
    await page.close();
    return kept;
  }

  it.each(['onesignal', 'firebase'])(
    'of the kind of %s gets the first notification after the swap without being asked, and is one subscription before and after its visit',
    async (name) => {
      const own = await withOwnApp(newsroom);
      const publisher = createPublisher(own);
      const place = placeOf(name);
      const former = createFormerSender(own, place);
      const part = await browser.createBrowserContext();
      const kept = await subscribedBefore(former, part);
      expect(await former.moved([kept])).toMatchObject({ inserted: 1, updated: 0 });
      const [moved] = await publisher.subscriptions();
      expect(moved).toMatchObject({ tags: { city: 'Ulm' } });

      // The swap. A page of the site without the SDK is enough where the worker's scope has it.
      own.site.setFile(place.path, formerSnippets(site(), place).worker);
      const story = await part.newPage();
      await story.goto(`${own.site.origin}/story`);
      await story.evaluate(swapped(place.scope ?? '/'));
      await story.close();
      await publisher.sendAndWait(`After the swap from ${name}`);
      await alertOf(part, `After the swap from ${name}`);
      expect((await alertsOf(part)).filter(({ title }) => title.startsWith('Former'))).toEqual([]);

      // The site's page with the SDK, as the snippet has it.
      putSdkOn(own, { workerUrl: place.path, ...(place.scope === undefined ? {} : { scope: place.scope }) });
      const reader = await visit(part, own.site.origin);
      await reader.shows('subscribed');
      const after = await publisher.subscriptions();
      expect(after).toHaveLength(1);
      expect(after[0]).toMatchObject({ id: moved?.id, tags: { city: 'Ulm' }, browser_name: 'Firefox' });
      await publisher.sendAndWait(`At home after ${name}`);
      await alertOf(part, `At home after ${name}`);
      await part.close();
    },
  );

  it('whose worker’s scope holds no page gets the new one with the first visit', async () => {
    const own = await withOwnApp(newsroom);
    const publisher = createPublisher(own);
    const place = placeOf('firebase');
    const former = createFormerSender(own, place);
    const part = await browser.createBrowserContext();
    await former.moved([await subscribedBefore(former, part)]);
    own.site.setFile(place.path, formerSnippets(site(), place).worker);
    putSdkOn(own, { workerUrl: place.path, ...(place.scope === undefined ? {} : { scope: place.scope }) });
    const reader = await visit(part, own.site.origin);
    await reader.shows('subscribed');
    await publisher.sendAndWait('By the new worker');
    await alertOf(part, 'By the new worker');
    await part.close();
  });

  it('leaves the former key beside the app’s own: both kinds of readers are reached, and move with a visit', async () => {
    const own = await withOwnApp(newsroom);
    const publisher = createPublisher(own);
    const place = placeOf('onesignal');
    const [first, second] = [await browser.createBrowserContext(), await browser.createBrowserContext()];
    putSdkOn(own);
    await subscribeIn(first, own);
    const former = createFormerSender(own, place);
    const kept = await subscribedBefore(former, second);
    await former.moved([kept]);
    expect(await keysOf(own)).toMatchObject([
      { state: 'active', subscriptions: 1 },
      { state: 'retiring', subscriptions: 1 },
    ]);
    // For the time in which both send: the file loads Broadside's part before what it held.
    own.site.setFile(
      place.path,
      `${formerSnippets(site(), { ...place, script: null }).beside}self.isFormer = true;
      addEventListener('install', () => skipWaiting());
      addEventListener('push', (event) => event.waitUntil(registration.showNotification('Former: ' + event.data.text())));`,
    );
    putSdkOn(own, { workerUrl: place.path });
    const story = await second.newPage();
    await story.goto(`${own.site.origin}/story`);
    await story.evaluate(swapped('/'));
    await story.close();
    // A failure of either would throw: each is signed for with the key that it was made with.
    await publisher.sendAndWait('For both keys');
    await alertOf(first, 'For both keys');
    expect((await alertsOf(first)).filter(({ title }) => title.startsWith('Former'))).toEqual([]);

    const reader = await visit(second, own.site.origin);
    await reader.shows('subscribed');
    expect(await keysOf(own)).toMatchObject([
      { state: 'active', subscriptions: 2 },
      { state: 'retiring', subscriptions: 0 },
    ]);
    await first.close();
    await second.close();
  });
});
