// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appBody, callAs, deliveryBody } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { axeFindings, axeFindingsWithToasts, keepScreenshot } from './look.ts';
import {
  arriveAt,
  click,
  fillField,
  openAs,
  openStand,
  press,
  type Stand,
  waitForText,
  walkTo,
} from './stand.ts';

describeBrowser('chromium', 'the frame of the dashboard', (executable) => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await openStand(executable);
  });
  afterAll(() => stand.close());

  /** Where a menu is, and what lies on top at its corners and edges. */
  const menu = `(() => {
    const menu = document.querySelector('[role=menu]');
    const { left, top, right, bottom } = menu.getBoundingClientRect();
    const on = [0.02, 0.5, 0.98].flatMap((x) => [0.02, 0.5, 0.98].map((y) =>
      document.elementFromPoint(left + (right - left) * x, top + (bottom - top) * y)));
    return {
      inside: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight,
      onTop: on.every((element) => menu.contains(element)),
    };
  })()`;

  it.each([
    [390, 844],
    [1_440, 420],
    [1_920, 420],
  ])(
    'opens the app switcher wholly in sight, %i px wide, above a sidebar that was scrolled',
    async (width, height) => {
      const { tab, person } = await openAs(stand);
      const { page } = tab;
      const call = callAs(stand.api.app, person);
      const { identifier } = (await call('POST', '/apps', appBody())).json().data;
      await call('POST', '/apps', appBody({ name: 'Example Sports with a long name' }));
      await page.setViewport({ width, height });
      await tab.goTo(`/apps/${identifier}/settings`);
      await arriveAt(tab, 'App settings');
      await page.evaluate(`(() => {
      document.querySelector('nav')?.scrollTo(0, 9_999);
      window.scrollTo(0, 300);
    })()`);
      await page.locator('button[aria-label^="Switch app"]').click();
      await page.waitForFunction(
        `document.querySelector('[role=menu]')?.contains(document.activeElement) === true`,
      );
      expect(await page.evaluate(menu)).toEqual({ inside: true, onTop: true });
      expect(tab.faults).toEqual([]);
      await tab.close();
    },
  );

  /** What a finger meets in the middle of each button and link of the header: that one, or something that lies over it. */
  const covered = `[...document.querySelectorAll('header a, header button')].filter((each) => {
    const { left, top, width, height } = each.getBoundingClientRect();
    if (width === 0) return false;
    const met = document.elementFromPoint(left + width / 2, top + height / 2);
    return met !== null && !each.contains(met);
  }).map((each) => each.ariaLabel ?? each.innerText)`;

  it.each([
    [360, 780],
    [390, 844],
  ])(
    'shows what was done below its header, %i px wide, and covers none of its buttons',
    async (width, height) => {
      const { tab } = await openAs(stand);
      await tab.page.setViewport({ width, height });
      await tab.goTo('/settings/account');
      await arriveAt(tab, 'Your account');
      await fillField(tab, 'Your name', 'Ada Example');
      await press(tab, 'Save');
      await waitForText(tab, 'Name saved.');
      const toast = await tab.page.waitForSelector('.mantine-Notifications-root [role=alert]');
      const header = await tab.page.$('header');
      const [below, bottom] = [(await toast?.boundingBox())?.y, (await header?.boundingBox())?.height];
      expect(below).toBeGreaterThan(bottom ?? Number.POSITIVE_INFINITY);
      expect(await tab.page.evaluate(covered)).toEqual([]);
      expect((await axeFindingsWithToasts(tab.page)).filter((each) => each.includes('header'))).toEqual([]);
      await tab.close();
    },
  );

  it('lets what lies below a toast be pressed through it, and shows many of them as one', async () => {
    const { tab } = await openAs(stand);
    const { page } = tab;
    await page.setViewport({ width: 800, height: 600 });
    await tab.goTo('/settings/account');
    await arriveAt(tab, 'Your account');
    const toasts = '.mantine-Notifications-root [role=alert]';
    for (const name of ['Ada', 'Bo', 'Cy']) {
      await fillField(tab, 'Your name', `${name} Example`);
      await press(tab, 'Save');
      await waitForText(tab, 'Name saved.');
    }
    await page.waitForSelector(toasts);
    const boxes = (await page.evaluate(`[...document.querySelectorAll('${toasts}')].map((each) => {
      const { left, top, bottom, width } = each.getBoundingClientRect();
      const met = document.elementFromPoint(left + width / 2, (top + bottom) / 2);
      return { top, bottom, isMet: each.contains(met) };
    })`)) as { top: number; bottom: number; isMet: boolean }[];
    expect(boxes.filter(({ isMet }) => isMet)).toEqual([]);
    const [top, bottom] = [
      Math.min(...boxes.map((box) => box.top)),
      Math.max(...boxes.map((box) => box.bottom)),
    ];
    expect(bottom - top).toBeLessThan(130);
    await keepScreenshot(page, 'toasts');
    // The button to close it is met.
    await page.locator(`${toasts} button`).click();
    await tab.close();
  });

  it('has its links on a phone only while the menu is open', async () => {
    const { tab, person } = await openAs(stand);
    const { page } = tab;
    const { identifier } = (await callAs(stand.api.app, person)('POST', '/apps', appBody())).json().data;
    await page.setViewport({ width: 390, height: 844 });
    await tab.goTo(`/apps/${identifier}/settings`);
    await arriveAt(tab, 'App settings');
    const main = 'nav[aria-label="Main"]';
    expect(await page.$(main)).toBeNull();
    await page.locator('button[aria-label="Open the menu"]').click();
    await page.waitForSelector(`${main} a[href$="/settings"][aria-current="page"]`, { visible: true });
    await page.locator(`${main} a[href$="/segments"]`).click();
    await arriveAt(tab, 'Segments');
    await page.waitForSelector(main, { hidden: true });
    // As wide as a desk's, the window has the sidebar beside the page.
    await page.setViewport({ width: 1_280, height: 844 });
    await page.waitForSelector(`${main} a[href$="/segments"][aria-current="page"]`, { visible: true });
    expect(tab.faults).toEqual([]);
    await tab.close();
  });

  it('has the filters of a list behind one button on a phone, which counts those that narrow it', async () => {
    const { tab, person } = await openAs(stand);
    const { page } = tab;
    const call = callAs(stand.api.app, person);
    const { identifier } = (await call('POST', '/apps', appBody())).json().data;
    const later = deliveryBody({ scheduled_at: '2999-01-01T08:00:00Z' });
    expect((await call('POST', `/apps/${identifier}/deliveries`, later)).statusCode).toBe(201);
    const status = 'select:has(> option[value=cancelled])';
    await page.setViewport({ width: 390, height: 844 });
    await tab.goTo(`/apps/${identifier}/deliveries?status=%22cancelled%22`);
    await arriveAt(tab, 'Deliveries');
    const button = 'button[aria-controls]::-p-text(Filters (1))';
    await page.waitForSelector(button);
    expect(await page.$(status)).toBeNull();
    await click(tab, button);
    await page.waitForSelector('button[aria-expanded=true]::-p-text(Filters (1))');
    expect(await page.$eval(status, (field) => field.value)).toBe('cancelled');
    expect(await axeFindings(page)).toEqual([]);
    await page.select(status, '');
    await page.waitForFunction(`!location.search.includes('cancelled')`);
    await page.waitForSelector('button[aria-controls]::-p-xpath(self::*[normalize-space()="Filters"])');
    // Beside each other in a window, without the button.
    await page.setViewport({ width: 1_280, height: 844 });
    await page.waitForSelector(status);
    expect(tab.faults).toEqual([]);
    await tab.close();
  });

  it.each(['compose', 'prompts'])(
    'keeps the place on %s after going back and after a reload',
    async (name) => {
      const { tab, person } = await openAs(stand);
      const { page } = tab;
      const { identifier } = (await callAs(stand.api.app, person)('POST', '/apps', appBody())).json().data;
      const isAt = (top: number) => page.waitForFunction(`Math.abs(scrollY - ${top}) < 40`);
      await page.setViewport({ width: 390, height: 700 });
      await tab.goTo(`/apps/${identifier}/${name}`);
      await page.waitForFunction('document.documentElement.scrollHeight > 1_500');
      await page.evaluate('scrollTo(0, 700)');
      await isAt(700);
      await walkTo(tab, `/apps/${identifier}/segments`);
      await arriveAt(tab, 'Segments');
      await isAt(0);
      await page.goBack();
      await isAt(700);
      await page.reload();
      await isAt(700);
      expect(tab.faults).toEqual([]);
      await tab.close();
    },
  );
});
