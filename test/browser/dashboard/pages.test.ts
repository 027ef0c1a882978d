// tier: core
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { findingsIn, looksAt, someLooks } from './look.ts';
import { arriveAtPage, pages } from './page-table.ts';
import { arriveAt, openStand, press, type Stand, waitForText, walkTo } from './stand.ts';
import { fillWorld, type World } from './world.ts';

describeBrowser('chromium', 'every page of the dashboard', (executable) => {
  let stand: Stand;
  let world: World;
  beforeAll(async () => {
    stand = await openStand(executable);
    world = await fillWorld(stand);
    await world.tab.goTo('/');
  });
  afterAll(() => stand.close());

  const placed = pages.map((page, place) => ({ ...page, place }));

  it.each(placed)('$name: axe finds nothing, and nothing is wider than the window', async (each) => {
    const { tab } = world;
    await walkTo(tab, each.path(world));
    await arriveAtPage(world, each);
    expect(await tab.page.title()).toMatch(/^.+ · Broadside$/);
    expect(await findingsIn(tab.page, each.name, looksAt(each.place))).toEqual([]);
    expect(tab.faults).toEqual([]);
  });

  it('integration shows what replaces a former service’s worker: axe finds nothing, nothing is too wide', async () => {
    const { tab, app } = world;
    await tab.goTo(`/apps/${app}/integration`);
    await arriveAt(tab, 'Integration');
    await press(tab, 'You are moving from another service');
    await waitForText(tab, '/OneSignalSDKWorker.js, /OneSignalSDKUpdaterWorker.js');
    await waitForText(tab, `workerUrl: '/OneSignalSDKWorker.js'`);
    expect(await findingsIn(tab.page, 'integration-moving')).toEqual([]);
    expect(tab.faults).toEqual([]);
  });

  it('the log-in: axe finds nothing, in light and dark, on a desk and a phone', async () => {
    const tab = await stand.openTab();
    await tab.goTo('/');
    await arriveAt(tab, 'Log in');
    expect(await findingsIn(tab.page, 'log-in', someLooks)).toEqual([]);
    expect(tab.faults).toEqual([]);
    await tab.close();
  });
});
