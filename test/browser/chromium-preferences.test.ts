// tier: system
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { pageLanguages } from '../../api/public/preferences/languages.ts';
import { accessibilityProblems } from '../support/browsers/accessibility.ts';
import { borrowPush } from '../support/browsers/borrowed-push.ts';
import { describeBrowser } from '../support/browsers/describe-browsers.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import { keepPicture, type OwnPreferences, readOwnPreferences } from '../support/browsers/preferences.ts';
import { createPublisher, type Publisher } from '../support/browsers/publisher.ts';
import { meetWorker } from '../support/browsers/pushed-worker.ts';
import { openChromium, type ReadersBrowser } from '../support/browsers/readers.ts';
import { putSdkOn, subscribeIn, type Visit } from '../support/browsers/visit.ts';
import { isThorough } from '../support/cases.ts';
import { until } from '../support/engine-harness.ts';
import type { Mailbox } from '../support/mozilla-push/mailbox.ts';

describeBrowser('chromium', 'the preference centre in Chromium', (executable) => {
  let newsroom: Newsroom;
  let publisher: Publisher;
  let browser: ReadersBrowser;
  let reader: Visit;
  let mailboxes: readonly Mailbox[];
  let sports: number;
  let news: number;

  beforeAll(async () => {
    newsroom = await startNewsroom();
    publisher = createPublisher(newsroom);
    const app = `/apps/${newsroom.appId}`;
    const add = async (name: string): Promise<number> =>
      (await newsroom.client.post<{ data: { id: number } }>(`${app}/delivery-categories`, { name })).data.id;
    news = await add('News');
    sports = await add('Sports');
    await newsroom.client.put(app, {
      ...{ name: 'Example News', site_domain: newsroom.site.origin },
      preferences_button: true,
    });
  });
  afterAll(() => newsroom?.stop());
  beforeEach(async () => {
    putSdkOn(newsroom);
    browser = await openChromium(executable, newsroom.site.origin);
    reader = await subscribeIn(browser, newsroom, async (fresh) => {
      mailboxes = await borrowPush(fresh, newsroom.push);
    });
  });
  afterEach(() => browser.close());

  const own = async (): Promise<OwnPreferences> =>
    (await reader.page.evaluate(readOwnPreferences(newsroom.apiUrl))) as OwnPreferences;
  const stored = async () => {
    const { userId } = (await reader.run('broadside.user()')) as { userId: string };
    const { data } = await newsroom.client.get<{ data: { preferences: unknown; status: string }[] }>(
      `/apps/${newsroom.appId}/subscriptions?search=${userId}`,
    );
    return data[0];
  };
  /** As on the next day: the SDK asks the API again. */
  const comeAgain = async (): Promise<void> => {
    await reader.page.evaluate('sessionStorage.clear()');
    await reader.page.reload();
    await reader.page.evaluate('ready');
  };

  /** Without the driver's own click, which scrolls by a script of the page's. */
  const press = async (page: Page, act: string): Promise<void> => {
    const navigated = page.waitForNavigation();
    await page.evaluate(`document.querySelector('button[value=${act}]').click()`);
    await navigated;
  };

  it('is a page that axe finds nothing wrong with, in every language, width and scheme', async () => {
    const { url } = await own();
    const page = await browser.newPage();
    const blocked: string[] = [];
    page.on('console', (message) => blocked.push(message.text()));
    const hosts = new Set<string>();
    page.on('request', (request) => /^http/.test(request.url()) && hosts.add(new URL(request.url()).host));
    const schemes = ['light', 'dark'];
    let looked = 0;
    for (const [at, language] of pageLanguages.entries()) {
      await page.setViewport(at % 2 === 0 ? { width: 390, height: 844 } : { width: 1_440, height: 900 });
      // Each with each width, in three languages; in a quick run no more.
      const turn = Math.floor(at / 2) % 2;
      for (const scheme of isThorough ? schemes : schemes.slice(turn, turn + 1)) {
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        await page.goto(`${url}?lang=${language}`);
        expect(await accessibilityProblems(page), `${language}, ${scheme}`).toEqual([]);
        const overflow = 'document.documentElement.scrollWidth > innerWidth';
        expect(await page.evaluate(overflow), language).toBe(false);
        if (['en', 'de', 'ar', 'ja'].includes(language))
          await keepPicture(page, `preferences-${language}-${scheme}`);
        looked++;
      }
    }
    expect(looked).toBe(isThorough ? 24 : 12);
    expect([...hosts]).toEqual([new URL(newsroom.apiUrl).host]);
    expect(blocked).toEqual([]);
  });

  it('works without script, and the SDK heeds what was chosen there', async () => {
    const page = await browser.newPage();
    await page.setJavaScriptEnabled(false);
    await page.goto((await own()).url);
    await page.evaluate(`document.querySelector('input[name=category][value="${sports}"]').click()`);
    await page.evaluate(`document.querySelector('select').value = '3-day'`);
    await page.evaluate(`document.querySelector('input[name=quiet]').click()`);
    await press(page, 'save');
    expect(await page.$eval('[role=status]', (note) => note.textContent)).toBe('Saved.');
    expect(await stored()).toMatchObject({
      preferences: {
        category_ids: [news],
        fewer: { max_notifications: 3, window_minutes: 1_440 },
        quiet_hours: { from: '22:00', to: '07:00' },
      },
    });
    // The API's word that there are preferences is cached for some seconds.
    await until('the SDK to know', async () => {
      await comeAgain();
      const { categoryIds } = (await reader.run('broadside.user()')) as { categoryIds: number[] | null };
      return categoryIds?.length === 1;
    });
    // What the reader chooses here afterwards is the newer choice.
    await reader.run(`broadside.setCategories([${sports}])`);
    expect(await stored()).toMatchObject({ preferences: { category_ids: [sports] } });
    await press(page, 'leave');
    expect(await stored()).toMatchObject({ status: 'unsubscribed' });
    await comeAgain();
    await reader.shows('opted-out');
    expect(await stored()).toMatchObject({ status: 'unsubscribed' });
    await reader.page.bringToFront();
    await reader.click();
    await reader.shows('subscribed');
    expect(await stored()).toMatchObject({ status: 'subscribed' });
    await comeAgain();
    await reader.shows('subscribed');
  });

  it('is an element of the publisher’s page, under a strict policy, with the same content', async () => {
    const { apiUrl, appId, site } = newsroom;
    const prompt = { kind: 'element', element: '#notify' };
    site.setPage({
      apiUrl,
      policy: `default-src 'none'; script-src 'nonce-news' ${apiUrl}; connect-src ${apiUrl}; worker-src 'self'`,
      body: `<h1>News</h1><button id="notify">Notify</button><broadside-preferences></broadside-preferences>
        <script nonce="news" src="${apiUrl}/sdk/v1/preferences.js"></script>`,
      script: `window.ready = Broadside.init(${JSON.stringify({ appId, baseUrl: apiUrl, prompt })});`,
    });
    const { page } = reader;
    await page.reload();
    await page.evaluate('ready');
    await page.waitForSelector('>>> ::-p-text(At most 3 a day)');
    expect(await accessibilityProblems(page)).toEqual([]);
    await keepPicture(page, 'preferences-element');
    const boxes = await page.$$('>>> fieldset:first-of-type input[type=checkbox]');
    expect(boxes).toHaveLength(2);
    await boxes[1]?.click();
    await (await page.$('>>> button.main'))?.click();
    await page.waitForSelector('>>> [role=status]::-p-text(Saved.)');
    expect(await stored()).toMatchObject({ preferences: { category_ids: [news] } });
    expect(await reader.run('broadside.user()')).toMatchObject({ categoryIds: [news] });
    await (await page.$('>>> button::-p-text(Pause for a week)'))?.click();
    await page.waitForSelector('>>> button::-p-text(End the pause)');
    await (await page.$('>>> button::-p-text(Unsubscribe)'))?.click();
    await page.waitForSelector('>>> [role=status]::-p-text(You get no notifications)');
    await reader.shows('opted-out');
    expect(await stored()).toMatchObject({ status: 'unsubscribed' });
  });

  it('is behind a button of notifications that have room for one', async () => {
    const worker = await meetWorker(reader.page);
    const shown = async (title: string, changes: object = {}) => {
      await publisher.send(title, changes);
      const find = () => mailboxes.at(-1)?.messages.find((one) => one.includes(title));
      await until(`“${title}” to come`, () => find() !== undefined);
      return worker.push(find() ?? '', title);
    };
    const button = { action: 'broadside-preferences', title: 'Settings' };
    expect((await shown('Plain')).actions).toMatchObject([button]);
    const { origin } = newsroom.site;
    const two = ['Map', 'Live'].map((title) => ({ title, url: `${origin}/${title}` }));
    expect((await shown('Two', { action_buttons: two })).actions.map(({ title }) => title)).toEqual([
      'Map',
      'Live',
    ]);
    const [opened = ''] = await worker.click('Plain', button.action);
    expect(opened.replace(/^open /, '')).toMatch(`${newsroom.apiUrl}/preferences/`);
    const page = await browser.newPage();
    await page.goto(opened.replace(/^open /, ''));
    expect(await page.title()).toBe('Your notifications · Example News');
    // It does not open the story.
    const events = newsroom.front.requests.flatMap(({ body }) => (body.events ?? []) as { type: string }[]);
    expect(events.map(({ type }) => type)).not.toContain('clicked');
  });
});
