// tier: system
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { accessibilityProblems } from '../support/browsers/accessibility.ts';
import { borrowPush } from '../support/browsers/borrowed-push.ts';
import { describeBrowser } from '../support/browsers/describe-browsers.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import { createPublisher } from '../support/browsers/publisher.ts';
import { meetWorker } from '../support/browsers/pushed-worker.ts';
import { openChromium, type ReadersBrowser } from '../support/browsers/readers.ts';
import { until } from '../support/engine-harness.ts';

describeBrowser('chromium', 'the example page', (executable) => {
  let newsroom: Newsroom;
  let browser: ReadersBrowser;

  beforeAll(async () => {
    newsroom = await startNewsroom();
  });
  afterAll(() => newsroom?.stop());
  beforeEach(async () => {
    browser = await openChromium(executable, newsroom.apiUrl);
  });
  afterEach(async () => {
    await browser.close();
  });

  it('leads a newcomer from the app’s identifier to a notification, within its own strict policy', async () => {
    const { client, apiUrl, push } = newsroom;
    const body = { name: 'Example page', site_domain: apiUrl };
    const { data: app } = await client.post<{ data: { identifier: string } }>('/apps', body);
    const page = await browser.newPage();
    const refusals: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('favicon')) refusals.push(message.text());
    });
    const mailboxes = await borrowPush(page, push);
    await page.goto(`${apiUrl}/example`);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.type('#app', app.identifier);
    await page.keyboard.press('Enter');
    await page.waitForSelector('::-p-text(Notifications are off.)');
    expect(await accessibilityProblems(page)).toEqual([]);
    // The bell that the guide names.
    await page.click('#notify:has(svg)');
    await page.waitForSelector('::-p-text(Notifications are on.)');
    expect(await page.$eval('pre', (command) => command.textContent)).toContain(`--app ${app.identifier}`);

    const worker = await meetWorker(page);
    await createPublisher({ ...newsroom, appId: app.identifier }).sendAndWait('It works', {
      url: page.url(),
    });
    await until('the message', () => mailboxes[0]?.messages.length === 1);
    await worker.push(mailboxes[0]?.messages[0] ?? '', 'It works');
    expect(await worker.click('It works')).toEqual([`focus ${page.url()}`]);
    expect(refusals).toEqual([]);
  });

  it('says what it waits for, and what to do where the push service does not answer', async () => {
    const { client, apiUrl } = newsroom;
    const body = { name: 'Silent', site_domain: apiUrl };
    const { data: app } = await client.post<{ data: { identifier: string } }>('/apps', body);
    const page = await browser.newPage();
    await page.goto(`${apiUrl}/example?app=${app.identifier}`);
    await page.waitForSelector('::-p-text(Notifications are off.)');
    await page.evaluate(
      `PushManager.prototype.subscribe = () => new Promise((_, reject) => { window.fail = reject; })`,
    );
    await page.click('#notify');
    await page.waitForSelector(
      'output[data-waiting]::-p-text(push service of this browser, fcm.googleapis.com…)',
    );
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.evaluate(`fail(new Error('Registration failed'))`);
    await page.waitForSelector(
      'output:not([data-waiting])::-p-text(try another network, or another browser)',
    );
  });

  it('says that an identifier is none, in the page and in the console', async () => {
    const page = await browser.newPage();
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(String(error)));
    await page.goto(`${newsroom.apiUrl}/example?app=none-zzzzzz`);
    await page.waitForSelector('output::-p-text(none-zzzzzz)');
    // Also where a page has only the snippet.
    const ending = await page.evaluate(`
      Broadside.init({ appId: 'none-yyyyyy', baseUrl: location.origin, prompt: false })
        .then(() => 'ready', (error) => error.message)`);
    expect(ending).toContain('none-yyyyyy');
    await page.evaluate(`void Broadside.init({ appId: 'none-xxxxxx', baseUrl: location.origin })`);
    await until('the console', () => said.some((text) => text.includes('none-xxxxxx')));
  });
});
