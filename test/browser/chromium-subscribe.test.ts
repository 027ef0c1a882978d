// tier: system
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { borrowPush } from '../support/browsers/borrowed-push.ts';
import { describeBrowser } from '../support/browsers/describe-browsers.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import { createPublisher, type Publisher, type Subscription } from '../support/browsers/publisher.ts';
import { meetWorker } from '../support/browsers/pushed-worker.ts';
import { openChromium, type ReadersBrowser } from '../support/browsers/readers.ts';
import { putSdkOn, subscribeIn, type Visit, visit } from '../support/browsers/visit.ts';
import { until } from '../support/engine-harness.ts';
import type { Mailbox } from '../support/mozilla-push/mailbox.ts';

/**
 * The page's push service answers when the test lets it, and the 30 seconds of `subscribe()` and the 25 of its turn
 * pass when it says so. `attempts` are those under way; `clocks` the timers of these that run.
 */
const holdUp = `(() => {
  const attempts = (window.attempts = []);
  const clocks = (window.clocks = new Map());
  const { subscribe } = PushManager.prototype;
  PushManager.prototype.subscribe = function (options) {
    const answer = Promise.withResolvers();
    attempts.push(answer);
    return answer.promise.then(() => subscribe.call(this, options));
  };
  const { setTimeout, clearTimeout } = window;
  window.setTimeout = (work, ms, ...rest) => {
    if (ms !== 30_000 && ms !== 25_000) return setTimeout(work, ms, ...rest);
    const id = setTimeout(() => {});
    clocks.set(id, work);
    return id;
  };
  window.clearTimeout = (id) => {
    clocks.delete(id);
    clearTimeout(id);
  };
})()`;

describeBrowser('chromium', 'subscribing in Chromium', (executable) => {
  let newsroom: Newsroom;
  let publisher: Publisher;
  let browsers: ReadersBrowser[];

  beforeAll(async () => {
    newsroom = await startNewsroom();
    publisher = createPublisher(newsroom);
  });
  afterAll(() => newsroom?.stop());
  beforeEach(() => {
    browsers = [];
    putSdkOn(newsroom);
  });
  afterEach(async () => {
    for (const browser of browsers) await browser.close();
  });

  /** One that was never used. */
  const open = async (): Promise<ReadersBrowser> => {
    const browser = await openChromium(executable, newsroom.site.origin);
    browsers.push(browser);
    return browser;
  };

  /** A reader who allowed notifications while the push service does not answer, and whose 30 seconds have passed. */
  const giveUp = async (): Promise<Visit> => {
    const reader = await visit(await open(), newsroom.site.origin, async (page: Page) => {
      await borrowPush(page, newsroom.push);
      await page.evaluateOnNewDocument(holdUp);
    });
    await reader.shows('unsubscribed');
    await reader.run('{ window.states = []; broadside.onState((state) => states.push(state)); }');
    await reader.page.evaluate(`window.said = ready.then((broadside) => broadside.subscribe())
      .then(() => 'subscribed', (error) => error.message); 0`);
    await reader.page.waitForFunction('attempts.length === 1 && clocks.size === 2');
    expect(await reader.run('broadside.state()')).toBe('unsubscribed');
    await reader.page.evaluate('[...clocks.values()].forEach((work) => work())');
    expect(await reader.page.evaluate('said')).toBe('Broadside: not subscribed within 30 s');
    await reader.shows('timed-out');
    return reader;
  };
  const states = (reader: Visit): Promise<unknown> => reader.page.evaluate('states');

  it('times out where the push service does not answer, and reports a late success', async () => {
    const reader = await giveUp();
    const before = (await publisher.subscriptions()).length;
    await reader.page.evaluate('attempts[0].resolve()');
    await reader.shows('subscribed');
    expect(await states(reader)).toEqual(['unsubscribed', 'timed-out', 'subscribed']);
    expect(await publisher.subscriptions()).toHaveLength(before + 1);
  });

  it('reports a failure after it timed out', async () => {
    const reader = await giveUp();
    await reader.page.evaluate(`attempts[0].reject(new DOMException('no service', 'AbortError'))`);
    await reader.shows('unsubscribed');
    expect(await states(reader)).toEqual(['unsubscribed', 'timed-out', 'unsubscribed']);
  });

  it('can be retried after it timed out, and leaves no timer once it is done', async () => {
    const reader = await giveUp();
    await reader.click();
    await reader.page.waitForFunction('attempts.length === 2');
    expect(await reader.run('broadside.state()')).toBe('unsubscribed');
    await reader.page.evaluate('attempts[1].resolve()');
    await reader.shows('subscribed');
    expect(await reader.page.evaluate('clocks.size')).toBe(0);
  });

  it('reaches two browsers of one user, and each is a subscription of its own', async () => {
    putSdkOn(newsroom, { userId: 'ada' });
    const ofAda = async (): Promise<readonly Subscription[]> =>
      (await publisher.subscriptions()).filter(({ user_identity }) => user_identity === 'ada');
    const subscribe = async () => {
      let mailboxes: readonly Mailbox[] = [];
      const reader = await subscribeIn(await open(), newsroom, async (page) => {
        mailboxes = await borrowPush(page, newsroom.push);
      });
      return { reader, messages: () => mailboxes.flatMap(({ messages }) => messages) };
    };
    const desk = await subscribe();
    const [first] = await ofAda();
    const sofa = await subscribe();
    expect((await ofAda()).map(({ id }) => id)).toContain(first?.id);
    expect(await ofAda()).toHaveLength(2);

    const { id } = await publisher.sendAndWait('To both of hers');
    for (const { reader, messages } of [desk, sofa]) {
      await until('the message', () => messages().length === 1);
      const worker = await meetWorker(reader.page);
      await worker.push(messages()[0] ?? '', 'To both of hers');
      await worker.click('To both of hers');
    }
    await until('both clicks', async () => (await publisher.delivery(id)).click_count === 2);

    await desk.reader.click();
    await desk.reader.shows('opted-out');
    expect((await ofAda()).map((each) => each.id === first?.id)).toEqual([false]);
    await publisher.sendAndWait('To the one that is left');
    await until('the second message', () => sofa.messages().length === 2);
    expect(desk.messages()).toHaveLength(1);
  });
});
