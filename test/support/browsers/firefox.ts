import puppeteer, { type Browser } from 'puppeteer-core';

export interface FirefoxOptions {
  readonly executable: string;
  /** Kept between two starts, where it is given. */
  readonly profile?: string;
  /** The WebSocket of the push service. */
  readonly pushServerUrl: string;
}

/** Nowhere: nothing listens on the discard port. */
const NOWHERE = 'http://127.0.0.1:9/';

/** A headless Firefox whose own push client is connected to the given push service only. */
export const startFirefox = (options: FirefoxOptions): Promise<Browser> =>
  puppeteer.launch({
    browser: 'firefox',
    executablePath: options.executable,
    headless: true,
    // The certificates of the tests' own servers.
    acceptInsecureCerts: true,
    ...(options.profile === undefined ? {} : { userDataDir: options.profile }),
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
    },
  });
