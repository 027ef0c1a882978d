// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appBody, callAs } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { buildAccepted, buildDelivery } from '../../support/builders.ts';
import { appIdOf, insertSubscriptions } from '../../support/subscriptions.ts';
import { axeFindings, keepScreenshot, looks, lookWith } from './look.ts';
import { arriveAt, openAs, openStand, type Stand, type Tab, waitForText } from './stand.ts';

/** As Chrome counts on Android: from the 28th in seven days on. */
const AT_LIMIT = 27;
const READERS = 3;

describeBrowser('chromium', 'readers near Chrome’s limit', (executable) => {
  let stand: Stand;
  let tab: Tab;
  let call: ReturnType<typeof callAs>;
  let app: string;
  beforeAll(async () => {
    stand = await openStand(executable);
    const opened = await openAs(stand, { role: 'admin' });
    ({ tab } = opened);
    call = callAs(stand.api.app, opened.person);
    app = String((await call('POST', '/apps', appBody())).json().data.identifier);
    const { database } = stand.api;
    const appId = await appIdOf(database, app);
    const long = new Date(Date.now() - 30 * 86_400_000).toISOString();
    await insertSubscriptions(
      database,
      appId,
      Array.from({ length: READERS + 1 }, () => ({ browser_name: 'Chrome', last_seen_at: long })),
    );
    await database.query(`UPDATE subscriptions SET os_name = 'Android' WHERE app_id = $1`, [appId]);
    for (let n = 0; n < AT_LIMIT; n++) await buildAccepted(database, appId, [0, 1, 2]);
    await database.query(
      `UPDATE blocks SET slots_at = now(), accepted_at = ARRAY[now()], earlier_accepted = '{}' WHERE app_id = $1`,
      [appId],
    );
  });
  afterAll(() => stand.close());

  it('are named before one sends, with the way to protect them, and as held back once that is on', async () => {
    await tab.goTo(`/apps/${app}/compose`);
    await arriveAt(tab, 'Compose');
    await waitForText(tab, '3 readers are at Chrome’s limit: Chrome could take the permission away.');
    await lookWith(tab.page, looks[2]);
    expect(await axeFindings(tab.page)).toEqual([]);
    await keepScreenshot(tab.page, 'compose-near-limit-phone');
    await lookWith(tab.page, looks[0]);
    const hrefs = await tab.page.$$eval('[role=status] a', (links) =>
      links.map((link) => link.getAttribute('href')),
    );
    expect(hrefs).toEqual([expect.stringMatching(new RegExp(`/apps/${app}/settings\\?tab=limits$`))]);
    await call('PATCH', `/apps/${app}`, appBody({ chrome_guard: {} }));
    await tab.goTo(`/apps/${app}/compose`);
    await waitForText(tab, '3 readers are near Chrome’s limit: they are held back.');
    expect(tab.faults).toEqual([]);
  });

  it('are counted apart on the delivery that was held back from them', async () => {
    const { database } = stand.api;
    const id = await buildDelivery(database, await appIdOf(database, app), { status: 'success' });
    await database.query(
      `UPDATE deliveries SET total_subscribers = 10, success_count = 5, capped_subscribers = 5,
         guarded_subscribers = 3, started_at = now(), completed_at = now() WHERE id = $1`,
      [id],
    );
    await tab.goTo(`/apps/${app}/deliveries/${id}`);
    await waitForText(tab, 'Protected');
    await waitForText(tab, 'One more could make Chrome revoke their permission');
    await keepScreenshot(tab.page, 'delivery-guarded');
    expect(tab.faults).toEqual([]);
  });
});
