// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFirstAdmin } from '../../../api/up/first-admin.ts';
import { createPerson } from '../../api/account/support.ts';
import { appBody, callAs } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { appIdOf, insertSubscriptions } from '../../support/subscriptions.ts';
import { axeFindings } from './look.ts';
import {
  arriveAt,
  click,
  errorAt,
  fillField,
  logInOnPage,
  named,
  openAs,
  openStand,
  press,
  type Stand,
  waitForText,
} from './stand.ts';

const PASSWORD = 'a line that nobody guesses';

describeBrowser('chromium', 'the first log-in', (executable) => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await openStand(executable);
  });
  afterAll(() => stand.close());

  it('leads from the printed link to a password, a first app, and the snippet with its own values', async () => {
    const admin = await createFirstAdmin(stand.api.database, stand.url);
    const tab = await stand.openTab();
    await tab.page.goto(admin?.passwordUrl ?? '');
    await tab.page.locator('#name').fill('Ada Lovelace');
    await tab.page.locator('#password').fill(PASSWORD);
    await click(tab, 'button');

    await arriveAt(tab, 'Welcome, Ada Lovelace');
    expect(new URL(tab.page.url()).pathname).toBe('/dashboard/apps/new');
    expect(await axeFindings(tab.page)).toEqual([]);
    await press(tab, 'Create app');
    expect(await errorAt(tab, 'Name')).toBe('Give it a name.');
    await fillField(tab, 'Name', 'Example News');
    await fillField(tab, 'Address of the site', 'ftp://news.example');
    await press(tab, 'Create app');
    // Said by the API, at the field.
    expect(await errorAt(tab, 'Address of the site')).toMatch(/^Must be the origin of a site/);
    // As people type it; a browser's origin has no path.
    await fillField(tab, 'Address of the site', 'news.example/start');
    await press(tab, 'Create app');

    await arriveAt(tab, 'Example News');
    await waitForText(tab, 'Put the snippet into your site');
    await press(tab, 'Show the snippet', 'link');
    await arriveAt(tab, 'Integration');
    const identifier = new URL(tab.page.url()).pathname.split('/')[3] ?? 'none';
    await waitForText(tab, `appId: '${identifier}'`);
    await waitForText(tab, `baseUrl: '${stand.url}'`);
    expect(await stand.api.database.query('SELECT name, site_domain FROM apps')).toEqual([
      { name: 'Example News', site_domain: 'https://news.example' },
    ]);
    expect(tab.faults).toEqual([]);
    await tab.close();
  });

  it('says whom the link invites, and what to do where it no longer works', async () => {
    const admin = await createFirstAdmin(stand.api.database, stand.url);
    const tab = await stand.openTab();
    const link = admin?.passwordUrl ?? `${stand.url}/invitations#1.made-up`;
    await tab.page.goto(`${link}x`);
    await waitForText(tab, 'This link does not work');
    await waitForText(tab, 'Ask an admin of your organization for a new link.');
    expect(await tab.page.$eval('#form', (form) => (form as unknown as { hidden: boolean }).hidden)).toBe(
      true,
    );
    expect(await axeFindings(tab.page)).toEqual([]);
    await click(tab, '#help a');
    await arriveAt(tab, 'Log in');
    await tab.close();
  });

  it('does not take an imported list for a snippet that works, nor send a test to all of it unsaid', async () => {
    const { tab, person } = await openAs(stand);
    const { database } = stand.api;
    const { identifier } = (await callAs(stand.api.app, person)('POST', '/apps', appBody())).json().data;
    const id = await appIdOf(database, identifier);
    await insertSubscriptions(
      database,
      id,
      Array.from({ length: 6_000 }, () => ({ status: 'subscribed' })),
    );
    await tab.goTo(`/apps/${identifier}`);
    await arriveAt(tab, 'Example News');
    await waitForText(tab, 'Put the snippet into your site');
    const text = () => tab.page.evaluate('document.body.innerText');
    expect(await text()).toContain('none of their browsers has been on your site');
    expect(await text()).not.toContain('the snippet works');
    // As the first subscribe of a browser does.
    await database.query('UPDATE apps SET first_browser_at = now() WHERE id = $1', [id]);
    await waitForText(tab, 'the snippet works');
    await waitForText(tab, 'Write to 6,000 readers');
    expect(await text()).not.toContain('only reader');
    expect(tab.faults).toEqual([]);
    await tab.close();
  });

  it('explains errors in words, and then leads to the requested page', async () => {
    const person = await createPerson(stand.api.database);
    const tab = await stand.openTab();
    await tab.goTo('/settings/tokens');
    await arriveAt(tab, 'Log in');
    await logInOnPage(tab, person.email, 'not the password');
    await waitForText(tab, 'The e-mail address or the password is wrong.');
    expect(await axeFindings(tab.page)).toEqual([]);
    await logInOnPage(tab, person.email);
    await arriveAt(tab, 'API tokens');
    expect(tab.faults).toEqual([]);
    await tab.close();
  });

  it('comes again where the session ends while a page is open, and goes on where one was', async () => {
    const { tab, person } = await openAs(stand);
    await tab.goTo('/settings/account');
    await arriveAt(tab, 'Your account');
    // A part of the page that still asks would end the session by itself.
    await tab.page.waitForNetworkIdle();
    await stand.api.database.query('DELETE FROM sessions WHERE user_id = $1', [person.userId]);
    // Without a mouse: a page is fetched ahead when a mouse comes near its link, and that already ends the session.
    await tab.page.$eval(named('API tokens', 'link'), (link: unknown) => (link as { click(): void }).click());
    await waitForText(tab, 'Your session ended.');
    await logInOnPage(tab, person.email);
    await arriveAt(tab, 'API tokens');
    await tab.close();
  });

  it('leads to no other site, whatever the URL says', async () => {
    const { tab, person } = await openAs(stand);
    await tab.goTo(`/log-in?back=${encodeURIComponent('//evil.example/')}`);
    await logInOnPage(tab, person.email);
    await arriveAt(tab, 'Welcome, Test');
    expect(tab.page.url()).toBe(`${stand.url}/dashboard/apps/new`);
    await tab.close();
  });

  it('ends with the log-out: the way back shows nothing', async () => {
    const { tab } = await openAs(stand);
    await tab.goTo('/settings/account');
    await arriveAt(tab, 'Your account');
    await press(tab, 'Your menu');
    await press(tab, 'Log out', 'menuitem');
    await arriveAt(tab, 'Log in');
    await tab.page.goBack();
    await arriveAt(tab, 'Log in');
    expect(tab.faults).toEqual([]);
    await tab.close();
  });
});
