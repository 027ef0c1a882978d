import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, realpath, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer, { type Browser } from 'puppeteer-core';

export interface FirefoxOptions {
  readonly executable: string;
  /** Kept between two starts, where it is given; by default one that is removed as it closes. */
  readonly profile?: string;
  /** The WebSocket of the push service. */
  readonly pushServerUrl: string;
}

/** Nowhere: nothing listens on the discard port. */
const NOWHERE = 'http://127.0.0.1:9/';

/** A headless Firefox whose own push client is connected to the given push service only. */
export async function startFirefox(options: FirefoxOptions): Promise<Browser> {
  const profile = options.profile ?? (await mkdtemp(join(tmpdir(), 'broadside-firefox-')));
  const compiled = await compiledOf(options.executable);
  await bring(compiled, profile);
  const browser = await launch(options, profile);
  const close = browser.close.bind(browser);
  browser.close = async () => {
    await close();
    await keep(compiled, profile);
    if (options.profile === undefined) await rm(profile, { recursive: true, force: true });
  };
  return browser;
}

const launch = (options: FirefoxOptions, profile: string): Promise<Browser> =>
  puppeteer.launch({
    browser: 'firefox',
    executablePath: options.executable,
    headless: true,
    // The certificates of the tests' own servers.
    acceptInsecureCerts: true,
    userDataDir: profile,
    // A test that clicks a notification must reach the window that shows it.
    args: ['--remote-allow-system-access'],
    extraPrefsFirefox: {
      'dom.push.enabled': true,
      // The driver's own profile turns it off.
      'dom.push.connection.enabled': true,
      'dom.push.serverURL': options.pushServerUrl,
      'dom.push.testing.allowInsecureServerURL': true,
      // Comes back at once after it lost the service, instead of in five seconds.
      'dom.push.retryBaseInterval': 100,
      'dom.push.testing.ignorePermission': true,
      'permissions.default.desktop-notification': 1,
      // `showNotification` throws without a window system otherwise.
      'alerts.useSystemBackend': false,
      'ui.prefersReducedMotion': 1,
      'services.settings.server': NOWHERE,
      'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false,
      // Processes and a page that no test needs: a seventh of what a start costs.
      'dom.ipc.processPrelaunch.enabled': false,
      'extensions.webextensions.remote': false,
      'browser.newtabpage.enabled': false,
      'browser.newtab.preload': false,
      'browser.startup.page': 0,
    },
  });

/**
 * Firefox's own scripts as it has compiled them before, which is two fifths of its first start, and by what it knows that
 * they are its own. Nothing else of a profile is kept.
 */
const PARTS = ['startupCache', 'compatibility.ini'] as const;
const kept = fileURLToPath(new URL('../../../.cache/firefox', import.meta.url));

/** Where those of this Firefox are, once one has ended in order. */
async function compiledOf(executable: string): Promise<string> {
  const { mtimeMs } = await stat(await realpath(executable));
  return join(kept, String(mtimeMs));
}

async function bring(compiled: string, profile: string): Promise<void> {
  if (!existsSync(compiled) || existsSync(join(profile, PARTS[0]))) return;
  await cp(compiled, profile, { recursive: true });
}

async function keep(compiled: string, profile: string): Promise<void> {
  if (existsSync(compiled) || !PARTS.every((part) => existsSync(join(profile, part)))) return;
  const copy = `${compiled}.${randomBytes(4).toString('hex')}`;
  await mkdir(copy, { recursive: true });
  for (const part of PARTS) await cp(join(profile, part), join(copy, part), { recursive: true });
  // Another process may have kept its own meanwhile.
  await rename(copy, compiled).catch(() => rm(copy, { recursive: true }));
}
