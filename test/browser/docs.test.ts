// tier: system
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../api/support.ts';
import { accessibilityProblems } from '../support/browsers/accessibility.ts';
import { describeBrowser } from '../support/browsers/describe-browsers.ts';
import { executableForPages } from '../support/browsers/executable.ts';
import { sharedChromium } from '../support/browsers/shared-chromium.ts';
import { cases } from '../support/cases.ts';

/** Screenshots of the last run with SCREENSHOTS=1, to check. */
const isKept = process.env.SCREENSHOTS === '1';
const folder = join(import.meta.dirname, '../../.cache/screenshots/docs');
const looks = [
  { name: 'light', scheme: 'light', width: 1440 },
  { name: 'dark', scheme: 'dark', width: 1440 },
  { name: 'phone', scheme: 'light', width: 390 },
  { name: 'phone-dark', scheme: 'dark', width: 390 },
] as const;
/** Both widths and both schemes: each of them once, or with each other with THOROUGH=1. */
const someLooks = looks.filter((_, place) => isKept || cases(place % 3, 0) === 0);
const paths = [
  '',
  'guides/first-notification',
  'guides/sdk',
  'guides/using-broadside',
  'guides/segments',
  'guides/going-live',
  'reference/deliveries',
  'reference/segments',
  'reference/public',
  'search?q=delivery',
  'search?q=zzzz',
];

describeBrowser('chromium', 'the documentation', (executable) => {
  let api: TestApi;
  let browser: BrowserContext;
  let page: Page;
  let base: string;
  const faults: string[] = [];
  beforeAll(async () => {
    api = await createTestApi();
    base = `${await api.app.listen({ port: 0, host: '127.0.0.1' })}/docs/`;
    browser = await (await sharedChromium(executableForPages(executable))).createBrowserContext();
    page = await browser.newPage();
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (said) => said.type() === 'error' && faults.push(said.text()));
    mkdirSync(folder, { recursive: true });
  });
  afterAll(async () => {
    await browser?.close();
    await api?.close();
  });

  it.each(paths)('%s: axe finds nothing, in light and dark, on a desk and a phone', async (path) => {
    const findings: string[] = [];
    await page.goto(base + path);
    for (const { name, scheme, width } of someLooks) {
      await page.setViewport({ width, height: 900 });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      for (const finding of await accessibilityProblems(page)) findings.push(`${name}: ${finding}`);
      const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      if (wide === true) findings.push(`${name}: is wider than the window`);
      if (!isKept) continue;
      await page.screenshot({ path: join(folder, `${path.replaceAll(/\W/g, '-')}-${name}.png`) });
    }
    expect(findings).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('keeps the language that a reader chose, on every page', async () => {
    await page.setViewport({ width: 1440, height: 900 });
    await page.goto(`${base}reference/deliveries`);
    await page.click('#listDeliveries ~ .columns input[value="Python"]');
    const shown = (): Promise<unknown> =>
      page.evaluate(`[...document.querySelectorAll('.samples pre')]
        .filter((each) => each.checkVisibility()).map((each) => each.dataset.language)`);
    const here = (await shown()) as string[];
    expect(here.length).toBeGreaterThan(4);
    expect(new Set(here)).toEqual(new Set(['Python']));
    await page.goto(`${base}reference/segments`);
    expect(new Set((await shown()) as string[])).toEqual(new Set(['Python']));
  });

  it('is searched by keyboard alone', async () => {
    await page.goto(base);
    await page.keyboard.press('/');
    await page.keyboard.type('cancel');
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    expect(page.url()).toBe(`${base}search?q=cancel`);
    expect(await page.$eval('main', (main) => main.textContent)).toContain('Cancel a delivery');
  });

  it('is read without a script', async () => {
    await page.setJavaScriptEnabled(false);
    await page.goto(`${base}reference/deliveries`);
    expect(await page.$$eval('.samples pre', (all) => all.length)).toBeGreaterThan(12);
    await page.setJavaScriptEnabled(true);
  });
});
