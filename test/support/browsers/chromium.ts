import puppeteer, { type Browser } from 'puppeteer-core';

export interface ChromiumOptions {
  readonly executable: string;
  /** A folder that outlives the browser. Left out: one of its own, removed as it closes. */
  readonly profile?: string;
}

/** A headless Chromium that resolves no host but this machine. */
export const startChromium = ({ executable, profile }: ChromiumOptions): Promise<Browser> =>
  puppeteer.launch({
    executablePath: executable,
    headless: true,
    // It ends with the process that holds the other end, however that one went.
    pipe: true,
    acceptInsecureCerts: true,
    ...(profile === undefined ? {} : { userDataDir: profile }),
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
      // A page of a test is gone before optimized code pays: a fifth of a renderer’s CPU.
      '--js-flags=--no-opt --no-maglev',
    ],
  });

/** What a browser needs of ours, and no more. */
function environment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  // No desktop shows its notifications: it does not look for one.
  return { PATH, HOME, LANGUAGE: 'en_GB', TZ: 'UTC', DBUS_SESSION_BUS_ADDRESS: 'disabled:' };
}
