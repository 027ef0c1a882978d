import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'puppeteer-core';
import { type Frame, toAnimation } from './animation.ts';

export interface Look {
  readonly scheme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
}
export const desktop: Look = { scheme: 'light', width: 1280, height: 900 };
export const dark: Look = { ...desktop, scheme: 'dark' };
export const phone: Look = { scheme: 'light', width: 390, height: 844 };
/** Of a film: as a README shows it, so that text stays sharp in few bytes. */
export const small: Look = { scheme: 'light', width: 960, height: 640 };

export interface Camera {
  /** Takes a page as it is now, once `shows` (a selector) is there and nothing loads. @returns a line about the file. */
  take(name: string, path: string, shows: string, look: Look): Promise<string>;
  /** Opens a page and films it until `act` has ended and a moment longer. @returns a line about the file. */
  film(name: string, path: string, shows: string, look: Look, act: () => Promise<void>): Promise<string>;
}

const PASSWORD = 'a line that nobody guesses';
const STEP_TIMEOUT_MS = 60_000;
/** Of WebP: text stays sharp, and a page stays well below 200 KB. */
const QUALITY = 88;
const FRAME_MS = 400;
/** Of what takes longer, each second one, or third, is left out: it goes faster than it went. */
const MOST_FRAMES = 16;
/** The end, for those who read it. */
const LAST_MS = 4_000;
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
  const open = async (path: string, shows: string, look: Look): Promise<void> => {
    await lookWith(page, look);
    await page.goto(`${origin}/dashboard${path}`);
    await page.waitForFunction(
      `document.querySelector(${JSON.stringify(shows)}) !== null && document.querySelector('[aria-busy=true]') === null`,
    );
    await new Promise((resolve) => setTimeout(resolve, DRAWN_MS));
  };
  return {
    async take(name, path, shows, look) {
      await open(path, shows, look);
      const file = join(folder, `${name}.webp`);
      await page.screenshot({ path: file as `${string}.webp`, type: 'webp', quality: QUALITY });
      return describeFile(file);
    },
    async film(name, path, shows, look, act) {
      await open(path, shows, look);
      const file = join(folder, `${name}.webp`);
      await writeFile(file, await toAnimation(await framesWhile(page, act)));
      return describeFile(file);
    },
  };
}

const describeFile = async (file: string): Promise<string> =>
  `${file}, ${Math.round((await stat(file)).size / 1_000)} KB`;

/** What the page shows at its own pace; a picture that is as the one before makes that one last longer. */
async function framesWhile(page: Page, act: () => Promise<void>): Promise<Frame[]> {
  const frames: Frame[] = [];
  let isOver = false;
  const take = async (): Promise<void> => {
    const still = Buffer.from(await page.screenshot({ type: 'png' }));
    const last = frames.at(-1);
    if (last?.still.equals(still)) frames[frames.length - 1] = { still, ms: last.ms + FRAME_MS };
    else frames.push({ still, ms: FRAME_MS });
  };
  await take();
  const acting = act().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await Promise.all([take(), new Promise((resolve) => setTimeout(resolve, FRAME_MS))]);
  }
  await acting;
  await new Promise((resolve) => setTimeout(resolve, 3 * DRAWN_MS));
  await take();
  const end = frames.pop();
  const step = Math.ceil(frames.length / MOST_FRAMES);
  const shown = frames.filter((_, place) => place % step === 0);
  return end === undefined ? shown : [...shown, { ...end, ms: LAST_MS }];
}

async function lookWith(page: Page, { scheme, width, height }: Look): Promise<void> {
  await page.setViewport({ width, height, deviceScaleFactor: 1 });
  await page.emulateMediaFeatures([
    { name: 'prefers-reduced-motion', value: 'reduce' },
    { name: 'prefers-color-scheme', value: scheme },
  ]);
}
