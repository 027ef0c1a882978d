import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'puppeteer-core';
import { buildDashboard } from '../../../api/dashboard/build.ts';
import { readBuild } from '../../../api/dashboard/read-build.ts';
import { createPerson, logIn, PASSWORD, type Person } from '../../api/account/support.ts';
import { createTestApi, type TestApi } from '../../api/support.ts';
import { executableForPages } from '../../support/browsers/executable.ts';
import { sharedChromium } from '../../support/browsers/shared-chromium.ts';

/** A real API that serves the dashboard, and a browser in front of it. */
export interface Stand {
  readonly api: TestApi;
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  /** A browser of its own: no cookie, nothing stored. */
  openTab(): Promise<Tab>;
  close(): Promise<void>;
}

export interface Tab {
  readonly page: Page;
  /** Forbidden to every page: a third-party request, an error in the console, a violation of the policy. */
  readonly faults: readonly string[];
  /** Below `/dashboard`. */
  goTo(path: string): Promise<void>;
  /** The same in a tab that keeps nothing. The page before cannot write a draft again, as it could after a clear. */
  goToAnew(path: string): Promise<void>;
  close(): Promise<void>;
}

export type TestApiOptions = Parameters<typeof createTestApi>[0];

/** @param port any free one, unless another server has to know it. */
export const openStand = async (
  executable: string,
  options?: TestApiOptions,
  port?: number,
): Promise<Stand> => openStandIn(await sharedChromium(executableForPages(executable)), options, port);

/** In this browser, which the caller closes. @param port as of `openStand`. */
export async function openStandIn(browser: Browser, options: TestApiOptions = {}, port = 0): Promise<Stand> {
  const build = await readBuild(await buildDashboard());
  if (build === null) throw new Error('the dashboard was built and is not there');
  const api = await createTestApi({ ...options, dashboard: () => ({ kind: 'built', build }) });
  await api.app.listen({ host: '127.0.0.1', port });
  const url = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
  const tabs: Tab[] = [];
  return {
    api,
    url,
    openTab: async () => {
      const tab = await openTab(browser, url);
      tabs.push(tab);
      return tab;
    },
    close: async () => {
      for (const tab of tabs) await tab.close();
      await api.close();
    },
  };
}

/** Wide: browsers of three test files may share two cores with whatever else runs there. */
const STEP_TIMEOUT_MS = 180_000;
const LOOK_EVERY_MS = 50;

async function openTab(browser: Browser, url: string): Promise<Tab> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_TIMEOUT_MS);
  lookLessOften(page);
  // Transitions end at once, so that a page stands still while a test reads it. Firefox starts with this setting.
  const isFirefox = /^firefox/i.test(await browser.version());
  if (!isFirefox) await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  const faults: string[] = [];
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== url) faults.push(`asks ${request.url()}`);
  });
  page.on('pageerror', (error) => faults.push(`throws ${String(error)}`));
  page.on('console', (message) => {
    // The browser logs answers such as 401 and 422 too; the page shows them.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      faults.push(`says ${message.text()}`);
    }
  });
  const goTo = async (path: string): Promise<void> => void (await page.goto(`${url}/dashboard${path}`));
  return {
    page,
    faults,
    goTo,
    goToAnew: async (path) => {
      const { identifier } = await page.evaluateOnNewDocument('sessionStorage.clear()');
      await goTo(path);
      await page.removeScriptToEvaluateOnNewDocument(identifier);
    },
    close: async () => {
      if (!context.closed) await context.close();
    },
  };
}

/** The router, which makes itself known so, has ended the way to a page. */
const hasArrived = `self.__TSR_ROUTER__?.state.status === 'idle'
  && __TSR_ROUTER__.state.resolvedLocation?.href === __TSR_ROUTER__.latestLocation.href`;

/** From any page of the dashboard as a link leads, which costs half of what it does to load the page again. */
export async function walkTo(tab: Tab, path: string): Promise<void> {
  await waitUntil(tab, hasArrived);
  const to = JSON.stringify({ href: `/dashboard${path}`, ignoreBlocker: true });
  await tab.page.evaluate(`__TSR_ROUTER__.navigate(${to})`);
  await waitUntil(tab, hasArrived);
  // Until it is drawn: the page before may have had the same heading.
  await tab.page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
}

/** To its end and back: charts are drawn when they are about to be seen. */
export const scrollThrough = (page: Page): Promise<unknown> =>
  page.evaluate(`(async () => {
    for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
      scrollTo(0, y);
      await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    }
    scrollTo(0, 0);
  })()`);

/** By itself it visits each frame, and so has every one drawn while a test waits. */
function lookLessOften(page: Page): void {
  const wait = page.waitForFunction.bind(page);
  page.waitForFunction = (condition, options, ...args) =>
    wait(condition, { polling: LOOK_EVERY_MS, ...options }, ...args);
}

/** Logs in on the page, as a person does. */
export async function logInOnPage(tab: Tab, email: string, password = PASSWORD): Promise<void> {
  const { page } = tab;
  await page.locator('input[autocomplete=username]').fill(email);
  await page.locator('input[autocomplete=current-password]').fill(password);
  await click(tab, 'button[type=submit]');
}

/** A tab of a new, logged-in user, where no page is open yet. */
export async function openAs(
  stand: Stand,
  options: Parameters<typeof createPerson>[1] = {},
): Promise<{ readonly tab: Tab; readonly person: Person }> {
  const person = await createPerson(stand.api.database, options);
  return { tab: await openTabOf(stand, person), person };
}

