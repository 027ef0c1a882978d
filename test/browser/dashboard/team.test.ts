import { afterAll, beforeAll, expect, it } from 'vitest';
import { appBody, callAs, deliveryBody } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { axeFindings, keepScreenshot } from './look.ts';
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

  it('limits breaking deliveries, and the page to write one says what is left, and for whom', async () => {
    const { tab, person } = await openAs(stand, { role: 'admin' });
    const call = callAs(stand.api.app, person);
    const app = String((await call('POST', '/apps', appBody())).json().data.identifier);
    await tab.goTo('/settings/team');
    await arriveAt(tab, 'Team');
    await fillField(tab, 'At most a day', '2');
    await press(tab, 'Save');
    await waitForText(tab, 'The rules for breaking deliveries are saved.');
    expect(await axeFindings(tab.page)).toEqual([]);
    await keepScreenshot(tab.page, 'team-breaking');

    const made = await call('POST', `/apps/${app}/deliveries`, deliveryBody({ lane: 'breaking' }));
    await tab.goTo(`/apps/${app}/compose?from=${made.json().data.id}`);
    await waitForText(tab, '1 of 2 breaking deliveries left for today (UTC).');
    await keepScreenshot(tab.page, 'compose-breaking');
    await press(tab, 'Send …');
    await waitForText(tab, 'Breaking. 1 of 2 breaking deliveries left for today (UTC).');
    await press(tab, 'Send to 0 readers');
    await arriveAt(tab, 'Morning');
    await tab.goTo(`/apps/${app}/compose?from=${made.json().data.id}`);
    await waitForText(tab, 'No breaking delivery is left for today (UTC), of 2 a day.');

    const organizationId = person.organizationId;
    await stand.api.database.query(`UPDATE organizations SET breaking_role = 'admin' WHERE id = $1`, [
      organizationId,
    ]);
    const { tab: member } = await openAs(stand, { role: 'member', organizationId });
    await member.goTo(`/apps/${app}/compose?from=${made.json().data.id}`);
    await waitForText(member, 'Your organization keeps breaking for its admins.');
    expect([...tab.faults, ...member.faults]).toEqual([]);
    await member.close();
    await tab.close();
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
