// tier: system
import type { HTTPRequest } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appBody, callAs } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { appIdOf, insertSubscriptions } from '../../support/subscriptions.ts';
import { axeFindings } from './look.ts';
import { arriveAt, fillField, openAs, openStand, press, type Stand, type Tab, waitForText } from './stand.ts';

describeBrowser('chromium', 'the dashboard, where the API does not answer as it should', (executable) => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await openStand(executable);
  });
  afterAll(() => stand.close());

  /** The first requests for tokens are answered so; later ones reach the API. */
  async function openTokens(answers: readonly ((request: HTTPRequest) => Promise<void>)[]): Promise<Tab> {
    const { tab } = await openAs(stand);
    const left = [...answers];
    await tab.page.setRequestInterception(true);
    tab.page.on('request', (request) => {
      const answer = request.url().includes('/account/tokens') ? left.shift() : undefined;
      void (answer === undefined ? request.continue() : answer(request));
    });
    await tab.goTo('/settings/tokens');
    return tab;
  }

  it.each([429, 503])(
    'waits as long as an answer of %i says, shows the wait, and then the page',
    async (status) => {
      const headers = { 'retry-after': '2', 'content-type': 'application/json' };
      const tab = await openTokens([
        (request) => request.respond({ status, headers, body: '{"message":"Later."}' }),
      ]);
      await waitForText(tab, 'Broadside is busy. Trying again in 2 seconds');
      expect(await axeFindings(tab.page)).toEqual([]);
      await waitForText(tab, 'Token ');
      await tab.close();
    },
  );

  it('explains in words that the API does not answer, and retries on request', async () => {
    const tab = await openTokens([(request) => request.abort('connectionrefused')]);
    await arriveAt(tab, 'API tokens');
    await waitForText(tab, 'Broadside does not respond. Check your connection and try again.');
    expect(await axeFindings(tab.page)).toEqual([]);
    await press(tab, 'Try again');
    await waitForText(tab, 'Token ');
    await tab.close();
  });

  it('explains the API’s own errors with a next step, and without internal details', async () => {
    const tab = await openTokens([
      (request) => request.respond({ status: 500, body: 'TypeError: x is undefined' }),
    ]);
    await waitForText(tab, 'Broadside could not complete this because of an internal error.');
    expect(await tab.page.content()).not.toContain('TypeError');
    await tab.close();
  });

  it('says that it is offline, on pages that are there and on one that is not, and goes on afterwards', async () => {
    const { tab, person } = await openAs(stand);
    const made = await callAs(stand.api.app, person)('POST', '/apps', appBody());
    const app = String(made.json().data.identifier);
    // No page is fetched ahead of time where the browser is asked to save data.
    await tab.page.evaluateOnNewDocument(
      `Object.defineProperty(Object.getPrototypeOf(navigator.connection), 'saveData', { get: () => true })`,
    );
    // The page after the log-in was idle before that, and may have fetched some.
    await tab.page.setCacheEnabled(false);
    await tab.goTo(`/apps/${app}/deliveries`);
    await arriveAt(tab, 'Deliveries');
    await tab.page.setOfflineMode(true);
    await waitForText(tab, 'You are offline');
    await waitForText(tab, 'Nothing is sent until you are connected again.');
    expect(await axeFindings(tab.page)).toEqual([]);
    await press(tab, 'Segments', 'link');
    await waitForText(tab, 'This page could not be loaded.');
    await tab.page.setOfflineMode(false);
    await tab.page.waitForFunction(`!document.body.innerText.includes('You are offline')`);
    await press(tab, 'Try again');
    await arriveAt(tab, 'Segments');
    await tab.close();
  });

  it('fetches the other pages while it is idle, so that one opens offline, too', async () => {
    const { tab, person } = await openAs(stand);
    const made = await callAs(stand.api.app, person)('POST', '/apps', appBody());
    await tab.goTo(`/apps/${made.json().data.identifier}/deliveries`);
    await arriveAt(tab, 'Deliveries');
    const fetched = (page: string) =>
      `performance.getEntriesByType('resource').some(({ name }) => name.includes('/${page}-'))`;
    for (const page of ['compose-page', 'analytics-page', 'account-page']) {
      await tab.page.waitForFunction(fetched(page));
    }
    await tab.page.setOfflineMode(true);
    await press(tab, 'Compose', 'link');
    await arriveAt(tab, 'Compose');
    await tab.close();
  });

  it('says that nothing was sent where it is offline, and sends it once when it is back', async () => {
    const { tab, person } = await openAs(stand);
    const call = callAs(stand.api.app, person);
    const app = String((await call('POST', '/apps', appBody())).json().data.identifier);
    await insertSubscriptions(stand.api.database, await appIdOf(stand.api.database, app), [{}]);
    await tab.goTo(`/apps/${app}/compose`);
    await arriveAt(tab, 'Compose');
    await fillField(tab, 'Title', 'Written in a tunnel');
    await fillField(tab, 'Text', 'What happened today.');
    await fillField(tab, 'Link', 'https://news.example.com/today');
    await waitForText(tab, '1 reader');
    await tab.page.setOfflineMode(true);
    await press(tab, 'Send …');
    await press(tab, 'Send to 1 reader');
    await waitForText(tab, 'You are offline. Nothing has been sent yet');
    expect(await tab.page.$('[role=dialog] [data-loading=true]')).toBeNull();
    const count = async () => (await call('GET', `/apps/${app}/deliveries`)).json().meta.total;
    await tab.page.setOfflineMode(false);
    await tab.page.waitForFunction(`!document.body.innerText.includes('Nothing is sent until')`);
    expect(await count(), 'nothing is sent by itself').toBe(0);
    await press(tab, 'Send …');
    await press(tab, 'Send to 1 reader');
    await arriveAt(tab, 'Written in a tunnel');
    expect(await count()).toBe(1);
    await tab.close();
  });
});
