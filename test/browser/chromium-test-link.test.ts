// tier: system
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { borrowPush } from '../support/browsers/borrowed-push.ts';
import { describeBrowser } from '../support/browsers/describe-browsers.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import { openChromium, type ReadersBrowser } from '../support/browsers/readers.ts';
import { putSdkOn, subscribeIn, type Visit, visit } from '../support/browsers/visit.ts';
import { until } from '../support/engine-harness.ts';
import type { Mailbox } from '../support/mozilla-push/mailbox.ts';

interface TestBrowser {
  readonly id: number;
  readonly name: string;
}

describeBrowser('chromium', 'a link that registers a browser for tests, in Chromium', (executable) => {
  let newsroom: Newsroom;
  let browsers: ReadersBrowser[];

  beforeAll(async () => {
    newsroom = await startNewsroom();
  });
  afterAll(() => newsroom?.stop());
  beforeEach(() => {
    browsers = [];
    putSdkOn(newsroom);
  });
  afterEach(async () => {
    for (const browser of browsers) await browser.close();
  });

  const open = async (): Promise<ReadersBrowser> => {
    const browser = await openChromium(executable, newsroom.site.origin);
    browsers.push(browser);
    return browser;
  };
  const path = (rest: string): string => `/apps/${newsroom.appId}/${rest}`;
  const list = async () => (await newsroom.client.get<{ data: TestBrowser[] }>(path('test-browsers'))).data;
  const link = async () =>
    (await newsroom.client.post<{ data: { url: string; token: string } }>(path('test-browsers/link'), {}))
      .data;
  const kept = (reader: Visit) => reader.page.evaluate(`sessionStorage.getItem('broadside-test')`);
  const address = (reader: Visit) => reader.page.evaluate('location.href');

  it('waits until the reader has subscribed, and takes its token off the address at once', async () => {
    const { url, token } = await link();
    let mailboxes: readonly Mailbox[] = [];
    const reader = await visit(await open(), url, async (page) => {
      mailboxes = await borrowPush(page, newsroom.push);
    });
    expect(await address(reader)).toBe(`${newsroom.site.origin}/`);
    await reader.shows('unsubscribed');
    expect([await kept(reader), await list()]).toEqual([token, []]);
    await reader.click();
    await reader.shows('subscribed');
    await until('it to be registered', async () => (await list()).length === 1);
    expect((await list())[0]?.name).toMatch(/^Chrom(e|ium) on /);
    expect(await kept(reader)).toBeNull();

    const body = { title: 'Only for us', body: 'A test', url: `${newsroom.site.origin}/storm` };
    await newsroom.client.post(path('deliveries/test'), body);
    await until('the test', () => mailboxes.flatMap(({ messages }) => messages).length === 1);
  });

  it('registers a browser that is subscribed already, also in a tab that has the page open', async () => {
    const browser = await open();
    const prepare = async (page: Page): Promise<void> => void (await borrowPush(page, newsroom.push));
    const reader = await subscribeIn(browser, newsroom, prepare);
    const before = (await list()).length;
    const { url } = await link();
    await reader.page.evaluate(`location.hash = '${new URL(url).hash}'`);
    await until('it to be registered', async () => (await list()).length === before + 1);
    expect(await address(reader)).toBe(`${newsroom.site.origin}/`);

    // Its other tab, by a link that is used up: nothing happens, and nothing is kept.
    const second = await subscribeIn(await open(), newsroom, prepare);
    await second.page.goto(url);
    await second.page.reload();
    await second.shows('subscribed');
    await until('it to be refused', async () => (await kept(second)) === null);
    expect(await list()).toHaveLength(before + 1);
  });
});
