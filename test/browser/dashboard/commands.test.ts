// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { openCommands, takeCommand } from './hands.ts';
import { axeFindings, findingsIn, keepScreenshot } from './look.ts';
import { arriveAt, openStand, press, type Stand, waitForText } from './stand.ts';
import { fillWorld, type World } from './world.ts';

describeBrowser('chromium', 'the command menu', (executable) => {
  let stand: Stand;
  let world: World;
  beforeAll(async () => {
    stand = await openStand(executable);
    world = await fillWorld(stand);
  });
  afterAll(() => stand.close());

  const open = async (path: string, heading: string): Promise<void> => {
    await world.tab.goTo(path);
    await arriveAt(world.tab, heading);
    await openCommands(world.tab);
  };
  const choose = (text: string, expected: string): Promise<void> => takeCommand(world.tab, text, expected);

  it('goes to a page, a delivery, a segment and a setting by a part of the name', async () => {
    const { tab, app } = world;
    await open(`/apps/${app}`, world.appName);
    await choose('segm', 'Segments');
    await arriveAt(tab, 'Segments');
    await open(`/apps/${app}`, world.appName);
    await choose('week in pict', 'The week in pictures');
    await arriveAt(tab, 'Morning');
    await open(`/apps/${app}`, world.appName);
    await choose('in germany', 'Readers in Germany');
    await arriveAt(tab, 'Edit segment');
    await open(`/apps/${app}`, world.appName);
    await choose('frequency', 'Frequency cap');
    await arriveAt(tab, 'App settings');
    expect(tab.faults).toEqual([]);
  });

  it('offers what can be done on the page: to cancel a delivery asks first', async () => {
    const { tab, app, deliveries } = world;
    await open(`/apps/${app}/deliveries/${deliveries.scheduled}`, 'Front page teaser');
    await choose('cancel this', 'Cancel this delivery');
    await waitForText(tab, 'Cancel this delivery?');
    await press(tab, 'Keep delivery');
    await tab.page.waitForFunction(`document.querySelector('[role=dialog]') === null`);
    await open(`/apps/${app}/deliveries/${deliveries.partial}`, 'Storm, evening edition');
    await tab.page.keyboard.type('cancel this');
    await waitForText(tab, 'Nothing matches.');
    await tab.page.keyboard.press('Escape');
    await open(`/apps/${app}/deliveries/${deliveries.partial}`, 'Storm, evening edition');
    await choose('duplicate this', 'Duplicate this delivery');
    await arriveAt(tab, 'Compose');
    expect(tab.faults).toEqual([]);
  });

  it('passes axe, closes with Escape, and gives the focus back', async () => {
    const { tab } = world;
    await tab.goTo('/settings/account');
    await arriveAt(tab, 'Your account');
    await press(tab, 'Search');
    await tab.page.waitForSelector('[role=combobox]:focus');
    expect(await findingsIn(tab.page, 'commands')).toEqual([]);
    await tab.page.keyboard.press('Escape');
    await tab.page.waitForFunction(`document.activeElement?.textContent?.startsWith('Search')`);
  });

  it('has its keys in a sheet, which turns the single ones off; a field keeps its letters', async () => {
    const { tab, app } = world;
    const { page } = tab;
    await tab.goTo(`/apps/${app}/deliveries`);
    await arriveAt(tab, 'Deliveries');
    await page.keyboard.press('?');
    await waitForText(tab, 'Keyboard shortcuts');
    expect(await axeFindings(page)).toEqual([]);
    await keepScreenshot(page, 'shortcuts');
    await page.keyboard.press('Escape');
    await page.waitForFunction(`document.querySelector('[role=dialog]') === null`);
    await page.focus('main input');
    await page.keyboard.type('c?');
    expect(await page.$eval('main input', (field) => (field as { value?: string }).value)).toBe('c?');
    expect(await page.$('[role=dialog]')).toBeNull();
    await page.evaluate('document.activeElement.blur()');
    // Again where a busy machine took more than a second from one key to the next.
    await expect
      .poll(async () => {
        await page.keyboard.press('g');
        await page.keyboard.press('a');
        return page.evaluate('location.pathname');
      })
      .toMatch(/\/analytics$/);
    await arriveAt(tab, 'Analytics');
    await page.keyboard.press('c');
    await arriveAt(tab, 'Compose');
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('?');
    await page.locator('[role=dialog] [role=switch]').click();
    await page.keyboard.press('Escape');
    await page.waitForFunction(`document.querySelector('[role=dialog]') === null`);
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    expect(await page.evaluate('location.pathname.endsWith("/compose")')).toBe(true);
    await page.evaluate('localStorage.removeItem("broadside.single-keys")');
    expect(tab.faults).toEqual([]);
  });
});
