// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { axeFindings, keepScreenshot, looks, lookWith } from './look.ts';
import { arriveAt, openAs, openStand, press, type Stand } from './stand.ts';

const focused = '(document.activeElement.ariaLabel ?? document.activeElement.textContent)';

describeBrowser('chromium', 'the dashboard by keyboard', (executable) => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await openStand(executable);
  });
  afterAll(() => stand.close());

  it('skips to the content, goes on by links, and begins each page at its heading', async () => {
    const { tab } = await openAs(stand);
    const { page } = tab;
    await tab.goTo('/settings/account');
    await arriveAt(tab, 'Your account');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(focused)).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('INPUT');
    await page.focus("nav a[href$='/settings/tokens']");
    await page.keyboard.press('Enter');
    await arriveAt(tab, 'API tokens');
    await page.waitForFunction("document.activeElement.tagName === 'H1'");
    expect(await page.title()).toBe('API tokens · Broadside');
    await tab.close();
  });

  it('opens menus and dialogs, keeps the focus in them, and gives it back', async () => {
    const { tab } = await openAs(stand);
    const { page } = tab;
    await tab.goTo('/settings/tokens');
    await arriveAt(tab, 'API tokens');
    await page.focus('[aria-label="Your menu"]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=menu]', { visible: true });
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction("document.activeElement.role === 'menuitem'");
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.waitForFunction(`${focused} === 'Your menu'`);

    await page.focus('main button');
    await page.keyboard.press('Enter');
    await page.waitForFunction("document.activeElement.closest('[role=dialog]') !== null");
    for (let step = 0; step < 20; step++) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate("document.activeElement.closest('[role=dialog]') !== null")).toBe(true);
    }
    await page.keyboard.press('Escape');
    await page.waitForFunction(`${focused} === 'New token'`);
    expect(tab.faults).toEqual([]);
    await tab.close();
  });

  it('has its menu behind a button on a phone, which closes as one goes', async () => {
    const { tab } = await openAs(stand);
    await tab.goTo('/settings/account');
    await lookWith(tab.page, looks[2]);
    await arriveAt(tab, 'Your account');
    await press(tab, 'Open the menu');
    await tab.page.waitForSelector("nav a[href$='/settings/tokens']", { visible: true });
    expect(await axeFindings(tab.page)).toEqual([]);
    await keepScreenshot(tab.page, 'menu-phone');
    await press(tab, 'API tokens', 'link');
    await arriveAt(tab, 'API tokens');
    await tab.page.waitForSelector('[aria-label="Open the menu"]');
    await tab.close();
  });

  it('keeps the colours one chose', async () => {
    const { tab } = await openAs(stand);
    await tab.goTo('/settings/account');
    await arriveAt(tab, 'Your account');
    await press(tab, 'Your menu');
    await press(tab, 'Dark', 'menuitem');
    const scheme = 'document.documentElement.dataset.mantineColorScheme';
    await tab.page.waitForFunction(`${scheme} === 'dark'`);
    await tab.page.reload();
    await arriveAt(tab, 'Your account');
    expect(await tab.page.evaluate(scheme)).toBe('dark');
    await tab.close();
  });
});
