// tier: system
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { pageLanguages } from '../../api/public/preferences/languages.ts';
import { accessibilityProblems } from '../support/browsers/accessibility.ts';
import { describeBrowser } from '../support/browsers/describe-browsers.ts';
import { startFirefox } from '../support/browsers/firefox.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import { type OwnPreferences, readOwnPreferences } from '../support/browsers/preferences.ts';
import { putSdkOn, subscribeIn } from '../support/browsers/visit.ts';
import { isThorough } from '../support/cases.ts';

describeBrowser('firefox', 'the preference centre in Firefox', (executable) => {
  let newsroom: Newsroom;
  let browser: Browser;
  let profile: string;

  beforeAll(async () => {
    newsroom = await startNewsroom();
    putSdkOn(newsroom);
    await newsroom.client.post(`/apps/${newsroom.appId}/delivery-categories`, { name: 'News' });
  });
  afterAll(() => newsroom?.stop());
  beforeEach(async () => {
    profile = await mkdtemp(join(tmpdir(), 'broadside-firefox-'));
    browser = await startFirefox({ executable, profile, pushServerUrl: newsroom.push.serverUrl });
  });
  afterEach(async () => {
    await browser.close();
    await rm(profile, { recursive: true, force: true });
  });

  it('is a page that axe finds nothing wrong with, and saves and unsubscribes', async () => {
    const reader = await subscribeIn(browser, newsroom);
    const read = async () =>
      (await reader.page.evaluate(readOwnPreferences(newsroom.apiUrl))) as OwnPreferences;
    const { url } = await read();
    const page = await browser.newPage();
    await page.setViewport({ width: 390, height: 844 });
    // Chromium's test has all of them: this engine has its own widths of letters and its own way of right-to-left.
    for (const language of isThorough ? pageLanguages : (['de', 'ar', 'ja'] as const)) {
      await page.goto(`${url}?lang=${language}`);
      expect(await accessibilityProblems(page), language).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), language).toBe(false);
    }
    const press = async (act: string): Promise<void> => {
      const navigated = page.waitForNavigation();
      await page.evaluate(`document.querySelector('button[value=${act}]').click()`);
      await navigated;
    };
    await page.goto(`${url}?lang=en`);
    await press('save');
    expect(await page.$eval('[role=status]', (note) => note.textContent)).toBe('Saved.');
    await press('leave');
    expect(await read()).toMatchObject({ subscribed: false, revision: 2 });
  });
});
