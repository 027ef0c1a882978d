import type { Browser, BrowserContext, Page } from 'puppeteer-core';
import { startFirefox } from './firefox.ts';
import type { Newsroom } from './newsroom.ts';
import { sharedChromium } from './shared-chromium.ts';

/** A whole browser, or a part of one that shares nothing with the others: not its storage, workers or subscriptions. */
export type ReadersBrowser = Browser | BrowserContext;

/** In the Chromium of this process: to start one takes most of a test. It asks no permission for this origin. */
export async function openChromium(executable: string, origin: string): Promise<BrowserContext> {
  const part = await (await sharedChromium(executable)).createBrowserContext();
  await part.overridePermissions(origin, ['notifications']);
  return part;
}

/** A browser of the suite, in which each reader has a part. */
export interface Readers {
  open(): Promise<BrowserContext>;
  close(): Promise<void>;
}

export const chromiumReaders = async (executable: string, { site }: Newsroom): Promise<Readers> => ({
  open: () => openChromium(executable, site.origin),
  close: async () => {},
});

export async function firefoxReaders(executable: string, { push }: Newsroom): Promise<Readers> {
  const browser = await startFirefox({ executable, pushServerUrl: push.serverUrl });
  return { open: () => browser.createBrowserContext(), close: () => browser.close() };
}

/** What this reader has answered to the question of the site, or that it would be asked. */
export async function setNotifications(
  page: Page,
  origin: string,
  setting: 'prompt' | 'denied',
): Promise<void> {
  const devtools = await page.createCDPSession();
  const { id = '' } = page.browserContext();
  const permission = { name: 'notifications' };
  await devtools.send('Browser.setPermission', { origin, permission, setting, browserContextId: id });
}
