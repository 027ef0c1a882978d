import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { axeFindings } from './look.ts';
import { arriveAt, fillField, openAs, openStand, press, type Stand, waitForText } from './stand.ts';

describeBrowser('chromium', 'a team in the dashboard', (executable) => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await openStand(executable);
  });
  afterAll(() => stand.close());

  it('invites a member by a link, who then works there, until an admin removes them', async () => {
    const { tab: admin } = await openAs(stand, { role: 'admin' });
    await admin.goTo('/settings/team');
    await arriveAt(admin, 'Team');
    await press(admin, 'Invite somebody');
    await fillField(admin, 'E-mail address', 'grace@example.com');
    expect(await axeFindings(admin.page)).toEqual([]);
    await press(admin, 'Make the link');
    await waitForText(admin, 'Broadside sends no e-mail');
    const link = String(await admin.page.evaluate("document.querySelector('[role=dialog] pre').textContent"));
    await press(admin, 'I have copied it');

    const member = await stand.openTab();
    await member.page.goto(link);
    await member.page.locator('#name').fill('Grace Hopper');
    await member.page.locator('#password').fill('a line that nobody guesses');
    await member.page.locator('button').click();
    await arriveAt(member, 'Welcome, Grace Hopper');
    // What her role does not allow is not offered.
    const offered = String(await member.page.evaluate("document.querySelector('nav').innerText"));
    expect(offered).toContain('API tokens');
    expect(offered).not.toContain('Team');

    await admin.goTo('/settings/team');
    await press(admin, 'Remove Grace Hopper');
    await press(admin, 'Remove the user');
    await waitForText(admin, 'Grace Hopper is removed.');
    await press(member, 'API tokens', 'link');
    await waitForText(member, 'You were logged out.');
    expect([...admin.faults, ...member.faults]).toEqual([]);
    await admin.close();
    await member.close();
  });

  it('leaves its changes in the audit log, which is filtered in the address', async () => {
    const { tab } = await openAs(stand, { role: 'admin' });
    await tab.goTo('/settings/account');
    await arriveAt(tab, 'Your account');
    await fillField(tab, 'Your name', 'Ada Lovelace');
    await press(tab, 'Save');
    await waitForText(tab, 'Your name is saved.');
    await tab.goTo('/settings/audit-log?action=user.renamed');
    await arriveAt(tab, 'Audit log');
    await waitForText(tab, 'Name changed');
    expect(await tab.page.evaluate("document.querySelectorAll('tbody tr').length")).toBe(1);
    await tab.close();
  });
});
