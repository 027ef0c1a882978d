// tier: system
// People report subscriptions at `permanently-removed.invalid`, which browsers give for a moment after one was ended:
// https://github.com/Couchers-org/couchers/pull/8212, https://github.com/qegj567-cloud/SullyOS/pull/484
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { borrowPush } from '../support/browsers/borrowed-push.ts';
import { describeBrowser } from '../support/browsers/describe-browsers.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import { createPublisher, type Publisher } from '../support/browsers/publisher.ts';
import { openChromium, type ReadersBrowser } from '../support/browsers/readers.ts';
import { putSdkOn, subscribeIn, type Visit, visit } from '../support/browsers/visit.ts';
import { until } from '../support/engine-harness.ts';

const DEAD = 'permanently-removed.invalid';

/**
 * The next subscriptions of this page, `dead` of them, have the address that Chrome and Edge give for a moment after one
 * was ended. Its back-off waits until the test says `pass()`.
 */
const giveDead = (dead: number): string => `(() => {
  window.dead = ${dead};
  window.waits = [];
  const { subscribe } = PushManager.prototype;
  PushManager.prototype.subscribe = async function (options) {
    const made = await subscribe.call(this, options);
    if (window.dead-- <= 0) return made;
    const kept = JSON.parse(localStorage.getItem('test-subscription'));
    kept.subscription.endpoint = 'https://${DEAD}/' + crypto.randomUUID();
    localStorage.setItem('test-subscription', JSON.stringify(kept));
    return this.getSubscription();
  };
  const { setTimeout } = window;
  const waiting = [];
  window.pass = () => waiting.shift()?.();
  window.setTimeout = (work, ms, ...rest) => {
    if (![1_000, 2_000, 4_000, 8_000].includes(ms)) return setTimeout(work, ms, ...rest);
    window.waits.push(ms);
    waiting.push(work);
    return 0;
  };
})()`;

/** No operation of the SDK is under way in this browser. */
const idle = `navigator.locks.query().then(({ held, pending }) => held.length + pending.length === 0)`;
const kept = `localStorage.getItem('test-subscription')`;

describeBrowser('chromium', 'a subscription that the API refuses', (executable) => {
  let newsroom: Newsroom;
  let publisher: Publisher;
  let browser: ReadersBrowser;
  beforeAll(async () => {
    newsroom = await startNewsroom();
    publisher = createPublisher(newsroom);
    newsroom.front.refuse(DEAD);
  });
  afterAll(() => newsroom?.stop());
  beforeEach(async () => {
    putSdkOn(newsroom);
    browser = await openChromium(executable, newsroom.site.origin);
  });
  afterEach(() => browser.close());

  const open = (dead: number): Promise<Visit> =>
    visit(browser, newsroom.site.origin, async (page) => {
      await borrowPush(page, newsroom.push);
      await page.evaluateOnNewDocument(giveDead(dead));
    });
  /** The one that is refused is gone by then, and the page does not say that it is subscribed. */
  const passWait = async ({ page, run }: Visit, waits: number): Promise<void> => {
    await page.waitForFunction(`waits.length === ${waits}`);
    expect([await page.evaluate(kept), await run('broadside.state()')]).toEqual([null, 'unsubscribed']);
    await page.evaluate('pass()');
  };
  const subscribers = async (): Promise<number> => (await publisher.subscriptions()).length;

  it('is not kept: another one is asked for after a while, and then it is subscribed', async () => {
    const before = await subscribers();
    const reader = await open(2);
    await reader.shows('unsubscribed');
    await reader.click();
    await passWait(reader, 1);
    await passWait(reader, 2);
    await reader.shows('subscribed');
    expect(await reader.page.evaluate('waits')).toEqual([1_000, 2_000]);
    expect(await subscribers()).toBe(before + 1);
  });

  it('is given up after five, with its host named, and tried again by a click and by a visit', async () => {
    const before = await subscribers();
    const reader = await open(5);
    await reader.page.evaluate(
      `window.said = ready.then((broadside) => broadside.subscribe()).then(() => '', ({ message }) => message); 0`,
    );
    for (let waits = 1; waits <= 4; waits++) await passWait(reader, waits);
    expect(await reader.page.evaluate('said')).toBe(`Broadside: the API refuses subscriptions at ${DEAD}`);
    expect(await reader.page.evaluate('waits')).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect([await reader.page.evaluate(kept), await reader.state()]).toEqual([null, 'unsubscribed']);
    expect(await subscribers()).toBe(before);

    const visitor = await open(0);
    await visitor.shows('subscribed');
    expect(await subscribers()).toBe(before + 1);
    await visitor.click();
    await visitor.shows('opted-out');
    await reader.page.evaluate('window.dead = 1; 0');
    await reader.page.bringToFront();
    await reader.shows('opted-out');
    await reader.click();
    await reader.page.waitForFunction('waits.length === 5');
    await reader.page.evaluate('pass()');
    await reader.shows('subscribed');
  });

  it('ends with a no that is said during the back-off', async () => {
    const before = await subscribers();
    const reader = await open(1);
    await reader.click();
    await reader.page.waitForFunction('waits.length === 1');
    expect(await reader.run('broadside.unsubscribe()')).toBe('opted-out');
    await reader.page.evaluate('pass()');
    await reader.page.waitForFunction(idle);
    expect([await reader.page.evaluate(kept), await reader.run('broadside.state()')]).toEqual([
      null,
      'opted-out',
    ]);
    expect(await subscribers()).toBe(before);
  });

  it('is not the one of a reader about whom the page says something wrong', async () => {
    const reader = await subscribeIn(
      browser,
      newsroom,
      async (page) => void (await borrowPush(page, newsroom.push)),
    );
    const before = await subscribers();
    const tooMany = `Object.fromEntries([...Array(21).keys()].map((key) => [key, 'id']))`;
    const failure = await reader.run(
      `broadside.setExternalIds(${tooMany}).then(() => '', ({ message }) => message)`,
    );
    expect(failure).toBe('Broadside: ids or categories were refused');
    expect(await reader.run('broadside.state()')).toBe('subscribed');
    expect(await subscribers()).toBe(before);
  });

  it('is tried again where a rotated key made it', async () => {
    const reader = await subscribeIn(
      browser,
      newsroom,
      async (page) => void (await borrowPush(page, newsroom.push)),
    );
    await reader.page.close();
    const keys = `/apps/${newsroom.appId}/vapid-keys`;
    await newsroom.client.post(keys, {});
    const onNewKey = async (): Promise<number | undefined> => {
      const { data } = await newsroom.client.get<{ data: { state: string; subscriptions: number }[] }>(keys);
      return data.find(({ state }) => state === 'active')?.subscriptions;
    };
    const before = await onNewKey();
    // The API serves the new key within seconds.
    let waits = 0;
    let left: unknown;
    await until('the subscription to move', async () => {
      const { page, shows } = await open(1);
      await page.evaluate(`setInterval(() => pass(), 20); 0`);
      // Until the visit is over: a tab that closes takes it along.
      await page.waitForFunction(
        `performance.getEntriesByName('${newsroom.apiUrl}/api/v1/public/app').length > 0`,
      );
      await page.waitForFunction(idle);
      await shows('subscribed');
      waits += (await page.evaluate('waits.length')) as number;
      left = await page.evaluate(kept);
      await page.close();
      return (await onNewKey()) === (before ?? 0) + 1;
    });
    expect(waits).toBeGreaterThan(0);
    expect(left).not.toContain(DEAD);
  });
});
