// tier: system
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { accessibilityProblems } from '../support/browsers/accessibility.ts';
import { describeBrowser } from '../support/browsers/describe-browsers.ts';
import { startFirefox } from '../support/browsers/firefox.ts';
import { alertOf } from '../support/browsers/firefox-alerts.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import { createPromptSite, whenStill } from '../support/browsers/prompt-site.ts';
import { until } from '../support/engine-harness.ts';

describeBrowser('firefox', 'prompts of the app’s settings in Firefox', (executable) => {
  let newsroom: Newsroom;
  let browser: Browser;
  /** What axe finds. */
  const problems = async (page: Page): Promise<readonly string[]> => {
    await whenStill(page);
    return accessibilityProblems(page);
  };

  beforeAll(async () => {
    newsroom = await startNewsroom();
    browser = await startFirefox({ executable, pushServerUrl: newsroom.push.serverUrl });
  });
  afterEach(async () => {
    for (const page of (await browser.pages()).slice(1)) await page.close();
  });
  afterAll(async () => {
    await browser?.close();
    await newsroom?.stop();
  });

  it('a slide-down subscribes, counts for its variant, and its reader is welcomed', async () => {
    const settings = { variants: [{ kind: 'slide-down' }], seconds: 0 };
    const site = await createPromptSite(newsroom, settings);
    await newsroom.client.put(`/apps/${site.appId}/welcome`, {
      ...{ enabled: true, title: 'Thank you', body: 'Soon more.', url: `${newsroom.site.origin}/storm` },
    });
    const page = await site.visit(browser);
    const accept = await page.waitForSelector('>>> button.accept');
    expect(await problems(page)).toEqual([]);
    await accept?.click();
    await page.waitForSelector('>>> .message::-p-text(Notifications are on.)');
    await until('the counts', async () => (await site.results())[0]?.granted === 1);
    expect(await site.results()).toMatchObject([{ shown: 1, accepted: 1, subscribed: 1 }]);
    const alert = await alertOf(browser, 'Thank you');
    expect(alert.text).toBe('Soon more.');
  });

  it('says in Arabic, from right to left, where Firefox has notifications switched on', async () => {
    const site = await createPromptSite(newsroom, null, { prompt: false });
    const page = await site.visit(browser, { query: '?lang=ar' });
    await page.evaluate('ready.then((broadside) => broadside.help())');
    const dialog = await page.waitForSelector('>>> dialog[open]');
    expect(await dialog?.evaluate((element) => [element.getAttribute('dir'), element.textContent])).toEqual([
      'rtl',
      expect.stringContaining('Android'),
    ]);
    expect(await problems(page)).toEqual([]);
  });
});
