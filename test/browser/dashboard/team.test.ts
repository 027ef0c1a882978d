// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appBody, callAs, deliveryBody } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { axeFindings, keepScreenshot } from './look.ts';
import { arriveAt, click, fillField, openAs, openStand, press, type Stand, waitForText } from './stand.ts';

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
    await press(admin, 'Invite a user');
    await fillField(admin, 'E-mail address', 'grace@example.com');
    expect(await axeFindings(admin.page)).toEqual([]);
    await press(admin, 'Invite');
    await waitForText(admin, 'No e-mail was sent');
    const link = String(await admin.page.evaluate("document.querySelector('[role=dialog] pre').textContent"));
    await press(admin, 'I have copied it');

    const member = await stand.openTab();
    await member.page.goto(link);
    await member.page.locator('#name').fill('Grace Hopper');
    await member.page.locator('#password').fill('a line that nobody guesses');
    await click(member, 'button');
    await arriveAt(member, 'Welcome, Grace Hopper');
    // Actions that her role does not allow are not shown.
    const offered = String(await member.page.evaluate("document.querySelector('nav').innerText"));
    expect(offered).toContain('API tokens');
    expect(offered).not.toContain('Team');

    await admin.goTo('/settings/team');
    await press(admin, 'Remove Grace Hopper');
    await press(admin, 'Remove user');
    await waitForText(admin, 'Grace Hopper was removed.');
    await press(member, 'API tokens', 'link');
    await waitForText(member, 'Your session ended.');
    expect([...admin.faults, ...member.faults]).toEqual([]);
    await admin.close();
    await member.close();
  });

  it('limits breaking deliveries, and the compose page shows the remaining number, and for which roles', async () => {
    const { tab, person } = await openAs(stand, { role: 'admin' });
    const call = callAs(stand.api.app, person);
    const app = String((await call('POST', '/apps', appBody())).json().data.identifier);
    await tab.goTo('/settings/team');
    await arriveAt(tab, 'Team');
    await fillField(tab, 'Limit per day', '2');
    await press(tab, 'Save');
    await waitForText(tab, 'Rules for breaking deliveries saved.');
    expect(await axeFindings(tab.page)).toEqual([]);
    await keepScreenshot(tab.page, 'team-breaking');

    const made = await call('POST', `/apps/${app}/deliveries`, deliveryBody({ lane: 'breaking' }));
    await tab.goTo(`/apps/${app}/compose?from=${made.json().data.id}`);
    await waitForText(tab, '1 of 2 breaking deliveries left for today (UTC).');
    await keepScreenshot(tab.page, 'compose-breaking');
    await press(tab, 'Send …');
    await waitForText(tab, 'Breaking. 1 of 2 breaking deliveries left for today (UTC).');
    await press(tab, 'Send to 0 readers');
    await press(tab, 'Send anyway');
    await arriveAt(tab, 'Morning');
    await tab.goTo(`/apps/${app}/compose?from=${made.json().data.id}`);
    await waitForText(tab, 'No breaking deliveries are left for today (UTC): the limit is 2 a day.');

    const organizationId = person.organizationId;
    await stand.api.database.query(`UPDATE organizations SET breaking_role = 'admin' WHERE id = $1`, [
      organizationId,
    ]);
    const { tab: member } = await openAs(stand, { role: 'member', organizationId });
    await member.goTo(`/apps/${app}/compose?from=${made.json().data.id}`);
    await waitForText(member, 'Only admins of your organization may send breaking notifications.');
    expect([...tab.faults, ...member.faults]).toEqual([]);
    await member.close();
    await tab.close();
  });

  it('gives a guest a role on one app, who then works there alone, with the buttons of that role', async () => {
    const { tab, person } = await openAs(stand, { role: 'admin' });
    const call = callAs(stand.api.app, person);
    const make = async (name: string) =>
      String((await call('POST', '/apps', appBody({ name }))).json().data.identifier);
    const [sports, politics] = [await make('Sports desk'), await make('Politics desk')];
    const { organizationId } = person;
    const { tab: guest, person: grace } = await openAs(stand, { role: 'guest', organizationId });
    await stand.api.database.query(`UPDATE users SET name = 'Grace' WHERE id = $1`, [grace.userId]);
    await tab.goTo('/settings/team');
    await press(tab, 'Edit: Roles of Grace on single apps');
    await fillField(tab, 'Add an app', 'Sports desk');
    await press(tab, 'Sports desk', 'option');
    await waitForText(tab, 'Sports desk');
    expect(await axeFindings(tab.page)).toEqual([]);
    await keepScreenshot(tab.page, 'team-grants');
    await tab.page.setViewport({ width: 390, height: 844 });
    await keepScreenshot(tab.page, 'team-grants-phone');
    await tab.page.setViewport({ width: 1280, height: 900 });
    await press(tab, 'Save');
    await waitForText(tab, 'The roles of Grace are saved.');
    await keepScreenshot(tab.page, 'team-with-grants');

    const { id } = (
      await call('POST', `/apps/${sports}/deliveries`, deliveryBody({ scheduled_at: '2999-01-31T12:00:00Z' }))
    ).json().data;
    await guest.goTo(`/apps/${sports}/deliveries/${id}`);
    await waitForText(guest, 'You are an author on this app: what you write needs an approver.');
    await waitForText(guest, 'Duplicate');
    const page = String(await guest.page.evaluate('document.body.innerText'));
    expect(page).not.toContain('Cancel delivery');
    await keepScreenshot(guest.page, 'author-delivery');
    await guest.goTo(`/apps/${sports}/settings`);
    await waitForText(guest, 'Requires the role Member on this app');
    await guest.goTo(`/apps/${politics}`);
    await waitForText(guest, 'It may have been deleted, or the address is wrong.');
    expect([...tab.faults]).toEqual([]);
    await guest.close();
    await tab.close();
  });

  it('leaves its changes in the audit log, which is filtered in the address', async () => {
    const { tab } = await openAs(stand, { role: 'admin' });
    await tab.goTo('/settings/account');
    await arriveAt(tab, 'Your account');
    await fillField(tab, 'Your name', 'Ada Lovelace');
    await press(tab, 'Save');
    await waitForText(tab, 'Name saved.');
    await tab.goTo('/settings/audit-log?action=user.renamed');
    await arriveAt(tab, 'Audit log');
    await waitForText(tab, 'changed their name to Ada Lovelace');
    expect(await tab.page.evaluate("document.querySelectorAll('tbody tr').length")).toBe(1);
    await tab.close();
  });
});
