// tier: system
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson } from '../../api/account/support.ts';
import { dayBefore } from '../../support/analytics-rows.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { keepScreenshot, looks, lookWith, overflows } from './look.ts';
import { arriveAt, click, named, openAs, openStand, type Stand, scrollThrough, type Tab } from './stand.ts';
import { type AudienceWorld, fillAudience } from './world-audience.ts';

/** As the axis names a day of the table. */
const shownDay = (day = ''): string =>
  new Date(day).toLocaleDateString('en-US', { day: 'numeric', month: 'short', timeZone: 'UTC' });

describeBrowser('chromium', 'analytics in the dashboard', (executable) => {
  let stand: Stand;
  let tab: Tab;
  let world: AudienceWorld;
  let folder: string;

  beforeAll(async () => {
    stand = await openStand(executable);
    const opened = await openAs(stand, { role: 'admin' });
    tab = opened.tab;
    const { organizationId } = opened.person;
    world = await fillAudience(stand, await createPerson(stand.api.database, { organizationId }));
    folder = await mkdtemp(join(tmpdir(), 'broadside-downloads-'));
    const browser = await tab.page.createCDPSession();
    await browser.send('Browser.setDownloadBehavior', {
      behavior: 'allow',
      downloadPath: folder,
      browserContextId: tab.page.browserContext().id ?? '',
    });
  });
  afterAll(async () => {
    await stand.close();
    await rm(folder, { recursive: true, force: true });
  });

  const go = async (search = ''): Promise<void> => {
    await tab.goTo(`/apps/${world.app}/analytics${search}`);
    await arriveAt(tab, 'Analytics');
    await tab.page.waitForSelector('section[aria-label="Revenue and clicks"]');
  };
  const period = 'select[aria-label="Period"]';
  /** As a date picker does: React sees no value that a script assigns. */
  const setDay = (label: string, day: string) =>
    tab.page.evaluate(`{
      const input = document.querySelector('input[aria-label="${label}"]');
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, '${day}');
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }`);
  /** The cells of the table behind a chart, with its headings. */
  const tableOf = (title: string): Promise<string[][]> =>
    tab.page.evaluate(`[...(document.querySelector('section[aria-label=${JSON.stringify(title)}]')
      ?.querySelectorAll('tr') ?? [])].map((row) => [...row.cells].map((cell) => cell.textContent))`) as Promise<
      string[][]
    >;
  const answer = async (path: string) => {
    const found = await tab.page.evaluate(
      `fetch('/api/v1/client/apps/${world.app}/analytics/${path}').then((answer) => answer.json())`,
    );
    return found as Record<string, never> & { growth: { date: string; new_subscribers: number }[] };
  };
  const growthRows = async (days: number): Promise<string[][]> =>
    (await answer(`subscribers?days=${days}`)).growth.map((day) => [day.date, String(day.new_subscribers)]);

  it('show the figures of the chosen period, which the address keeps', async () => {
    await go();
    const body = async (title = 'New subscribers') => (await tableOf(title)).slice(1);
    expect(await body()).toEqual(await growthRows(30));
    await tab.page.select(period, '7');
    await expect.poll(async () => (await body()).length).toBe(7);
    expect(await body()).toEqual(await growthRows(7));
    expect(new URL(tab.page.url()).search).toBe('?days=7');
    await tab.page.select(period, 'own');
    await tab.page.waitForSelector('input[aria-label="First day"]');
    await setDay('First day', dayBefore(11));
    // Each chart asks for its own figures.
    for (const title of ['New subscribers', 'Sent and clicked', 'Revenue and clicks']) {
      await expect.poll(async () => (await body(title)).length).toBe(12);
    }
    const { searchParams } = new URL(tab.page.url());
    expect([searchParams.get('from'), searchParams.get('to')]).toEqual([dayBefore(11), dayBefore(0)]);
    await setDay('First day', dayBefore(500));
    await tab.page.waitForSelector('::-p-text(at most 366 days)');
    expect(tab.faults).toEqual([]);
  });

  it('say how each figure changed against the days before, and keep that in the address', async () => {
    await go('?days=7');
    await tab.page.select('select[aria-label="Compare with"]', 'previous');
    const [now, before] = await Promise.all(
      [`from=${dayBefore(6)}`, `from=${dayBefore(13)}&to=${dayBefore(7)}`].map(async (days) =>
        (await answer(`subscribers?${days}`)).growth.reduce((sum, day) => sum + day.new_subscribers, 0),
      ),
    );
    const change = (100 * ((now ?? 0) - (before ?? 0))) / (before ?? 0);
    expect(Number.isFinite(change)).toBe(true);
    const figure = (): Promise<unknown> =>
      tab.page.evaluate(`[...document.querySelectorAll('section[aria-label="This period"] dt')]
        .find((each) => each.textContent === 'New subscribers')?.parentElement.lastElementChild.textContent`);
    const rounded = Math.abs(Math.round(change * 10) / 10);
    const text = rounded === 0 ? 'no change' : `${change > 0 ? '+' : '−'}${rounded}% from before`;
    await expect.poll(figure).toBe(text);
    expect(new URL(tab.page.url()).search).toContain('compare=previous');
    expect(tab.faults).toEqual([]);
  });

  it('lead from a row to what it counts', async () => {
    await go();
    await click(tab, 'section[aria-label="Countries"] ::-p-text(Table)');
    const [, [country, count] = []] = await tableOf('Countries');
    await click(tab, `section[aria-label="Countries"] ::-p-text(${country})`);
    await arriveAt(tab, 'Subscribers');
    await tab.page.waitForSelector(`::-p-text(${count})`);
    expect(new URL(tab.page.url()).searchParams.get('country')).toMatch(/^[A-Z]{2}$/);
    expect(tab.faults).toEqual([]);
  });

  it('draw the table’s figures: bars as tall as their values', async () => {
    await go('?days=30');
    await scrollThrough(tab.page);
    await tab.page.waitForSelector('section[aria-label="Countries"] rect[data-series]');
    const widths = (await tab.page.evaluate(
      `[...document.querySelectorAll('section[aria-label="Countries"] rect[data-series]')]
        .map((bar) => bar.getBoundingClientRect().width)`,
    )) as number[];
    const figures = (await tableOf('Countries')).slice(1).map(([, count]) => Number(count));
    expect(figures[0]).toBeGreaterThan(figures[1] ?? 0);
    expect(widths).toHaveLength(figures.length);
    const scale = (widths[0] ?? 0) / (figures[0] ?? 1);
    widths.forEach((width, index) => {
      expect(width).toBeCloseTo((figures[index] ?? 0) * scale, 0);
    });
    expect(tab.faults).toEqual([]);
  });

  it('draw on a phone what has room, also after the window was as narrow as can be', async () => {
    await go('?days=30');
    await tab.page.setViewport({ width: 100, height: 844 });
    await scrollThrough(tab.page);
    await lookWith(tab.page, looks[2]);
    await scrollThrough(tab.page);
    const placesOf = async (selector: string) =>
      (await tab.page.evaluate(
        `[...document.querySelectorAll(${JSON.stringify(selector)})].map((each) => {
          const { left, right, y } = each.getBoundingClientRect();
          return { left, right, y };
        })`,
      )) as { left: number; right: number; y: number }[];
    const dots = await placesOf('section[aria-label="Sent and clicked"] circle');
    // Only days with sends have clicks to show.
    const days = (await tableOf('Sent and clicked')).slice(1).filter(([, sent]) => sent !== '0');
    expect(days.length).toBeGreaterThan(5);
    expect(dots).toHaveLength(days.length);
    expect(new Set(dots.map(({ left }) => left)).size).toBe(days.length);
    const labels = await placesOf('section[aria-label="Best deliveries"] text[text-anchor=middle]');
    expect(labels.length).toBeGreaterThan(1);
    labels.slice(1).forEach(({ left }, at) => {
      expect(left).toBeGreaterThan(labels[at]?.right ?? 0);
    });
  });

  it('keep the values of a day that a finger tapped until it taps elsewhere', async () => {
    await lookWith(tab.page, looks[2]);
    await go('?days=30');
    await scrollThrough(tab.page);
    const chart = 'section[aria-label="New subscribers"]';
    const drawing = await tab.page.waitForSelector(`${chart} div[aria-hidden] svg`);
    await drawing?.scrollIntoView();
    const { x = 0, y = 0, width = 0 } = (await drawing?.boundingBox()) ?? {};
    for (const part of [0.3, 0.7]) {
      await tab.page.touchscreen.tap(x + width * part, y + 60);
      await tab.page.waitForSelector(`${chart} div[aria-hidden] p`);
      const [day, value] = (await tab.page.$eval(`${chart} div[aria-hidden] p`, (each) =>
        [each, each.parentElement?.querySelector('b')].map((one) => one?.textContent),
      )) as [string, string];
      expect(
        (await tableOf('New subscribers')).slice(1).map(([at, count]) => [shownDay(at), count]),
      ).toContainEqual([day, value]);
      expect(await overflows(tab.page)).toBe(false);
    }
    await tab.page.touchscreen.tap(x + width / 2, y - 60);
    await tab.page.waitForSelector(`${chart} div[aria-hidden] p`, { hidden: true });
    await lookWith(tab.page, looks[0]);
    expect(tab.faults).toEqual([]);
  });

  it('give every chart as a table to see and as a file with the same figures', async () => {
    await go('?days=7');
    await click(tab, 'section[aria-label="Best deliveries"] ::-p-text(Table)');
    await tab.page.waitForFunction(
      `document.querySelector('section[aria-label="Best deliveries"] table').closest('.visually-hidden') === null`,
    );
    await click(tab, named('New subscribers: download as CSV'));
    await expect.poll(() => readdir(folder)).toEqual(['new-subscribers.csv']);
    const csv = await readFile(join(folder, 'new-subscribers.csv'), 'utf8');
    const rows = await growthRows(7);
    expect(csv).toBe(
      `\uFEFF"Day","New subscribers"\r\n${rows.map(([day, count]) => `"${day}",${count}\r\n`).join('')}`,
    );
    expect(tab.faults).toEqual([]);
  });

  it('show revenue in the chosen currency, and why there is none where the site is not granted', async () => {
    stand.api.analytics.fxRates = [{ day: '2020-01-01', currency: 'USD', perEur: '2', source: 'ECB' }];
    await go('?days=7');
    const earned = async () => (await tableOf('Revenue and clicks'))[1]?.[1];
    const inEuro = Number((await earned())?.replace('€', ''));
    const currency = await tab.page.waitForSelector('::-p-aria([name="Currency"])');
    await currency?.select('USD');
    await expect.poll(earned).toBe(`$${(inEuro * 2).toFixed(2)}`);
    await expect
      .poll(async () => (await tableOf('Earnings by delivery'))[1]?.slice(1, 4))
      .toEqual(['$12.00', 'hour', '3']);
    await keepScreenshot(tab.page, 'analytics-delivery-revenue');
    await stand.api.database.query('DELETE FROM revenue_domains');
    await tab.goTo(`/apps/${world.app}/analytics?days=7`);
    await tab.page.waitForSelector('::-p-text(broadside revenue grant)');
    expect(tab.faults).toEqual([]);
  });
});
