// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSealer } from '../../../engine/adapters/postgres/sealed-secret.ts';
import { emailContext } from '../../../engine/contract/emails.ts';
import { createPerson } from '../../api/account/support.ts';
import { MASTER_KEY } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { axeFindings, keepScreenshot } from './look.ts';
import { arriveAt, fillField, logInOnPage, openStand, press, type Stand, waitForText } from './stand.ts';

describeBrowser('chromium', 'a forgotten password', (executable) => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await openStand(executable, {
      config: {
        smtpUrl: 'smtp://127.0.0.1:1',
        mailFrom: 'push@push.example',
        // Where links lead; the browser follows them on the stand's own port.
        publicBaseUrl: 'http://push.example.com',
      },
    });
  });
  afterAll(() => stand.close());

  async function linkOf(address: string): Promise<string> {
    const [row] = await stand.api.database.query<{ link: Buffer }>(
      `SELECT link_sealed AS link FROM letters WHERE address = $1 AND kind = 'password-reset'`,
      [address],
    );
    return createSealer(MASTER_KEY)
      .open(row?.link ?? Buffer.of(), emailContext(address))
      .toString()
      .replace('http://push.example.com', stand.url);
  }

  it('is asked for on the log-in page, and replaced by the link', async () => {
    const person = await createPerson(stand.api.database);
    const tab = await stand.openTab();
    await tab.goTo('/log-in');
    await press(tab, 'Forgot your password?', 'link');
    await waitForText(tab, 'A link to choose a new password comes by e-mail.');
    expect(await axeFindings(tab.page)).toEqual([]);
    await keepScreenshot(tab.page, 'password-reset-ask');
    await fillField(tab, 'E-mail address of your account', person.email);
    await press(tab, 'Send the link');
    await waitForText(tab, 'If this address has an account, a link is on its way to it.');
    await expect.poll(() => linkOf(person.email).catch(() => '')).toContain('/password-reset#');
    await tab.page.goto(await linkOf(person.email));
    await waitForText(tab, 'Choose a new password');
    expect(await axeFindings(tab.page)).toEqual([]);
    await fillField(tab, 'Choose a new password', 'another line, just as long');
    await press(tab, 'Set the password');
    await waitForText(tab, 'Your new password is set');
    expect(tab.page.url()).not.toContain('#');
    await press(tab, 'Log in', 'link');
    await arriveAt(tab, 'Log in');
    await logInOnPage(tab, person.email, 'another line, just as long');
    await tab.page.waitForFunction("!location.pathname.endsWith('/log-in')");
    await tab.page.goto(
      await linkOf(person.email).catch(() => `${stand.url}/password-reset#1.${'a'.repeat(43)}`),
    );
    await waitForText(tab, 'The link is not valid');
    await keepScreenshot(tab.page, 'password-reset-invalid');
    expect(tab.faults).toEqual([]);
    await tab.close();
  });
});
