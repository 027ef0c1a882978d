// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { cases, someOf } from '../../support/cases.ts';
import { axeFindings, keepScreenshot, looks, lookWith, overflows } from './look.ts';
import { pages } from './page-table.ts';
import { click, named, openStand, press, type Stand, type Tab, waitForText, walkTo } from './stand.ts';
import { fillWorld, type World } from './world.ts';

const languages = ['de', 'fr', 'es'] as const;
/** Longer words are widest on a phone. */
const look = looks.find(({ name }) => name === 'phone-dark') ?? looks[0];
/** By default each language sees other pages than the next one, a fifth of them in all. */
const PARTS = 5;
const seen = languages.flatMap((language, at) =>
  someOf(pages.slice(cases(at * 2, 0)), PARTS * languages.length).map((page) => ({ ...page, language })),
);

/** Loads the dashboard again where it speaks another one. */
async function speak({ page, goTo }: Tab, language: string): Promise<void> {
  if ((await page.evaluate('document.documentElement.lang')) === language) return;
  await page.evaluate(`localStorage.setItem('broadside-language', '${language}')`);
  await goTo('/');
}

describeBrowser('chromium', 'the dashboard in other languages', (executable) => {
  let stand: Stand;
  let world: World;
  beforeAll(async () => {
    stand = await openStand(executable);
    world = await fillWorld(stand);
    await world.tab.goTo('/');
  });
  afterAll(() => stand.close());

  it.each(seen)('$language, $name: nothing is wider than the window, and axe finds nothing', async (each) => {
    const { tab } = world;
    await speak(tab, each.language);
    await walkTo(tab, each.path(world));
    await tab.page.waitForFunction(
      "document.querySelector('h1') !== null && document.querySelector('[aria-busy=true]') === null",
    );
    expect(await tab.page.$eval('html', (html) => html.lang)).toBe(each.language);
    await lookWith(tab.page, look);
    expect(await axeFindings(tab.page)).toEqual([]);
    expect(await overflows(tab.page)).toBe(false);
    await keepScreenshot(tab.page, `${each.name}-${each.language}`);
    expect(tab.faults).toEqual([]);
  });

  it('are chosen at the log-in and in the menu, and kept', async () => {
    const tab = await stand.openTab();
    await tab.goTo('/log-in');
    await press(tab, 'Deutsch');
    await waitForText(tab, 'Anmelden');
    await tab.goTo('/log-in');
    await waitForText(tab, 'Anmelden');
    expect(await tab.page.$eval('html', (html) => html.lang)).toBe('de');
    await click(tab, named('Français'));
    await tab.page.waitForFunction("document.documentElement.lang === 'fr'");
    expect(tab.faults).toEqual([]);
    await tab.close();
  });

  it('follow the browser, with the numbers of its region', async () => {
    const tab = await stand.openTab();
    await tab.page.evaluateOnNewDocument(
      "Object.defineProperty(navigator, 'languages', { get: () => ['pt-BR', 'de-CH', 'en'] })",
    );
    await tab.goTo('/log-in');
    await tab.page.waitForFunction("document.documentElement.lang === 'de'");
    await tab.close();
  });
});
