import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'puppeteer-core';

export interface Look {
  readonly scheme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
}
export const desktop: Look = { scheme: 'light', width: 1280, height: 900 };
export const dark: Look = { ...desktop, scheme: 'dark' };
export const phone: Look = { scheme: 'light', width: 390, height: 844 };

export interface Camera {
  /** Takes a page as it is now, once `shows` (a selector) is there and nothing loads. @returns a line about the file. */
  take(name: string, path: string, shows: string, look: Look): Promise<string>;
}

const PASSWORD = 'a line that nobody guesses';
const STEP_TIMEOUT_MS = 60_000;
/** Of WebP: text stays sharp, and a page stays well below 200 KB. */
const QUALITY = 88;
/** Waits until everything has loaded and charts are drawn. */
const DRAWN_MS = 800;

/** Opens the link of an invitation, chooses a password, and is then in the dashboard. */
export async function createCamera(browser: Browser, invitation: string, folder: string): Promise<Camera> {
  await mkdir(folder, { recursive: true });
  const page = await browser.newPage();
  page.setDefaultTimeout(STEP_TIMEOUT_MS);
  await page.goto(invitation);
  await page.locator('#name').fill('Ada Lovelace');
  await page.locator('#password').fill(PASSWORD);
  await page.locator('button').click();
  await page.waitForFunction("location.pathname.startsWith('/dashboard')");
  const { origin } = new URL(page.url());
  return {
    async take(name, path, shows, look) {
      await lookWith(page, look);
      await page.goto(`${origin}/dashboard${path}`);
      await page.waitForFunction(
        `document.querySelector(${JSON.stringify(shows)}) !== null && document.querySelector('[aria-busy=true]') === null`,
      );
      await new Promise((resolve) => setTimeout(resolve, DRAWN_MS));
      const file = join(folder, `${name}.webp`);
      await page.screenshot({ path: file as `${string}.webp`, type: 'webp', quality: QUALITY });
      return `${file}, ${Math.round((await stat(file)).size / 1_000)} KB`;
    },
  };
}

async function lookWith(page: Page, { scheme, width, height }: Look): Promise<void> {
  await page.setViewport({ width, height, deviceScaleFactor: 1 });
  await page.emulateMediaFeatures([
    { name: 'prefers-reduced-motion', value: 'reduce' },
    { name: 'prefers-color-scheme', value: scheme },
  ]);
}
