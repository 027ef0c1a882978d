import puppeteer, { type Browser } from 'puppeteer-core';

export interface ChromiumOptions {
  readonly executable: string;
  /** Of the site whose notifications are allowed. */
  readonly origin: string;
}

/** A Chromium without a window that asks nobody for permission to notify, and no other host for anything. */
export async function startChromium({ executable, origin }: ChromiumOptions): Promise<Browser> {
  const browser = await puppeteer.launch({
    executablePath: executable,
    headless: true,
    acceptInsecureCerts: true,
    // No desktop shows its notifications: it does not look for one.
    env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'disabled:' },
    args: [
      // Tests run as root in containers, where the sandbox cannot.
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      // A service worker’s script is not covered by `acceptInsecureCerts`.
      '--ignore-certificate-errors',
    ],
  });
  await browser.defaultBrowserContext().overridePermissions(origin, ['notifications']);
  return browser;
}
