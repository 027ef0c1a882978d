// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../../api/account/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { axeFindings, keepScreenshot } from './look.ts';
import { arriveAt, openAs, openStand, press, type Stand, waitForText } from './stand.ts';

describeBrowser('chromium', 'one’s sessions in the dashboard', (executable) => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await openStand(executable);
  });
  afterAll(() => stand.close());

  it('are listed on the account page, where another one is ended', async () => {
    const { tab, person } = await openAs(stand);
    const other = await openBrowser(stand.api.app, person);
    await tab.goTo('/settings/account');
    await arriveAt(tab, 'Your account');
    await waitForText(tab, 'this browser');
    expect(await axeFindings(tab.page)).toEqual([]);
    await keepScreenshot(tab.page, 'sessions');
    await press(tab, 'End the session of Unknown browser');
    await press(tab, 'End session');
    await waitForText(tab, 'Session ended.');
    expect((await other.account('GET', '/me')).statusCode).toBe(401);
    await tab.page.waitForFunction(
      `document.querySelector('[aria-label="End the session of Unknown browser"]') === null`,
    );
    expect(tab.faults).toEqual([]);
    await tab.close();
  });
});
