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

  it('says on a phone over plain http why no page can ask there, and the two ways that lead on', async () => {
    const page = await browser.newPage();
    await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
    const faults: unknown[] = [];
    page.on('pageerror', (error) => faults.push(error));
    // As a machine in a network answers, by an address that is not the phone's own.
    await page.setRequestInterception(true);
    page.on('request', async (request) => {
      const { pathname, search } = new URL(request.url());
      const answer = await fetchFrom(newsroom.apiUrl, `${pathname}${search}`);
      await request.respond(answer);
    });
    await page.goto('http://192.0.2.7:8080/example?app=news-k3x9qa');
    await page.waitForSelector('#insecure::-p-text(over plain http)');
    expect(await page.evaluate('isSecureContext')).toBe(false);
    expect(await page.$eval('#insecure pre', (command) => command.textContent)).toBe(
      'adb reverse tcp:8080 tcp:8080',
    );
    const links = await page.$$eval('#insecure a', (all) => all.map((link) => link.href));
    expect(links).toEqual([
      'http://192.0.2.7:8080/docs/guides/reverse-proxy',
      'http://localhost:8080/example?app=news-k3x9qa',
    ]);
    expect((await fetch(`${newsroom.apiUrl}/docs/guides/reverse-proxy`)).status).toBe(200);
    // No button that could only fail, and nothing wider than the phone.
    expect(await page.$$eval('#notify', (all) => all.filter((each) => each.checkVisibility()))).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(faults).toEqual([]);
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

async function fetchFrom(api: string, path: string) {
  const answer = await fetch(`${api}${path}`);
  const { 'content-type': type = '', 'content-security-policy': policy = '' } = Object.fromEntries(
    answer.headers,
  );
  const headers = { 'content-type': type, 'content-security-policy': policy };
  return { status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) };
}