/** Without the page that logs in, which a person meets once and would be loaded here by nearly every test. */
export async function openTabOf(stand: Stand, { email }: Person): Promise<Tab> {
  const answer = await logIn(stand.api.app, email);
  if (answer.statusCode !== 200) throw new Error(`log-in answered ${answer.statusCode} ${answer.body}`);
  const tab = await stand.openTab();
  for (const { name, value, path = '/', httpOnly = false } of answer.cookies) {
    await tab.page
      .browserContext()
      .setCookie({ name, value, path, httpOnly, domain: new URL(stand.url).hostname });
  }
  return tab;
}

/** Waits until the page's title is this, and nothing on it is still loading. */
export async function arriveAt(tab: Tab, heading: string): Promise<void> {
  await waitUntil(
    tab,
    `[...document.querySelectorAll('h1')].some((h1) => h1.textContent.trim() === ${JSON.stringify(heading)})
     && document.querySelector('[aria-busy=true]') === null`,
  );
}

/** The button, link or menu item with exactly this name. */
export const named = (name: string, role = 'button'): string => `::-p-aria(${name}[role="${role}"])`;

/** Waits until the page says this, anywhere. */
export const waitForText = (tab: Tab, text: string): Promise<void> =>
  waitUntil(tab, `document.body.innerText.includes(${JSON.stringify(text)})`);

/** @throws Error with what the page says instead. */
async function waitUntil({ page }: Tab, condition: string): Promise<void> {
  await page.waitForFunction(condition).catch(async (error: Error) => {
    const text = await page.evaluate("location.pathname + ': ' + document.body.innerText").catch(String);
    throw new Error(`${error.message}, for ${condition}, at ${String(text).slice(0, 3_000)}`);
  });
}

/** The field whose label, or else whose name, is this; null where there is none. */
const fieldNamed = (name: string): string => `(() => {
  const named = (field) => (field.labels?.[0]?.textContent ?? '').replace(/ \\*$/, '') || field.ariaLabel;
  const fields = [...document.querySelectorAll('input, textarea')];
  return fields.find((each) => named(each) === ${JSON.stringify(name)}) ?? null;
})()`;

/** Selects the text of the field with this label: the next key replaces it. */
export async function focusField({ page }: Tab, label: string): Promise<void> {
  const field = await page.waitForFunction(fieldNamed(label));
  // By focus: a mouse misses where a picture or a banner moves the page at that moment.
  await field.evaluate((element: unknown) => {
    (element as { focus(): void; select(): void }).focus();
    (element as { select(): void }).select();
  });
}

/** Replaces the text of the field with this label, at once: each key would have the whole page drawn again. */
export async function fillField(tab: Tab, label: string, text: string): Promise<void> {
  await focusField(tab, label);
  await tab.page.keyboard.sendCharacter(text);
}

/** Clicks the element with this name. */
export const press = (tab: Tab, name: string, role = 'button'): Promise<void> =>
  click(tab, named(name, role));

/**
 * Clicks what this selects, again where the click missed: a picture or a banner that appears moves the page
 * between the check of where the element is and the click.
 */
export async function click({ page }: Tab, selector: string): Promise<void> {
  const locator = page.locator(selector);
  let above = '';
  for (let tries = 0; tries < 5; tries++) {
    const element = await locator.waitHandle();
    await element.evaluate(noteClick);
    // Away from bars that stay at the edges.
    await element.evaluate((each: unknown) => (each as Placed).scrollIntoView({ block: 'center' }));
    await locator.click();
    // An element that is gone, with its page or alone, was clicked.
    if (await element.evaluate(wasClicked).catch(() => true)) return;
    above = await element.evaluate(whatIsAbove).catch(String);
  }
  throw new Error(`no click reached ${selector}, but ${above}`);
}

/** Both run in the page, whose types are not known here. */
interface Clickable {
  readonly isConnected: boolean;
  wasClicked?: boolean;
  addEventListener(kind: 'click', listener: () => void, options: object): void;
}
function noteClick(element: unknown): void {
  const clickable = element as Clickable;
  clickable.wasClicked = false;
  clickable.addEventListener(
    'click',
    () => {
      clickable.wasClicked = true;
    },
    { capture: true, once: true },
  );
}
function wasClicked(element: unknown): boolean {
  const { isConnected, wasClicked } = element as Clickable;
  return !isConnected || wasClicked === true;
}

/** What lies over its middle, such as a bar that stays in sight. */
function whatIsAbove(element: unknown): string {
  const { getBoundingClientRect, ownerDocument } = element as Placed;
  const { left, top, width, height } = getBoundingClientRect.call(element);
  const [x, y] = [left + width / 2, top + height / 2];
  return `at ${x}, ${y} is ${ownerDocument.elementFromPoint(x, y)?.outerHTML.slice(0, 300)}`;
}
interface Placed {
  scrollIntoView(how: { readonly block: 'center' }): void;
  getBoundingClientRect(): Readonly<Record<'left' | 'top' | 'width' | 'height', number>>;
  readonly ownerDocument: { elementFromPoint(x: number, y: number): { readonly outerHTML: string } | null };
}

/** The error text of the field with this label. */
export async function errorAt({ page }: Tab, label: string): Promise<string> {
  const find = `(() => {
    const ids = (${fieldNamed(label)}?.getAttribute('aria-describedby') ?? '').split(' ');
    const errors = ids.filter((id) => id.endsWith('-error'));
    return errors.map((id) => document.getElementById(id)?.textContent ?? '').join('');
  })()`;
  await page.waitForFunction(`${find} !== ''`);
  return String(await page.evaluate(find));
}
