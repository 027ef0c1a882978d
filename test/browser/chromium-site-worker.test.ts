// tier: system
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { borrowPush } from '../support/browsers/borrowed-push.ts';
import { describeBrowser } from '../support/browsers/describe-browsers.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import { meetWorker } from '../support/browsers/pushed-worker.ts';
import { openChromium, type ReadersBrowser } from '../support/browsers/readers.ts';
import { subscribeIn } from '../support/browsers/visit.ts';
import { until } from '../support/engine-harness.ts';

const ours = JSON.stringify({
  web_push: 8030,
  notification: {
    ...{ title: 'Ours', navigate: 'https://news.example/', tag: 'one' },
    data: { app: 'news', delivery: 'dlv_1', proof: 'proof' },
  },
});

describeBrowser('chromium', 'the worker beside a site’s own', (executable) => {
  let newsroom: Newsroom;
  let browser: ReadersBrowser;

  beforeAll(async () => {
    newsroom = await startNewsroom();
  });
  afterAll(() => newsroom?.stop());
  beforeEach(async () => {
    browser = await openChromium(executable, newsroom.site.origin);
  });
  afterEach(async () => {
    await browser.close();
  });

  /** @param worker the site's, from now on. */
  const setWorker = (worker: string): void => {
    const { apiUrl, appId, site } = newsroom;
    const options = JSON.stringify({
      appId,
      baseUrl: apiUrl,
      prompt: { kind: 'element', element: '#notify' },
    });
    site.setPage({ apiUrl, worker, script: `window.ready = Broadside.init(${options});` });
  };
  const subscribe = async (): Promise<Page> =>
    (await subscribeIn(browser, newsroom, async (page) => void (await borrowPush(page, newsroom.push)))).page;
  const update = (page: Page): Promise<unknown> =>
    page.evaluate(
      `navigator.serviceWorker.ready.then((registration) => registration.update()).then(() => 0)`,
    );
  const hasWaiting = async (page: Page): Promise<boolean> =>
    (await page.evaluate(
      `navigator.serviceWorker.ready.then(({ waiting }) => waiting?.state === 'installed')`,
    )) as boolean;

  it('imported into a worker that the site has, it leaves that one’s messages and versions to it', async () => {
    const own = `importScripts('${newsroom.apiUrl}/sdk/v1/worker-part.js');
      addEventListener('push', (event) => event.waitUntil(registration.showNotification('Site: ' + event.data.text())));
      addEventListener('notificationclick', () => { self.siteClicks = (self.siteClicks ?? 0) + 1; });`;
    setWorker(own);
    const page = await subscribe();
    const worker = await meetWorker(page);
    await worker.push(ours, 'Ours');
    await worker.push('score 2:1', 'Site: score 2:1');
    expect((await worker.shown()).map(({ title }) => title).sort()).toEqual(['Ours', 'Site: score 2:1']);
    await worker.click('Site: score 2:1');
    await worker.click('Ours');
    expect(await worker.evaluate('self.siteClicks')).toBe(1);

    setWorker(`${own}// The site’s second version`);
    await page.reload();
    await update(page);
    await until('the new version to wait', () => hasWaiting(page));
  });

  it('alone, it takes over from the version before at once', async () => {
    const alone = `importScripts('${newsroom.apiUrl}/sdk/v1/worker.js');`;
    setWorker(alone);
    const page = await subscribe();
    await page.reload();
    setWorker(`${alone}self.version = 2;`);
    await page.evaluate(
      `window.changed = false; navigator.serviceWorker.addEventListener('controllerchange', () => { window.changed = true; }); 0`,
    );
    await update(page);
    await until('the new version to take over', async () => (await page.evaluate('changed')) === true);
    expect(await hasWaiting(page)).toBe(false);
  });

  it('reports that the site’s worker is not available, and does not subscribe', async () => {
    setWorker('this is not JavaScript');
    const { apiUrl, site } = newsroom;
    const page = await browser.newPage();
    await borrowPush(page, newsroom.push);
    await page.goto(site.origin);
    await page.evaluate('ready');
    const failure = `ready.then((broadside) => broadside.subscribe()).then(() => null, (error) => error.name)`;
    expect(await page.evaluate(failure)).toBe('TypeError');
    expect(await page.evaluate('ready.then((broadside) => broadside.state())')).toBe('unsubscribed');
    setWorker(`importScripts('${apiUrl}/sdk/v1/worker.js');`);
    const again = await browser.newPage();
    await borrowPush(again, newsroom.push);
    await again.goto(site.origin);
    await again.waitForSelector('#notify[data-broadside-state=subscribed]');
  });

  it('is not needed where the browser has Declarative Web Push', async () => {
    setWorker('this is not JavaScript');
    const page = await browser.newPage();
    await borrowPush(page, newsroom.push);
    await page.evaluateOnNewDocument('window.pushManager = PushManager.prototype;');
    await page.goto(newsroom.site.origin);
    await page.evaluate('ready');
    await page.click('#notify');
    await page.waitForSelector('#notify[data-broadside-state=subscribed]');
  });
});
