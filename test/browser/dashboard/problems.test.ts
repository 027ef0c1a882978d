import type { HTTPRequest } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { axeFindings } from './look.ts';
import { arriveAt, openAs, openStand, press, type Stand, type Tab, waitForText } from './stand.ts';

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
    'waits as long as an answer of %i asks, says so, and then shows the page',
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

  it('says in words that nobody answers, and tries again when asked to', async () => {
    const tab = await openTokens([(request) => request.abort('connectionrefused')]);
    await arriveAt(tab, 'API tokens');
    await waitForText(tab, 'Broadside does not answer. Check your connection and try again.');
    expect(await axeFindings(tab.page)).toEqual([]);
    await press(tab, 'Try again');
    await waitForText(tab, 'Token ');
    await tab.close();
  });

  it('says of a fault of the API’s own what one can do, and nothing that only its makers understand', async () => {
    const tab = await openTokens([
      (request) => request.respond({ status: 500, body: 'TypeError: x is undefined' }),
    ]);
    await waitForText(tab, 'Broadside could not do this because of a fault of its own.');
    expect(await tab.page.content()).not.toContain('TypeError');
    await tab.close();
  });
});
