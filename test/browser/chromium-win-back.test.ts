// tier: system
import type { BrowserContext, CDPSession, Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { en } from '../../api/sdk/browser/app-prompts/texts/en.ts';
import { borrowPush } from '../support/browsers/borrowed-push.ts';
import { describeBrowser } from '../support/browsers/describe-browsers.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import { createPromptSite, type PromptSite } from '../support/browsers/prompt-site.ts';
import { openChromium } from '../support/browsers/readers.ts';
import { sharedChromium } from '../support/browsers/shared-chromium.ts';
import { until } from '../support/engine-harness.ts';

const settings = { variants: [{ kind: 'bar' }], seconds: 0 };
const { question, winBack } = en;

describeBrowser('chromium', 'a reader whose permission Chrome took away', (executable) => {
  let newsroom: Newsroom;
  let browser: BrowserContext;
  let devtools: CDPSession;
  let site: PromptSite;
  beforeAll(async () => {
    newsroom = await startNewsroom();
  });
  afterAll(() => newsroom?.stop());
  beforeEach(async () => {
    browser = await openChromium(executable, newsroom.site.origin);
    devtools = await (await browser.newPage()).createCDPSession();
  });
  afterEach(() => browser.close());

  const prepare = (page: Page) => borrowPush(page, newsroom.push);
  const visit = () => site.visit(browser, { prepare });
  const asks = (page: Page, words: string) =>
    page.waitForSelector(`>>> [role=region][aria-label="${words}"]`);
  const card = (page: Page) => page.$('>>> [role=region]');
  const isOn = (page: Page) => page.waitForSelector('>>> [role=status]::-p-text(Notifications are on.)');
  const click = async (page: Page, name: string) => (await page.waitForSelector(`aria/${name}`))?.click();
  /** Long enough for a prompt without a delay. */
  const wait = (page: Page) => page.evaluate('new Promise((resolve) => setTimeout(resolve, 1_000))');
  const state = (page: Page) => page.evaluate('ready.then((broadside) => broadside.state())');

  /** From a tab that is not of the site, and stays: what a session has set ends with it. */
  async function setPermission(setting: 'prompt' | 'granted' | 'denied'): Promise<void> {
    const { origin } = newsroom.site;
    const permission = { name: 'notifications' };
    const { id = '' } = browser;
    await devtools.send('Browser.setPermission', { origin, permission, setting, browserContextId: id });
  }

  /** As Chrome does, while no page of the site is open. */
  async function takeAway(page: Page): Promise<void> {
    await page.evaluate(`localStorage.removeItem('test-subscription')`);
    await page.close();
    await setPermission('prompt');
  }

  async function subscribed(given: object = settings): Promise<Page> {
    site = await createPromptSite(newsroom, given);
    const page = await visit();
    await asks(page, question);
    await click(page, 'Yes, notify me');
    await isOn(page);
    return page;
  }

  const sent = (path: string) =>
    newsroom.front.requests.filter((each) => each.path === path && each.body.appId === site.appId);
  const losses = () => sent('update_subscription').filter(({ body }) => body.revoked === true);
  /** Once, for the answer is kept for some minutes. */
  const permissions = async () =>
    (await newsroom.client.get<{ data: { permissions: object } }>(`/apps/${site.appId}/standing/readers`))
      .data.permissions;

  it('is asked once more, in words of its own, and counted as lost and won back', async () => {
    await takeAway(await subscribed());
    const page = await visit();
    await asks(page, winBack);
    await until('the loss to be reported', async () => losses()[0]?.status === 200);
    await setPermission('granted');
    await click(page, 'Yes, notify me');
    await isOn(page);
    const again = await visit();
    await wait(again);
    expect(await card(again)).toBeNull();
    expect(await state(again)).toBe('subscribed');
    expect(losses()).toHaveLength(1);
    expect(await permissions()).toEqual({ days: 90, revoked: 1, won_back: 1, percent: 100 });
    expect(await site.results()).toMatchObject([{ subscribed: 1, shown: 1 }]);
  });

  it('is counted once who says yes in two tabs at once', async () => {
    await takeAway(await subscribed());
    const tabs = [await visit(), await visit()];
    for (const tab of tabs) await asks(tab, winBack);
    await until('the loss to be reported', async () => losses()[0]?.status === 200);
    await setPermission('granted');
    await Promise.all(tabs.map((tab) => tab.evaluate('ready.then((broadside) => broadside.subscribe())')));
    for (const tab of tabs) expect(await state(tab)).toBe('subscribed');
    expect(await permissions()).toEqual({ days: 90, revoked: 1, won_back: 1, percent: 100 });
  });

  it('is not asked again after a no', async () => {
    await takeAway(await subscribed());
    const page = await visit();
    await asks(page, winBack);
    await click(page, 'Not now');
    const again = await visit();
    await wait(again);
    expect(await card(again)).toBeNull();
  });

  it('is not asked where the setting is off', async () => {
    await takeAway(await subscribed({ ...settings, win_back: false }));
    const off = await visit();
    await wait(off);
    expect(await card(off)).toBeNull();
  });

  it('is asked beside a bell, too', async () => {
    site = await createPromptSite(newsroom, { ...settings, variants: [{ kind: 'bell' }] });
    const first = await visit();
    await click(first, 'Turn notifications on');
    await isOn(first);
    await takeAway(first);
    await asks(await visit(), winBack);
  });

  it.each([
    ['withdraws the permission while a page is open', async () => setPermission('prompt')],
    ['blocks notifications', async () => setPermission('denied')],
    [
      'unsubscribes, before the permission goes',
      async (page: Page) => {
        await page.evaluate('ready.then((broadside) => broadside.unsubscribe())');
        await setPermission('prompt');
      },
    ],
  ] as const)('is nobody who %s by hand', async (_what, byHand) => {
    const page = await subscribed();
    await byHand(page);
    await wait(page);
    await page.close();
    await setPermission('prompt');
    const again = await visit();
    await wait(again);
    expect(await card(again)).toBeNull();
    expect(losses()).toEqual([]);
    expect(await permissions()).toEqual({ days: 90, revoked: 0, won_back: 0, percent: null });
  });

  it('is nobody in a private window, or after the storage was wiped: they are new there', async () => {
    const page = await subscribed();
    const hidden = await (await sharedChromium(executable)).createBrowserContext();
    const elsewhere = await site.visit(hidden, { prepare });
    await asks(elsewhere, question);
    await hidden.close();
    const wipe = { origin: newsroom.site.origin, storageTypes: 'indexeddb,local_storage' };
    await takeAway(page);
    await devtools.send('Storage.clearDataForOrigin', wipe);
    const wiped = await visit();
    await asks(wiped, question);
    expect(losses()).toEqual([]);
    expect(await permissions()).toEqual({ days: 90, revoked: 0, won_back: 0, percent: null });
  });
});
