import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { axeFindings, keepScreenshot, lookWith, overflows, someLooks } from './look.ts';
import { pages } from './page-table.ts';
import { arriveAt, openStand, type Stand } from './stand.ts';
import { fillWorld, type World } from './world.ts';

describeBrowser('chromium', 'every page of the dashboard', (executable) => {
  let stand: Stand;
  let world: World;
  beforeAll(async () => {
    stand = await openStand(executable);
    world = await fillWorld(stand);
  });
  afterAll(() => stand.close());

  it.each(pages)('$name: axe finds nothing, in light and dark, on a desk and a phone', async (each) => {
    const { tab } = world;
    const heading = typeof each.heading === 'string' ? each.heading : each.heading(world);
    await tab.goTo(each.path(world));
    await arriveAt(tab, heading);
    if (each.shows !== undefined) await tab.page.waitForSelector(each.shows);
    expect(await tab.page.title()).toMatch(/^.+ · Broadside$/);
    const findings: string[] = [];
    for (const look of someLooks) {
      await lookWith(tab.page, look);
      for (const finding of await axeFindings(tab.page)) findings.push(`${look.name}: ${finding}`);
      if (await overflows(tab.page)) findings.push(`${look.name}: is wider than the window`);
      await keepScreenshot(tab.page, `${each.name}-${look.name}`);
    }
    expect(findings).toEqual([]);
    expect(tab.faults).toEqual([]);
  });

  it('the log-in: axe finds nothing, in light and dark, on a desk and a phone', async () => {
    const tab = await stand.openTab();
    await tab.goTo('/');
    await arriveAt(tab, 'Log in');
    const findings: string[] = [];
    for (const look of someLooks) {
      await lookWith(tab.page, look);
      findings.push(...(await axeFindings(tab.page)));
      await keepScreenshot(tab.page, `log-in-${look.name}`);
    }
    expect(findings).toEqual([]);
    expect(tab.faults).toEqual([]);
    await tab.close();
  });
});
