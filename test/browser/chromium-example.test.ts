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
    await page.click('#notify');
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
});
