import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { Page } from 'puppeteer-core';
import { cases } from '../../support/cases.ts';

const folder = fileURLToPath(new URL('../../../.cache/screenshots', import.meta.url));

/** What people look at a page with. */
export const looks = [
  { name: 'light', scheme: 'light', width: 1280, height: 900 },
  { name: 'dark', scheme: 'dark', width: 1280, height: 900 },
  { name: 'phone', scheme: 'light', width: 390, height: 844 },
  { name: 'phone-dark', scheme: 'dark', width: 390, height: 844 },
] as const;
export interface Look {
  readonly name: string;
  readonly scheme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
}

/** Both widths and both schemes: each of them once, or with each other with THOROUGH=1. */
export const someLooks: readonly Look[] = looks.filter((_, place) => cases(place % 3, 0) === 0);

export async function lookWith(page: Page, { scheme, width, height }: Look): Promise<void> {
  await page.setViewport({ width, height, deviceScaleFactor: 1 });
  await page.emulateMediaFeatures([
    { name: 'prefers-reduced-motion', value: 'reduce' },
    { name: 'prefers-color-scheme', value: scheme },
  ]);
  await page.waitForFunction(`document.documentElement.dataset.mantineColorScheme === '${scheme}'`);
}

const MAX_HEIGHT = 4_000;

/** A file to look at: `.cache/screenshots/<name>.png`. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  // A window as tall as the page: elements fixed to the window would else end in the middle of the picture.
  const { width, height } = page.viewport() ?? { width: 1280, height: 900 };
  const tall = Number(await page.evaluate('document.documentElement.scrollHeight'));
  await page.setViewport({
    width,
    height: Math.max(height, Math.min(tall, MAX_HEIGHT)),
    deviceScaleFactor: 1,
  });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

interface Found {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds wrong with the page as it is now, a line each. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(`if (typeof axe === 'undefined') { ${axe.source} }`);
  const result = await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] })`,
  );
  return (result as { violations: Found[] }).violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}

/** Whether something is wider than the window: on a phone one would have to scroll sideways. */
export const overflows = (page: Page): Promise<unknown> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
