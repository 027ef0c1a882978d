// tier: system
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { allTexts } from '../../api/sdk/browser/app-prompts/texts/all.ts';
import { accessibilityProblems } from '../support/browsers/accessibility.ts';
import { borrowPush } from '../support/browsers/borrowed-push.ts';
import { describeBrowser } from '../support/browsers/describe-browsers.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import { createPromptSite, whenStill } from '../support/browsers/prompt-site.ts';
import { openChromium, type ReadersBrowser, setNotifications } from '../support/browsers/readers.ts';
import { until } from '../support/engine-harness.ts';

const slide = { kind: 'slide-down', categories: true };
const atOnce = { variants: [slide], seconds: 0, ask_again_after_days: 7 };
const DAY_MS = 86_400_000;
const ICON = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

describeBrowser('chromium', 'prompts of the app’s settings', (executable) => {
  let newsroom: Newsroom;
  let browser: ReadersBrowser;

  /** What axe finds. */
  const problems = async (page: Page): Promise<readonly string[]> => {
    await whenStill(page);
    return accessibilityProblems(page);
  };

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

  const prepare = (page: Page) => borrowPush(page, newsroom.push);
  const withIcon = async (page: Page): Promise<void> => {
    await prepare(page);
    await page.evaluateOnNewDocument(`addEventListener('DOMContentLoaded', () => {
      document.head.append(Object.assign(document.createElement('link'), { rel: 'icon', href: '${ICON}' }));
    })`);
  };
  const card = (page: Page) => page.$('>>> [role=region]');
  const named = (page: Page, name: string) => page.waitForSelector(`aria/${name}`);
  const click = async (page: Page, name: string) => (await named(page, name))?.click();
  /** Long enough for a prompt without a delay. */
  const wait = (page: Page) => page.evaluate('new Promise((resolve) => setTimeout(resolve, 1_000))');
  /** For people: with LOOK=folder. */
  const look = async (page: Page, name: string): Promise<void> => {
    const { LOOK: folder } = process.env;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
  };
  /** Its first page view. */
  const counted = (page: Page) =>
    page.waitForFunction(`JSON.parse(localStorage.getItem('broadside-prompt'))?.pages === 1`);
  const setPermission = (page: Page, setting: 'prompt' | 'denied'): Promise<void> =>
    setNotifications(page, newsroom.site.origin, setting);
  const loaded = (page: Page): Promise<unknown> =>
    page.evaluate(
      `performance.getEntriesByType('resource').filter(({ name }) => /prompts/.test(name)).length`,
    );

  it('a slide-down shows the categories, subscribes with those that were chosen, and is counted', async () => {
    const site = await createPromptSite(
      newsroom,
      { ...atOnce, pages: 2 },
      { categories: ['Politics', 'Sport'] },
    );
    await counted(await site.visit(browser, { prepare }));
    const page = await site.visit(browser, { prepare: withIcon });
    await page.waitForSelector('>>> [role=status]::-p-text(Get the news as it happens?)');
    await page.waitForSelector(`>>> .head > img[part=icon][src="${ICON}"]`);
    await page.waitForSelector('>>> .benefit::-p-text(You can turn it off at any time.)');
    expect(await problems(page)).toEqual([]);
    await click(page, 'Politics');
    await click(page, 'Yes, notify me');
    await page.waitForSelector('>>> [role=status]::-p-text(Notifications are on.)');
    expect(await card(page)).toBeNull();
    const [sent] = newsroom.front.requests.filter(
      ({ path, status, body }) => path === 'subscribe' && status === 200 && body.appId === site.appId,
    );
    expect(sent?.body).toMatchObject({ promptVariant: '1.a', categoryIds: [expect.any(Number)] });
    const counts = { shown: 1, accepted: 1, granted: 1, dismissed: 0, subscribed: 1 };
    await until('the counts', async () => (await site.results())[0]?.granted === 1);
    expect(await site.results()).toMatchObject([counts]);
  });

  it('is not shown before its page view, its time, its part of the page, or on other addresses', async () => {
    const rules = { pages: 2, seconds: 1, scroll_percent: 50, show_on: ['/'], hide_on: ['/shop*'] };
    const site = await createPromptSite(newsroom, { ...atOnce, ...rules });
    await counted(await site.visit(browser));
    const page = await site.visit(browser);
    await wait(page);
    await wait(page);
    expect(await card(page)).toBeNull();
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await page.waitForSelector('>>> [role=region]');
    const hidden = await createPromptSite(newsroom, { ...atOnce, hide_on: ['*'] });
    const elsewhere = await hidden.visit(browser);
    await wait(elsewhere);
    expect(await card(elsewhere)).toBeNull();
  });

  it('asks again after the days of the settings, and not before; Escape is a no', async () => {
    const site = await createPromptSite(newsroom, atOnce);
    const page = await site.visit(browser);
    await (await named(page, 'Not now'))?.focus();
    await page.keyboard.press('Escape');
    await page.waitForFunction(
      `!document.querySelector('broadside-prompt').shadowRoot.querySelector('.slide')`,
    );
    const again = await site.visit(browser);
    await wait(again);
    expect(await card(again)).toBeNull();
    await again.evaluate(`(() => {
      const kept = JSON.parse(localStorage.getItem('broadside-prompt'));
      localStorage.setItem('broadside-prompt', JSON.stringify({ ...kept, answeredAt: Date.now() - ${7 * DAY_MS} }));
    })()`);
    const later = await site.visit(browser);
    await named(later, 'Not now');
    await until('the counts', async () => (await site.results())[0]?.dismissed === 1);
    expect(await site.results()).toMatchObject([{ shown: 1, accepted: 0 }]);
  });

  it('never asks the browser’s own question before a click on it', async () => {
    const site = await createPromptSite(newsroom, atOnce);
    const page = await site.visit(browser, {
      prepare: async (fresh) => {
        await setPermission(fresh, 'prompt');
        await fresh.evaluateOnNewDocument(`window.asked = 0;
          Notification.requestPermission = async () => { asked++; return 'default'; };`);
      },
    });
    await named(page, 'Yes, notify me');
    await page.evaluate(`ready.then((broadside) => broadside.prompt('bar'))`);
    await wait(page);
    expect(await page.evaluate('asked')).toBe(0);
    await click(page, 'Yes, notify me');
    // As Chrome's quiet question, or a reader who closed it.
    await click(page, 'Show me how to allow it');
    await named(page, 'How to turn notifications on');
    expect(await page.evaluate('asked')).toBe(1);
    expect(await problems(page)).toEqual([]);
  });

  it('does not come back on each page where the browser keeps nothing', async () => {
    const site = await createPromptSite(newsroom, atOnce);
    const page = await site.visit(browser, {
      prepare: (fresh) =>
        fresh.evaluateOnNewDocument(
          `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError'); } });`,
        ),
    });
    await wait(page);
    expect(await loaded(page)).toBeGreaterThan(1);
    expect(await card(page)).toBeNull();
  });

  it('is a bell where nothing is set, without a byte of the prompts’ code', async () => {
    const site = await createPromptSite(newsroom, null);
    const page = await site.visit(browser);
    await named(page, 'Turn notifications on');
    expect(await page.evaluate(`performance.getEntriesByName(document.baseURI).length`)).toBe(1);
    expect(await loaded(page)).toBe(1);
  });

  it('draws one of two variants a browser, and keeps it', async () => {
    const site = await createPromptSite(newsroom, {
      ...atOnce,
      variants: [
        { kind: 'bell', place: 'left' },
        { kind: 'bell', place: 'right' },
      ],
    });
    const drawn = new Set<unknown>();
    for (let n = 0; n < 3; n++) {
      const page = await site.visit(browser);
      await named(page, 'Turn notifications on');
      drawn.add(await page.evaluate(`JSON.parse(localStorage.getItem('broadside-prompt')).variant`));
    }
    expect(drawn.size).toBe(1);
    // By lot: the other one after few new browsers.
    const page = await site.visit(browser);
    for (let n = 0; n < 40 && drawn.size < 2; n++) {
      await page.evaluate(`localStorage.clear()`);
      await page.reload();
      await named(page, 'Turn notifications on');
      drawn.add(await page.evaluate(`JSON.parse(localStorage.getItem('broadside-prompt')).variant`));
    }
    expect([...drawn].sort()).toEqual(['a', 'b']);
  });

  it('shows how to add the page to the home screen on an iPhone, in place of a question', async () => {
    const site = await createPromptSite(newsroom, atOnce, { categories: ['Sport'] });
    const page = await site.visit(browser, {
      prepare: async (fresh) => {
        await fresh.setUserAgent({
          userAgent:
            'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
        });
        await fresh.evaluateOnNewDocument('delete window.PushManager; delete window.Notification;');
      },
    });
    await page.waitForSelector('>>> [role=status]::-p-text(Add to Home Screen)');
    expect(await page.$('>>> input')).toBeNull();
    await click(page, 'Close');
    const again = await site.visit(browser);
    await wait(again);
    expect(await card(again)).toBeNull();
  });

  it('helps a reader who has blocked notifications', async () => {
    const site = await createPromptSite(newsroom, atOnce);
    const page = await site.visit(browser, { prepare: (fresh) => setPermission(fresh, 'denied') });
    await page.evaluate(`ready.then((broadside) => broadside.prompt('slide-down'))`);
    await named(page, 'How to turn notifications on');
    await page.waitForSelector('>>> li::-p-text(Site settings)');
    await page.keyboard.press('Escape');
    await page.waitForFunction(
      `!document.querySelector('broadside-prompt').shadowRoot.querySelector('dialog')`,
    );
  });

  it('speaks the language of the page, from right to left where that is written so', async () => {
    const site = await createPromptSite(newsroom, null, { prompt: false });
    const languages = Object.entries(allTexts);
    expect(languages).toHaveLength(12);
    const sides = new Map<string, string>();
    for (const [place, [language, texts]] of languages.entries()) {
      const value = place % 2 === 0 ? 'light' : 'dark';
      const page = await site.visit(browser, {
        query: `?lang=${language}-XX`,
        prepare: (fresh) => fresh.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]),
      });
      await page.evaluate(`ready.then((broadside) => broadside.prompt('slide-down'))`);
      await page.waitForSelector(`>>> [role=status]::-p-text(${texts.question})`);
      const [later, accept] = await Promise.all(
        [texts.later, texts.accept].map(async (name) => (await named(page, name))?.boundingBox()),
      );
      sides.set(language, (later?.x ?? 0) > (accept?.x ?? 0) ? 'from the right' : 'from the left');
      expect([language, await problems(page)]).toEqual([language, []]);
      await look(page, `card-${language}`);
      await page.evaluate(`ready.then((broadside) => broadside.help())`);
      await named(page, texts.helpTitle);
      expect([language, await problems(page)]).toEqual([language, []]);
      await look(page, `help-${language}`);
      await page.close();
    }
    expect([...sides].filter(([, side]) => side === 'from the right').map(([language]) => language)).toEqual([
      'ar',
      'he',
    ]);
  });
});
