// tier: system
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CDPSession } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, PASSWORD } from '../../api/account/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { axeFindings, keepScreenshot, keepScreenshots } from './look.ts';
import {
  arriveAt,
  fillField,
  logInOnPage,
  openStand,
  press,
  type Stand,
  type Tab,
  waitForText,
} from './stand.ts';

interface Credential {
  readonly credentialId: string;
  readonly signCount: number;
}

describeBrowser('chromium', 'passkeys in the dashboard', (executable) => {
  let stand: Stand;
  /** Passkeys belong to names, and an address is none. */
  let site: string;
  /** Another port is another origin of the same site. */
  const elsewhere = createServer((_, response) => response.end('<!doctype html><title>Elsewhere</title>'));
  beforeAll(async () => {
    stand = await openStand(executable);
    site = `http://localhost:${new URL(stand.url).port}`;
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    elsewhere.close();
    await stand.close();
  });

  const goTo = (tab: Tab, path: string) => tab.page.goto(`${site}/dashboard${path}`);
  /** With Chromium's own authenticator, which says yes to everything. */
  async function openWithKey(): Promise<{ tab: Tab; cdp: CDPSession; authenticatorId: string }> {
    const tab = await stand.openTab();
    const cdp = await tab.page.createCDPSession();
    await cdp.send('WebAuthn.enable');
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return { tab, cdp, authenticatorId };
  }
  async function logOut(tab: Tab): Promise<void> {
    await press(tab, 'Your menu');
    await press(tab, 'Log out', 'menuitem');
    await arriveAt(tab, 'Log in');
  }
  /** In the dialog: the page behind it has a field of this name, too. */
  const givePassword = (tab: Tab) =>
    tab.page.locator('[role=dialog] input[autocomplete=current-password]').fill(PASSWORD);
  const isIn = (tab: Tab) => tab.page.waitForFunction("!location.pathname.endsWith('/log-in')");
  async function addOne(tab: Tab, email: string): Promise<void> {
    await goTo(tab, '/log-in');
    await logInOnPage(tab, email);
    await isIn(tab);
    await goTo(tab, '/settings/account');
    await press(tab, 'Add a passkey');
    await fillField(tab, 'Name', 'Laptop');
    await givePassword(tab);
    await keepScreenshot(tab.page, 'passkey-add');
    await press(tab, 'Next');
    await waitForText(tab, 'they are not shown again');
    await press(tab, 'I have copied them');
    await waitForText(tab, 'Recovery codes left: 10.');
  }

  it('are added on the account page, and log in after the password and without one', async () => {
    const person = await createPerson(stand.api.database);
    const { tab } = await openWithKey();
    await addOne(tab, person.email);
    await waitForText(tab, 'Laptop');
    expect(await axeFindings(tab.page)).toEqual([]);
    await keepScreenshots(tab.page, 'passkeys');
    await logOut(tab);

    await logInOnPage(tab, person.email);
    await waitForText(tab, 'Enter the code that your authenticator app shows');
    expect(await axeFindings(tab.page)).toEqual([]);
    await keepScreenshot(tab.page, 'passkey-second');
    await press(tab, 'Use a passkey');
    await isIn(tab);
    await logOut(tab);

    expect(await axeFindings(tab.page)).toEqual([]);
    await keepScreenshot(tab.page, 'passkey-log-in');
    await press(tab, 'Log in with a passkey');
    await isIn(tab);
    await goTo(tab, '/settings/account');
    await waitForText(tab, person.email);
    await tab.close();
  });

  it('are refused when removed, and when a copy of one was used', async () => {
    const person = await createPerson(stand.api.database);
    const { tab, cdp, authenticatorId } = await openWithKey();
    await addOne(tab, person.email);
    await logOut(tab);
    const before = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    const [copy] = before.credentials;
    await press(tab, 'Log in with a passkey');
    await isIn(tab);
    await logOut(tab);
    // A copy from before the last use: it counts what was counted already.
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    expect((credentials[0] as Credential).signCount).toBeGreaterThan((copy as Credential).signCount);
    await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: copy?.credentialId ?? '' });
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: copy as never });
    await press(tab, 'Log in with a passkey');
    await waitForText(tab, 'This passkey is unknown or invalid.');
    await logInOnPage(tab, person.email);
    await waitForText(tab, 'Enter the code that your authenticator app shows');
    const rows = await stand.api.database.query(
      `SELECT FROM passkeys WHERE user_id = $1 AND stopped_at IS NOT NULL`,
      [person.userId],
    );
    expect(rows).toHaveLength(1);

    const other = await openWithKey();
    const owner = await createPerson(stand.api.database);
    await addOne(other.tab, owner.email);
    await press(other.tab, 'Remove passkey: Laptop');
    await givePassword(other.tab);
    await press(other.tab, 'Remove');
    await waitForText(other.tab, 'Passkey removed.');
    await logOut(other.tab);
    await press(other.tab, 'Log in with a passkey');
    await waitForText(other.tab, 'This passkey is unknown or invalid.');
    await keepScreenshot(other.tab.page, 'passkey-refused');
    await Promise.all([tab.close(), other.tab.close()]);
  });

  it('that sign for another origin of the site are refused', async () => {
    const person = await createPerson(stand.api.database);
    const { tab } = await openWithKey();
    await addOne(tab, person.email);
    const asked = await stand.api.app.inject({
      method: 'POST',
      url: '/api/v1/account/log-in/passkey-options',
      headers: { host: new URL(site).host },
    });
    const cookie = String(asked.headers['set-cookie']).split(';')[0] ?? '';
    const send = (answer: unknown) =>
      stand.api.app.inject({
        method: 'POST',
        url: '/api/v1/account/log-in/passkey',
        headers: { host: new URL(site).host, cookie },
        payload: { answer },
      });
    await tab.page.goto(`http://localhost:${(elsewhere.address() as AddressInfo).port}/`);
    const options = JSON.stringify(asked.json().data.options);
    const answer = await tab.page.evaluate(
      `navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(${options})) })
        .then((credential) => JSON.stringify(credential.toJSON()))`,
    );
    expect(answer).toContain('clientDataJSON');
    expect((await send(answer)).statusCode).toBe(401);
    await tab.close();
  });
});
