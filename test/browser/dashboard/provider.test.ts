// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../../engine/adapters/postgres/free-port.ts';
import { createPerson, PASSWORD } from '../../api/account/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { CLIENT, startTestProvider, type TestProvider } from '../../support/openid-provider/start.ts';
import { axeFindings, keepScreenshot, keepScreenshots } from './look.ts';
import { arriveAt, fillField, named, openAs, openStand, press, type Stand, waitForText } from './stand.ts';

describeBrowser('chromium', 'log-in by a provider in the dashboard', (executable) => {
  let stand: Stand;
  let provider: TestProvider;
  beforeAll(async () => {
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    provider = await startTestProvider({
      redirectUris: [`${base}/api/v1/account/log-in/organizations/*/callback`],
      logOutUris: [`${base}/dashboard/log-in`],
    });
    stand = await openStand(
      executable,
      { config: { oidcPrivateHosts: [new URL(provider.issuer).host] } },
      port,
    );
  });
  afterAll(async () => {
    await stand.close();
    await provider.stop();
  });

  it('is set up and tried on the team page, and opens the account at the organization’s log-in address', async () => {
    const boss = await openAs(stand, { role: 'admin' });
    const { organizationId } = boss.person;
    await boss.tab.goTo('/settings/team');
    await arriveAt(boss.tab, 'Team');
    await waitForText(boss.tab, 'No provider is set.');
    await waitForText(
      boss.tab,
      `${stand.url}/api/v1/account/log-in/organizations/${organizationId}/callback`,
    );
    await press(boss.tab, 'Set up a provider');
    await fillField(boss.tab, 'Name for the button', 'Example ID');
    await fillField(boss.tab, 'Issuer', provider.issuer);
    await fillField(boss.tab, 'Client ID', CLIENT.id);
    await fillField(boss.tab, 'Client secret', 'a wrong secret');
    await fillField(boss.tab, 'Current password', PASSWORD);
    expect(await axeFindings(boss.tab.page)).toEqual([]);
    await keepScreenshot(boss.tab.page, 'provider-form');
    await press(boss.tab, 'Save');
    await waitForText(boss.tab, 'Provider saved.');
    await press(boss.tab, 'Try it');
    await waitForText(boss.tab, 'The provider refuses the client ID or the secret.');
    await keepScreenshots(boss.tab.page, 'provider-tried');
    await press(boss.tab, 'Change');
    await fillField(boss.tab, 'Client secret', CLIENT.secret);
    await fillField(boss.tab, 'Current password', PASSWORD);
    await press(boss.tab, 'Save');
    await boss.tab.page.waitForSelector('[role=dialog]', { hidden: true });
    await press(boss.tab, 'Try it');
    await waitForText(boss.tab, 'Everything works: people can log in.');
    expect(await axeFindings(boss.tab.page)).toEqual([]);

    const [{ key } = { key: '' }] = await stand.api.database.query<{ key: string }>(
      `SELECT key FROM identity_providers WHERE organization_id = $1`,
      [organizationId],
    );
    const member = await createPerson(stand.api.database, { role: 'member', organizationId });
    await provider.control({
      account: { sub: 'ada', claims: { email: member.email, email_verified: true, name: 'Ada' } },
    });
    const tab = await stand.openTab();
    await tab.goTo(`/log-in?organization=${key}`);
    const [{ name } = { name: '' }] = await stand.api.database.query<{ name: string }>(
      `SELECT name FROM organizations WHERE id = $1`,
      [organizationId],
    );
    // Whose provider it is: an admin of any organization chooses the name of its own.
    const button = `Log in with Example ID, the provider of ${name}`;
    await tab.page.waitForSelector(named(button));
    expect(await axeFindings(tab.page)).toEqual([]);
    await keepScreenshot(tab.page, 'provider-log-in');
    await press(tab, button);
    await tab.page.waitForFunction(
      "location.pathname.startsWith('/dashboard/') && !location.pathname.endsWith('/log-in')",
    );
    await tab.goTo('/settings/account');
    await arriveAt(tab, 'Your account');
    await waitForText(tab, member.email);

    // Away from both: the provider says that it is done, and shows its page of log-out.
    await press(tab, 'Your menu');
    await press(tab, 'Log out', 'menuitem');
    await tab.page.waitForFunction(`location.origin === ${JSON.stringify(provider.issuer)}`);

    await provider.control({
      account: { sub: 'eve', claims: { email: 'eve@example.org', email_verified: true } },
    });
    const eve = await stand.openTab();
    await eve.goTo(`/log-in?organization=${key}`);
    await press(eve, button);
    await waitForText(eve, 'You have no account here that this provider may open.');
    await keepScreenshot(eve.page, 'provider-refused');
    await Promise.all([tab.close(), eve.close(), boss.tab.close()]);
  });
});
