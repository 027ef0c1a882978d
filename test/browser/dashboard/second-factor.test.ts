// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, PASSWORD } from '../../api/account/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { codeOf } from '../../support/second-factor.ts';
import { axeFindings, keepScreenshot } from './look.ts';
import {
  arriveAt,
  fillField,
  logInOnPage,
  openAs,
  openStand,
  press,
  type Stand,
  waitForText,
} from './stand.ts';

describeBrowser('chromium', 'a second factor in the dashboard', (executable) => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await openStand(executable);
  });
  afterAll(() => stand.close());

  it('is required on the team page, set up on the account page, and asked for at log-in', async () => {
    const boss = await openAs(stand, { role: 'admin' });
    await boss.tab.goTo('/settings/team');
    await arriveAt(boss.tab, 'Team');
    await press(boss.tab, 'Require a second factor', 'switch');
    // From now on nothing but the account page is open to them.
    await waitForText(boss.tab, 'Rule saved.');
    await arriveAt(boss.tab, 'Your account');
    const { organizationId } = boss.person;
    const person = await createPerson(stand.api.database, { role: 'member', organizationId });

    const tab = await stand.openTab();
    await tab.goTo('/log-in');
    await logInOnPage(tab, person.email);
    await arriveAt(tab, 'Your account');
    await waitForText(tab, 'Your organization requires a second factor.');
    expect(await axeFindings(tab.page)).toEqual([]);
    await keepScreenshot(tab.page, 'second-factor-required');
    await press(tab, 'Set up a second factor');
    await fillField(tab, 'Current password', PASSWORD);
    await press(tab, 'Next');
    await waitForText(tab, 'Add an account to your authenticator app');
    expect(await axeFindings(tab.page)).toEqual([]);
    await keepScreenshot(tab.page, 'second-factor-key');
    const secret = String(await tab.page.evaluate("document.querySelector('[role=dialog] pre').textContent"));
    const now = await codeOf(secret);
    await fillField(tab, 'Code', now);
    await press(tab, 'Confirm');
    await waitForText(tab, 'they are not shown again');
    const codes = String(await tab.page.evaluate("document.querySelector('[role=dialog] pre').textContent"));
    await press(tab, 'I have copied them');
    await waitForText(tab, 'Recovery codes left: 10.');
    await tab.goTo('/apps');
    await arriveAt(tab, 'Apps');

    const second = await stand.openTab();
    await second.goTo('/log-in');
    await logInOnPage(second, person.email);
    await waitForText(second, 'Enter the code that your authenticator app shows');
    expect(await axeFindings(second.page)).toEqual([]);
    await keepScreenshot(second.page, 'second-factor-code');
    await fillField(second, 'Code', now);
    await press(second, 'Continue');
    await waitForText(second, 'wrong, or was used before');
    await fillField(second, 'Code', codes.split('\n')[0] ?? '');
    await press(second, 'Continue');
    await second.page.waitForFunction("!location.pathname.endsWith('/log-in')");
    expect([...tab.faults, ...second.faults]).toEqual([]);
    await Promise.all([tab.close(), second.close(), boss.tab.close()]);
  });
});
