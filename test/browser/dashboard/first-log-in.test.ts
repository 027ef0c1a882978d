import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFirstAdmin } from '../../../api/first-admin.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { axeFindings } from './look.ts';
import {
  arriveAt,
  errorAt,
  fillField,
  logInOnPage,
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
    await tab.page.locator('button').click();

    await arriveAt(tab, 'Welcome, Ada Lovelace');
    expect(new URL(tab.page.url()).pathname).toBe('/dashboard/apps/new');
    expect(await axeFindings(tab.page)).toEqual([]);
    await press(tab, 'Create the app');
    expect(await errorAt(tab, 'Name')).toBe('Give it a name.');
    await fillField(tab, 'Name', 'Example News');
    await fillField(tab, 'Address of the site', 'ftp://news.example');
    await press(tab, 'Create the app');
    // Said by the API, at the field.
    expect(await errorAt(tab, 'Address of the site')).toMatch(/^Must be the origin of a site/);
    // As people type it; a browser's origin has no path.
    await fillField(tab, 'Address of the site', 'news.example/start');
    await press(tab, 'Create the app');

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

  it('says in words what is wrong, and then leads to the page that was asked for', async () => {
    const { tab, person } = await openAs(stand);
    await tab.page.deleteCookie(...(await tab.page.cookies()));
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
    await stand.api.database.query('DELETE FROM sessions WHERE user_id = $1', [person.userId]);
    await press(tab, 'API tokens', 'link');
    await waitForText(tab, 'You were logged out.');
    await logInOnPage(tab, person.email);
    await arriveAt(tab, 'API tokens');
    await tab.close();
  });

  it('leads to no other site, whatever the address asks', async () => {
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
