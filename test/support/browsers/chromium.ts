import puppeteer, { type Browser } from 'puppeteer-core';

export interface ChromiumOptions {
  readonly executable: string;
  /** Of the site whose notifications are allowed. Left out: of none. */
  readonly origin?: string;
}

/** A headless Chromium that needs no permission prompt for notifications, and resolves no host but this machine. */
export async function startChromium({ executable, origin }: ChromiumOptions): Promise<Browser> {
  const browser = await puppeteer.launch({
    executablePath: executable,
    headless: true,
    acceptInsecureCerts: true,
    env: environment(),
    args: [
      // Tests run as root in containers, where the sandbox cannot.
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      // A service worker’s script is not covered by `acceptInsecureCerts`.
      '--ignore-certificate-errors',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost',
      '--lang=en-GB',
    ],
  });
  if (origin !== undefined)
    await browser.defaultBrowserContext().overridePermissions(origin, ['notifications']);
  return browser;
}

let shared: Promise<Browser> | undefined;

/**
 * One for all test files of this process, which share its modules (`test/vitest.config.ts`); a file has tabs of its own
 * contexts there, and nothing of them is left for the next. The browser ends with the process.
 */
export async function sharedChromium(executable: string): Promise<Browser> {
  const before = await shared?.catch(() => undefined);
  if (before?.connected === true) return before;
  shared = startChromium({ executable });
  return shared;
}

/** What a browser needs of ours, and no more. */
function environment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  // No desktop shows its notifications: it does not look for one.
  return { PATH, HOME, LANGUAGE: 'en_GB', TZ: 'UTC', DBUS_SESSION_BUS_ADDRESS: 'disabled:' };
}
