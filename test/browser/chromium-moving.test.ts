// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formerSnippets, formerWorkers } from '../../api/sdk/former-workers.ts';
import { borrowPush } from '../support/browsers/borrowed-push.ts';
import { describeBrowser } from '../support/browsers/describe-browsers.ts';
import { createFormerSender, swapped } from '../support/browsers/former-sender.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import { createPublisher } from '../support/browsers/publisher.ts';
import { meetWorker } from '../support/browsers/pushed-worker.ts';
import { openChromium } from '../support/browsers/readers.ts';
import { putSdkOn } from '../support/browsers/visit.ts';
import { until } from '../support/engine-harness.ts';

describeBrowser('chromium', 'a reader of another service, in Chromium', (executable) => {
  let newsroom: Newsroom;
  beforeAll(async () => {
    newsroom = await startNewsroom();
  });
  afterAll(() => newsroom?.stop());

  it('gets the first notification after the swap without being asked, and is one subscription before and after its visit', async () => {
    const publisher = createPublisher(newsroom);
    const place = formerWorkers.find(({ name }) => name === 'onesignal');
    if (place === undefined) throw new Error('no worker of OneSignal');
    const former = createFormerSender(newsroom, place);
    const browser = await openChromium(executable, newsroom.site.origin);
    try {
      former.putOn();
      const page = await browser.newPage();
      const mailboxes = await borrowPush(page, newsroom.push);
      // Whether the reader is asked again would show here.
      await page.evaluateOnNewDocument(
        `Notification.requestPermission = async () => { throw new Error('asked'); };`,
      );
      await page.goto(newsroom.site.origin);
      const kept = await former.subscribeIn(page);
      expect(await former.moved([kept])).toMatchObject({ inserted: 1 });
      const [moved] = await publisher.subscriptions();

      const site = { appId: newsroom.appId, baseUrl: newsroom.apiUrl };
      newsroom.site.setFile(place.path, formerSnippets(site, place).worker);
      // A page of the site without the SDK, where the browser looks for a new version of the worker.
      await page.goto(`${newsroom.site.origin}/story`);
      await page.evaluate(swapped('/'));
      const worker = await meetWorker(page);
      await publisher.sendAndWait('After the swap');
      expect(mailboxes).toHaveLength(1);
      await until('the message to arrive', async () => (mailboxes[0]?.messages.length ?? 0) > 0);
      await worker.push(mailboxes[0]?.messages[0] ?? '', 'After the swap');
      expect((await worker.shown()).filter(({ title }) => title.startsWith('Former'))).toEqual([]);

      putSdkOn(newsroom, { workerUrl: place.path });
      await page.goto(newsroom.site.origin);
      await page.waitForSelector('#notify[data-broadside-state=subscribed]');
      const after = await publisher.subscriptions();
      expect(after).toHaveLength(1);
      expect(after[0]).toMatchObject({ id: moved?.id, tags: { city: 'Ulm' } });
      await publisher.sendAndWait('At home');
      await until('the message to arrive', async () => (mailboxes.at(-1)?.messages.length ?? 0) > 0);
      await (await meetWorker(page)).push(mailboxes.at(-1)?.messages[0] ?? '', 'At home');
    } finally {
      await browser.close();
    }
  });
});
