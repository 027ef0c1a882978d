import type { Browser } from 'puppeteer-core';
import { until } from '../engine-harness.ts';
import type { ReadersBrowser } from './readers.ts';

/** A notification on the screen, as its reader sees it. */
export interface Alert {
  readonly title: string;
  readonly text: string;
  /** As with the mouse. */
  click(): Promise<void>;
  /** By its cross. */
  close(): Promise<void>;
}

/** `puppeteer` shows web pages alone; its connection, which it keeps to itself, reaches Firefox's own windows too. */
interface Bidi {
  send(method: string, params: object): Promise<{ readonly result: unknown }>;
}

const connectionOf = (browser: Browser): Bidi =>
  (browser as unknown as { readonly connection: Bidi }).connection;

interface Context {
  readonly context: string;
  readonly url: string;
}

const ALERT_URL = 'chrome://global/content/alerts/alert.xhtml';

/** The notifications of the whole browser on the screen now. Firefox draws each in a window of its own. */
export async function alertsOf(browser: ReadersBrowser): Promise<Alert[]> {
  const bidi = connectionOf('browser' in browser ? browser.browser() : browser);
  const windows = await windowsOf(bidi);
  const alerts = await Promise.all(
    windows.map(async ({ context }) => {
      const texts = await evaluate(bidi, context, textsExpression).catch(nullWhereGone);
      if (texts === null) return [];
      const [title, text] = texts.split('\n');
      return {
        title: title ?? '',
        text: text ?? '',
        click: async () => void (await evaluate(bidi, context, 'onAlertClick(), ""')),
        close: async () => void (await evaluate(bidi, context, 'onAlertClose(), ""')),
      };
    }),
  );
  return alerts.flat();
}

async function windowsOf(bidi: Bidi): Promise<readonly Context[]> {
  const { result } = await bidi.send('browsingContext.getTree', { 'moz:scope': 'chrome' });
  return (result as { contexts: Context[] }).contexts.filter(({ url }) => url === ALERT_URL);
}

/** One that another one replaced meanwhile. */
function nullWhereGone(error: Error): null {
  if (!error.message.includes('no such frame')) throw error;
  return null;
}

const textsExpression = `['alertTitleLabel', 'alertTextLabel'].map((id) => {
  const label = document.getElementById(id);
  return label.value || label.textContent;
}).join('\\n')`;

async function evaluate(bidi: Bidi, context: string, expression: string): Promise<string> {
  const { result } = await bidi.send('script.evaluate', {
    expression,
    target: { context },
    awaitPromise: true,
  });
  return (result as { result?: { value?: string } }).result?.value ?? '';
}

export interface AlertRoom {
  /** Characters of the title that fit into its line. */
  readonly title: number;
  /** Characters of the text, without the dots that stand for the rest. */
  readonly body: number;
  /** Addresses of what it shows as pictures. */
  readonly pictures: readonly string[];
  /** The names of its buttons, without its own. */
  readonly buttons: readonly string[];
}

/** How much of a notification the window shows. */
const roomExpression = `(() => {
  const title = document.getElementById('alertTitleLabel');
  const canvas = document.createElementNS('http://www.w3.org/1999/xhtml', 'canvas').getContext('2d');
  const { fontSize, fontFamily, paddingInlineStart, paddingInlineEnd } = getComputedStyle(title);
  canvas.font = fontSize + ' ' + fontFamily;
  const room = title.clientWidth - parseFloat(paddingInlineStart) - parseFloat(paddingInlineEnd);
  const dots = canvas.measureText('…').width;
  let fits = 0;
  while (fits < title.value.length && canvas.measureText(title.value.slice(0, fits + 1)).width + dots <= room) fits++;
  return JSON.stringify({
    title: fits,
    body: document.getElementById('alertTextLabel').textContent.replace(/…$/, '').length,
    pictures: [...document.querySelectorAll('image')].flatMap((each) => each.getAttribute('src') ?? []),
    buttons: [...document.querySelectorAll('button')].flatMap((each) => each.getAttribute('label') ?? []),
  });
})()`;

/** Waits for the notification of that title, and measures it. */
export async function roomOf(browser: ReadersBrowser, title: string): Promise<AlertRoom> {
  await alertOf(browser, title);
  const bidi = connectionOf('browser' in browser ? browser.browser() : browser);
  const windows = await windowsOf(bidi);
  for (const { context } of windows) {
    const texts = await evaluate(bidi, context, textsExpression).catch(nullWhereGone);
    if (texts?.split('\n')[0] === title)
      return JSON.parse(await evaluate(bidi, context, roomExpression)) as AlertRoom;
  }
  throw new Error(`“${title}” is gone`);
}

/** Waits for the notification of that title. */
export async function alertOf(browser: ReadersBrowser, title: string): Promise<Alert> {
  let found: Alert | undefined;
  await until(`Firefox to show “${title}”`, async () => {
    found = (await alertsOf(browser)).find((alert) => alert.title === title);
    return found !== undefined;
  });
  if (found === undefined) throw new Error('unreachable');
  return found;
}
