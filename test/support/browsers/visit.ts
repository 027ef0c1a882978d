import type { Page } from 'puppeteer-core';
import { until } from '../engine-harness.ts';
import type { Newsroom } from './newsroom.ts';
import type { ReadersBrowser } from './readers.ts';

/** A page of the site's front, as a reader meets it. */
export interface Visit {
  readonly page: Page;
  state(): Promise<string | null>;
  /** Resolves once the page is in that state. */
  shows(state: string): Promise<void>;
  /** Clicks the site's own button, as a reader does. */
  click(): Promise<void>;
  /** Calls the SDK, `broadside` being what `init` gave. */
  run(script: string): Promise<unknown>;
}

/** A site whose own button turns notifications on and off; the page keeps what `init` gave in `ready`. */
export function putSdkOn(
  { site, apiUrl, appId }: Newsroom,
  more: { readonly userId?: string; readonly workerUrl?: string; readonly scope?: string } = {},
): void {
  const prompt = { kind: 'element', element: '#notify' };
  const options = JSON.stringify({ appId, baseUrl: apiUrl, prompt, ...more });
  site.setPage({ apiUrl, script: `window.ready = Broadside.init(${options});` });
}

/** @param prepare sees the tab before the site does. */
export async function visit(
  browser: ReadersBrowser,
  origin: string,
  prepare: (page: Page) => Promise<void> = async () => {},
): Promise<Visit> {
  const page = await browser.newPage();
  await prepare(page);
  await page.goto(origin);
  await page.evaluate('ready');
  const state = (): Promise<string | null> =>
    page.$eval('#notify', (element) => element.getAttribute('data-broadside-state'));
  return {
    page,
    state,
    shows: (wanted) => until(`the page to be ${wanted}`, async () => (await state()) === wanted),
    click: () => page.click('#notify'),
    run: (script) => page.evaluate(`ready.then((broadside) => ${script})`),
  };
}

/** A first-time reader who allows notifications. */
export async function subscribeIn(
  browser: ReadersBrowser,
  { site }: Newsroom,
  prepare?: (page: Page) => Promise<void>,
): Promise<Visit> {
  const first = await visit(browser, site.origin, prepare);
  await first.shows('unsubscribed');
  await first.click();
  await first.shows('subscribed');
  return first;
}
