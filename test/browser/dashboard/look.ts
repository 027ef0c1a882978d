import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { Page } from 'puppeteer-core';
import { isThorough } from '../../support/cases.ts';

const folder = fileURLToPath(new URL('../../../.cache/screenshots', import.meta.url));

/** Nobody checks them in most runs, and each costs as much as to open a page. */
const isKept = process.env.SCREENSHOTS === '1';

/** What people see a page with. */
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

const [light, dark, phone, phoneDark] = looks;
/** Both widths and both schemes, each of them once. */
const opposites = [
  [light, phoneDark],
  [dark, phone],
] as const;
export const someLooks: readonly Look[] = isKept ? looks : opposites[0];

/**
 * Of the page at this place in a table. Pages are made of the same parts: one is checked in one way and its neighbours
 * in the others, or in two ways that differ in both with THOROUGH=1. What is in no table has the place of its name’s
 * length.
 */
export const looksAt = (place: number): readonly Look[] => {
  const pair = opposites[place % 2] ?? opposites[0];
  if (isKept) return looks;
  return isThorough ? pair : pair.slice(place % 4 < 2 ? 0 : 1).slice(0, 1);
};

/** A tab that is hidden draws no frame. */
const MOST_FRAMES_MS = 500;

export async function lookWith(page: Page, { scheme, width, height }: Look): Promise<void> {
  await page.setViewport({ width, height, deviceScaleFactor: 1 });
  await page.emulateMediaFeatures([
    { name: 'prefers-reduced-motion', value: 'reduce' },
    { name: 'prefers-color-scheme', value: scheme },
  ]);
  await page.waitForFunction(`document.documentElement.dataset.mantineColorScheme === '${scheme}'`);
  await untilDrawn(page);
}

/** What asks for the window's width is drawn for it, and a dialog has its name, on a busy machine too. */
const untilDrawn = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
    setTimeout(resolve, ${MOST_FRAMES_MS});
  })`);

const MAX_HEIGHT = 4_000;

/** With SCREENSHOTS=1, a file to view: `.cache/screenshots/<name>.png`. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (!isKept) return;
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

/** The same in every look. */
export async function keepScreenshots(page: Page, name: string): Promise<void> {
  for (const look of isKept ? looks : []) {
    await lookWith(page, look);
    await keepScreenshot(page, `${name}-${look.name}`);
  }
  if (isKept) await lookWith(page, light);
}

interface Found {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** A toast says what was done, over the page, for a few seconds: whether one is still there is chance. */
const dismissToasts = async (page: Page): Promise<void> => {
  await page.evaluate(
    `document.querySelectorAll('.mantine-Notifications-root button').forEach((each) => each.click())`,
  );
  await page.waitForFunction(`document.querySelector('.mantine-Notification-root[role=alert]') === null`);
};

/** What axe finds wrong with the page as it is now, a line each. */
export async function axeFindings(page: Page): Promise<string[]> {
  await dismissToasts(page);
  const found = await axeFindingsWithToasts(page);
  if (!found.some(isCovered)) return found;
  // The bar to send stays at the window's end, over whatever lies there: scrolled on, that is free.
  await page.evaluate('scrollBy(0, innerHeight / 3)');
  const scrolled = await axeFindingsWithToasts(page);
  await page.evaluate('scrollBy(0, -innerHeight / 3)');
  return found.filter((each) => !isCovered(each) || scrolled.includes(each));
}

const isCovered = (finding: string): boolean => /^target-size: .*partially obscured/s.test(finding);

export async function axeFindingsWithToasts(page: Page): Promise<string[]> {
  // Its text is long: to send it again takes as long as half of a run.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  await untilDrawn(page);
  const result = await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] })`,
  );
  return (result as { violations: Found[] }).violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}

/**
 * What axe finds and whether the page is wider than the window, a line each, in these looks; then the page is as wide and
 * as light as it was. Screenshots are called by this name.
 */
export async function findingsIn(
  page: Page,
  name: string,
  through: readonly Look[] = looksAt(name.length),
): Promise<string[]> {
  const findings: string[] = [];
  for (const look of through) {
    await lookWith(page, look);
    for (const finding of await axeFindings(page)) findings.push(`${look.name}: ${finding}`);
    if (await overflows(page)) findings.push(`${look.name}: is wider than the window`);
    await keepScreenshot(page, `${name}-${look.name}`);
  }
  // Last: a field that takes the focus opens the list of what it offers.
  for (const look of through) {
    await lookWith(page, look);
    for (const finding of await ringFindings(page)) findings.push(`${look.name}: ${finding}`);
  }
  await lookWith(page, light);
  return findings;
}

/** Whether something is wider than the window: on a phone one would have to scroll sideways. */
export const overflows = (page: Page): Promise<unknown> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

/**
 * Where something that clips cuts the ring of what has the focus, a line each. What is scrolled out of sight is none:
 * the browser scrolls to what takes the focus.
 */
const ringFindings = async (page: Page): Promise<string[]> => {
  const cut = await page.evaluate(`(() => {
    const before = document.activeElement;
    const cut = [];
    const isIn = (inner, outer, more) =>
      inner.left - more >= outer.left - 0.5 && inner.right + more <= outer.right + 0.5 &&
      inner.top - more >= outer.top - 0.5 && inner.bottom + more <= outer.bottom + 0.5;
    for (const each of document.querySelectorAll('a[href], button, input, select, textarea, [tabindex="0"]')) {
      if (each.disabled || !each.checkVisibility({ visibilityProperty: true })) continue;
      each.focus({ preventScroll: true, focusVisible: true });
      if (document.activeElement !== each) continue;
      const style = getComputedStyle(each);
      if (style.outlineStyle === 'none') continue;
      const ring = parseFloat(style.outlineOffset) + parseFloat(style.outlineWidth);
      const box = each.getBoundingClientRect();
      for (let over = each.parentElement; over !== null && over !== document.body; over = over.parentElement) {
        const { overflowX, overflowY, position, clipPath } = getComputedStyle(over);
        if (clipPath !== 'none') break;
        if (overflowX !== 'visible' || overflowY !== 'visible') {
          const { left, top } = over.getBoundingClientRect();
          const inside = {
            left: left + over.clientLeft, right: left + over.clientLeft + over.clientWidth,
            top: top + over.clientTop, bottom: top + over.clientTop + over.clientHeight,
          };
          if (isIn(box, inside, 0) && !isIn(box, inside, ring))
            cut.push('ring cut by ' + over.className + ': ' + each.outerHTML.slice(0, 160));
        }
        if (position === 'fixed') break;
      }
    }
    document.activeElement?.blur?.();
    before?.focus?.({ preventScroll: true });
    return [...new Set(cut)];
  })()`);
  return cut as string[];
};
