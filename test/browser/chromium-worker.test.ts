// tier: system
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { borrowPush } from '../support/browsers/borrowed-push.ts';
import { describeBrowser } from '../support/browsers/describe-browsers.ts';
import { countKept } from '../support/browsers/kept-profile.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import { createPublisher, type Publisher } from '../support/browsers/publisher.ts';
import { meetWorker, type PushedWorker } from '../support/browsers/pushed-worker.ts';
import { openChromium, type ReadersBrowser } from '../support/browsers/readers.ts';
import { putSdkOn, subscribeIn } from '../support/browsers/visit.ts';
import { until } from '../support/engine-harness.ts';
import type { Mailbox } from '../support/mozilla-push/mailbox.ts';

interface ReportedEvent {
  readonly id: string;
  readonly type: string;
  readonly action?: string;
  readonly at: string;
}

describeBrowser('chromium', 'the service worker in Chromium', (executable) => {
  let newsroom: Newsroom;
  let publisher: Publisher;
  let browser: ReadersBrowser;
  let page: Page;
  let worker: PushedWorker;
  let mailboxes: readonly Mailbox[];
  let userId: unknown;

  beforeAll(async () => {
    newsroom = await startNewsroom();
    publisher = createPublisher(newsroom);
    putSdkOn(newsroom);
    await newsroom.client.put(`/apps/${newsroom.appId}`, {
      ...{ name: 'Example News', site_domain: newsroom.site.origin },
      fallback_text: 'Open us for the news.',
    });
  });
  afterAll(() => newsroom?.stop());
  beforeEach(() => {
    newsroom.front.restore();
    newsroom.front.requests.length = 0;
  });
  /** One that was never here. */
  const openReader = async (): Promise<void> => {
    browser = await openChromium(executable, newsroom.site.origin);
    const reader = await subscribeIn(browser, newsroom, async (fresh) => {
      mailboxes = await borrowPush(fresh, newsroom.push);
    });
    page = reader.page;
    userId = ((await reader.run('broadside.user()')) as { userId: string }).userId;
    worker = await meetWorker(page);
  };
  const closeReader = (): Promise<void> => browser.close();

  const story = (path: string): string => `${newsroom.site.origin}/${path}`;
  const buttons = () => ({
    action_buttons: [
      { title: 'Map', url: story('map') },
      { title: 'Live', url: story('live') },
    ],
  });
  /** The message as the engine encrypted it for this browser. */
  const messageOf = async (title: string, changes: object = {}): Promise<string> => {
    await publisher.send(title, changes);
    let message: string | undefined;
    await until(`“${title}” to come`, () => {
      message = mailboxes.at(-1)?.messages.find((one) => one.includes(title));
      return message !== undefined;
    });
    return message ?? '';
  };
  /** Once each: a repeated event has the same id, and the API counts it once. */
  const events = (): ReportedEvent[] => {
    const all = newsroom.front.requests
      // Of this reader: the last beacon of the one before may still be on its way.
      .filter(({ path, status, body }) => path === 'beacon' && status === 204 && body.userId === userId)
      .flatMap(({ body }) => body.events as ReportedEvent[]);
    return [...new Map(all.map((event) => [event.id, event])).values()];
  };
  const types = (): string[] =>
    events()
      .map(({ type, action }) => (action ? `${type} ${action}` : type))
      .sort();
  const reports = async (...expected: string[]): Promise<void> => {
    await until('the beacons', () => types().length >= expected.length, 120_000).catch(() => {});
    expect(types()).toEqual(expected.sort());
  };

  describe('of a reader of its own', () => {
    beforeEach(openReader);
    afterEach(closeReader);

    it('shows a notification with its buttons and its tag, and reports it', async () => {
      const message = await messageOf('Storm', { ...buttons(), topic: 'weather', require_interaction: true });
      expect(await worker.push(message, 'Storm')).toMatchObject({
        ...{ body: 'Ferries stop at noon.', tag: 'weather', renotify: false },
        actions: [
          { action: 'button-0', title: 'Map' },
          { action: 'button-1', title: 'Live' },
        ],
      });
      await reports('displayed');
    });

    it('knows every option of a message', async () => {
      const message = JSON.parse(await messageOf('Options'));
      const options = {
        ...{ image: story('storm.png'), requireInteraction: true, vibrate: [200, 100, 200], renotify: true },
      };
      Object.assign(message.notification, options);
      expect(await worker.push(JSON.stringify(message), 'Options')).toMatchObject(options);
      Object.assign(message.notification, { title: 'Hush', silent: true, vibrate: undefined, tag: 'hush' });
      expect(await worker.push(JSON.stringify(message), 'Hush')).toMatchObject({ silent: true, vibrate: [] });
    });

    it('replaces the first copy with the second', async () => {
      const message = await messageOf('Once');
      await worker.push(message, 'Once');
      await reports('displayed');
      await worker.push(message, 'Once');
      await reports('displayed', 'displayed');
      expect(await worker.shown()).toHaveLength(1);
    });

    it('opens the story on a click, and each button’s own page', async () => {
      await worker.push(await messageOf('First', buttons()), 'First');
      expect(await worker.click('First')).toEqual([`open ${story('storm')}`]);
      expect(await worker.shown()).toEqual([]);
      await worker.push(await messageOf('Second', buttons()), 'Second');
      expect(await worker.click('Second', 'button-1')).toEqual([`open ${story('live')}`]);
      const all = ['displayed', 'clicked', 'displayed', 'clicked button-1'];
      await reports(...all);
      // The browser closes them; the worker's report comes before the next message's beacon.
      await worker.push(await messageOf('Third'), 'Third');
      await reports(...all, 'displayed');
    });

    it('brings the page to the front that shows the story already', async () => {
      const open = await browser.newPage();
      await open.goto(story('storm'));
      await worker.push(await messageOf('Known'), 'Known');
      expect(await worker.click('Known')).toEqual([`focus ${story('storm')}`]);
    });

    it('reports a notification that was dismissed', async () => {
      await worker.push(await messageOf('Later'), 'Later');
      await worker.close('Later');
      await reports('closed', 'displayed');
    });

    it('keeps events over its own end while offline, and sends them when the browser is online again', async () => {
      const message = await messageOf('Offline', buttons());
      await worker.setOffline(true);
      await worker.push(message, 'Offline');
      await worker.click('Offline', 'button-0');
      const clickedAt = Date.now();
      await worker.stop();
      expect(types()).toEqual([]);
      // Only the clock goes on: an event that was dated when it is sent would be later than the click.
      await new Promise((resolve) => setTimeout(resolve, 100));
      await worker.setOffline(false);
      await worker.sync();
      await reports('clicked button-0', 'displayed');
      for (const { at } of events()) expect(Date.parse(at)).toBeLessThanOrEqual(clickedAt);
      await worker.sync();
      expect(types()).toHaveLength(2);
    });

    it('keeps events that the API could not take, and the page sends them when it is online again', async () => {
      const message = await messageOf('Cut off');
      newsroom.front.cut();
      await worker.push(message, 'Cut off');
      await worker.close('Cut off');
      // The worker keeps on after what is seen: the page sends what is kept by the time that it is online.
      await until('both to be kept', async () => (await page.evaluate(countKept)) === 2);
      // The code that sends them cannot be had now: a page that stays open asks for it again.
      const failed = new Promise<void>((resolve) => {
        page.on('requestfailed', (request) => request.resourceType() === 'script' && resolve());
      });
      await page.evaluate(`dispatchEvent(new Event('online'))`);
      await failed;
      newsroom.front.restore();
      await page.setOfflineMode(true);
      await page.waitForFunction('!navigator.onLine');
      await page.setOfflineMode(false);
      await reports('closed', 'displayed');
      const ids = new Set(events().map(({ id }) => id));
      expect(ids.size).toBe(2);
    });

    it('sends what is kept though the network comes after the browser says so', async () => {
      newsroom.front.cut();
      await worker.push(await messageOf('Soon online'), 'Soon online');
      await until('it to be kept', async () => (await page.evaluate(countKept)) === 1);
      newsroom.front.restore();
      let isFirst = true;
      await page.setRequestInterception(true);
      page.on('request', (request) => {
        const isEarly = isFirst && request.resourceType() === 'script';
        if (isEarly) isFirst = false;
        void (isEarly ? request.abort('internetdisconnected') : request.continue());
      });
      await page.evaluate(`dispatchEvent(new Event('online'))`);
      await reports('displayed');
      expect(isFirst).toBe(false);
    });

    it('keeps events that a busy API could not take, and an open page sends them by itself', async () => {
      const message = await messageOf('Busy');
      newsroom.front.busy();
      await worker.push(message, 'Busy');
      await until('it to be kept', async () => (await page.evaluate(countKept)) === 1);
      const refused = () => newsroom.front.requests.filter(({ status }) => status === 503).length;
      const before = refused();
      await page.evaluate(`dispatchEvent(new Event('online'))`);
      await until('the page to try', () => refused() > before);
      newsroom.front.restore();
      await reports('displayed');
    });

    it('shows something for a message that comes while the browser’s storage hangs', async () => {
      await worker.evaluate('indexedDB.open = () => ({}), 0');
      expect(await worker.push('not JSON', 'localhost')).toMatchObject({ body: '' });
      await worker.push(await messageOf('Without storage'), 'Without storage');
    });

    it('shows something for a message that comes while the browser’s storage fails', async () => {
      await worker.evaluate('indexedDB.open = () => { throw new Error("no storage") }, 0');
      expect(await worker.push('not JSON', 'localhost')).toMatchObject({ body: '' });
      await worker.push(await messageOf('No storage'), 'No storage');
    });
    it('shows a notification that a browser with Declarative Web Push passes on, and counts it', async () => {
      const { notification } = JSON.parse(await messageOf('Declared', buttons()));
      await worker.evaluate(`(async (notification) => {
        const event = new ExtendableEvent('push');
        const waited = [];
        Object.assign(event, { data: null, notification, waitUntil: (work) => waited.push(work) });
        self.dispatchEvent(event);
        await Promise.all(waited);
      })(${JSON.stringify({ ...notification, silent: false, image: '', vibrate: [] })})`);
      expect(await worker.shown()).toMatchObject([{ title: 'Declared', body: 'Ferries stop at noon.' }]);
      expect(await worker.click('Declared', 'button-0')).toEqual([`open ${story('map')}`]);
      await reports('clicked button-0', 'displayed');
    });
  });

  describe('something is shown, and no subscription is lost, for', () => {
    // One for all: each test waits for what its message leads to.
    beforeAll(openReader);
    afterAll(closeReader);

    const proof = { app: 'news', delivery: 'dlv_1', proof: 'proof' };
    const broken = (notification: object): string => JSON.stringify({ web_push: 8030, notification });

    it.each([
      ['text that is not JSON', 'not JSON'],
      ['JSON of somebody else', '{"title":"Hello"}'],
      ['null', 'null'],
      ['a message that proves nothing', broken({ title: 'x' })],
      ['a message without a title', broken({ navigate: 'https://news.example/', data: proof })],
      ['a title that is not a text', broken({ title: { a: 1 }, data: proof })],
    ])('%s', async (_, data) => {
      expect(await worker.push(data, 'localhost')).toMatchObject({ body: 'Open us for the news.' });
      expect(await worker.click('localhost')).toEqual([`focus ${story('')}`]);
      expect(types()).toEqual([]);
    });

    it.each([
      ['Buttons that are none', { actions: 'none' }],
      ['Options that the browser refuses', { vibrate: [1], silent: true, tag: 'own' }],
      ['An address that is none', { navigate: 7 }],
    ])('%s: the rest of the message is readable', async (title, changes) => {
      const message = JSON.parse(await messageOf(title));
      Object.assign(message.notification, changes);
      expect(await worker.push(JSON.stringify(message), title)).toMatchObject({
        body: 'Ferries stop at noon.',
      });
      await reports('displayed');
    });
  });
});
