import puppeteer, { type Browser } from 'puppeteer-core';
import { it } from 'vitest';
import { pages } from '../../test/browser/dashboard/page-table.ts';
import { openStandIn } from '../../test/browser/dashboard/stand.ts';
import { fillWorld } from '../../test/browser/dashboard/world.ts';
import { executableOf, missing } from '../../test/support/browsers/executable.ts';
import { median } from '../median.ts';
import { type Rating, rate } from './lighthouse.ts';
import type { MeasureOptions, PageRow } from './row.ts';

/** From the second visit on a browser keeps compiled code; Lighthouse's visits are those after. */
const VISITS_BEFORE = 3;
/** After which a page has all that it asks for. */
const VISIT_MS = 1_500;
/** Of a page: Lighthouse fails at times to record one. */
const MOST_FAILURES = 2;

it('every page', async () => {
  const options = JSON.parse(process.env.BROADSIDE_PAGES_BENCH ?? '') as MeasureOptions;
  const unknown = options.pages?.filter((name) => !pages.some((page) => page.name === name)) ?? [];
  if (unknown.length > 0)
    throw new Error(`no page ${unknown.join(', ')}; there are: ${pages.map(({ name }) => name).join(', ')}`);
  await using browser = await startBrowser();
  const stand = await openStandIn(browser);
  const world = await fillWorld(stand);
  // Lighthouse opens a tab of its own in the browser's first context.
  const page = await browser.newPage();
  for (const cookie of await world.tab.page.browserContext().cookies()) await browser.setCookie(cookie);
  const { port } = new URL(browser.wsEndpoint());
  for (const each of pages) {
    if (options.pages?.includes(each.name) === false) continue;
    const url = `${stand.url}/dashboard${each.path(world)}`;
    for (let visit = 0; visit < VISITS_BEFORE; visit++) {
      await page.goto(url);
      await new Promise((resolve) => setTimeout(resolve, VISIT_MS));
    }
    await page.goto('about:blank');
    const ratings = await rateOften(options.runs, () => rate(url, port, options.device));
    const row: PageRow = { page: each.name, runs: ratings.length, ...medians(ratings) };
    console.log(JSON.stringify(row));
  }
  await stand.close();
});

async function startBrowser(): Promise<Browser> {
  const executable = executableOf('chromium');
  if (executable === null) throw new Error(missing('chromium'));
  return puppeteer.launch({
    executablePath: executable,
    headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
}

async function rateOften(times: number, once: () => Promise<Rating>): Promise<Rating[]> {
  const ratings: Rating[] = [];
  for (let failures = 0; ratings.length < times; ) {
    try {
      ratings.push(await once());
    } catch (error) {
      if (++failures > MOST_FAILURES) throw error;
    }
  }
  return ratings;
}

/** Of each figure by itself. */
function medians(ratings: readonly Rating[]): Rating {
  const of = (figure: keyof Rating): number => median(ratings.map((rating) => rating[figure]));
  return {
    score: of('score'),
    total_blocking_ms: of('total_blocking_ms'),
    first_paint_ms: of('first_paint_ms'),
    largest_paint_ms: of('largest_paint_ms'),
    speed_index_ms: of('speed_index_ms'),
    layout_shift: of('layout_shift'),
  };
}
