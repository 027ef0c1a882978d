// tier: system
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, type Person } from '../../api/account/support.ts';
import { appBody, callAs } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { startFirefox } from '../../support/browsers/firefox.ts';
import { buildSubscriptions } from '../../support/builders.ts';
import { someOf } from '../../support/cases.ts';
import { appIdOf } from '../../support/subscriptions.ts';
import { keepScreenshot, looks, overflows } from './look.ts';
import { arriveAtPage, pages } from './page-table.ts';
import {
  arriveAt,
  focusField,
  logInOnPage,
  openStandIn,
  press,
  type Stand,
  type Tab,
  waitForText,
} from './stand.ts';
import { fillWorld, type World } from './world.ts';

const NO_PUSH = 'ws://127.0.0.1:9/';
const LINE_PX = 18;
const heightOf = async ({ page }: Tab): Promise<number> =>
  Number(await page.evaluate(`document.querySelector('main textarea').offsetHeight`));
/** Each on a desk or a phone. */
const placed = someOf(pages, 9).map((page, at) => ({ ...page, look: at % 2 === 0 ? looks[0] : looks[2] }));

/** The other browser engine: what an editor does each day, and every page, with no error in the console. */
describeBrowser('firefox', 'the dashboard in Firefox', (executable) => {
  let browser: Browser;
  let stand: Stand;
  let person: Person;
  let app: string;
  let world: World | undefined;
  beforeAll(async () => {
    browser = await startFirefox({ executable, pushServerUrl: NO_PUSH });
    stand = await openStandIn(browser);
    person = await createPerson(stand.api.database, { role: 'member' });
    const made = await callAs(stand.api.app, person)('POST', '/apps', appBody());
    app = String(made.json().data.identifier);
    await buildSubscriptions(stand.api.database, await appIdOf(stand.api.database, app), 30);
  });
  afterAll(async () => {
    await stand?.close();
    await browser?.close();
  });

  it('logs in, writes a notification, sends it, and shows its delivery', async () => {
    const tab = await stand.openTab();
    // Key by key: the driver cannot put a whole text in.
    const write = async (label: string, text: string): Promise<void> => {
      await focusField(tab, label);
      await tab.page.keyboard.type(text);
    };
    await tab.goTo(`/apps/${app}/compose`);
    await arriveAt(tab, 'Log in');
    await logInOnPage(tab, person.email);
    await arriveAt(tab, 'Compose');
    await write('Title', 'The bridge is closed');
    const low = await heightOf(tab);
    await write('Text', 'Until further notice\n'.repeat(5));
    // The field grows with its lines, which CSS alone does in Chromium.
    expect(await heightOf(tab)).toBeGreaterThan(low + 2 * LINE_PX);
    await write('Link', 'https://news.example.com/bridge');
    await waitForText(tab, '30 readers');
    await press(tab, 'Send …');
    await press(tab, 'Send to 30 readers');
    await arriveAt(tab, 'The bridge is closed');
    expect(tab.faults).toEqual([]);
  });

  it.each(placed)('shows $name, no wider than the window', async ({ look, ...each }) => {
    world ??= await fillWorld(stand);
    const { tab } = world;
    await tab.page.setViewport({ width: look.width, height: look.height });
    await tab.goTo(each.path(world));
    await arriveAtPage(world, each);
    expect(await overflows(tab.page)).toBe(false);
    await keepScreenshot(tab.page, `firefox-${each.name}-${look.name}`);
    expect(tab.faults).toEqual([]);
  });
});
