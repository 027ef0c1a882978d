import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson } from '../../api/account-support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { arriveAt, named, openAs, openStand, type Stand, type Tab } from './stand.ts';
import { type AudienceWorld, fillAudience } from './world-audience.ts';

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
    await tab.page.locator('::-p-text(7 days)').click();
    await expect.poll(async () => (await body()).length, { timeout: 10_000 }).toBe(7);
    expect(await body()).toEqual(await growthRows(7));
    expect(new URL(tab.page.url()).search).toBe('?days=7');
    await tab.page.locator('::-p-text(Other)').click();
    const days = tab.page.locator('input[aria-label="Days, 1 to 90"]');
    await days.fill('12');
    // Each chart asks for its own figures.
    for (const title of ['New subscribers', 'Sent and clicked', 'Revenue and clicks']) {
      await expect.poll(async () => (await body(title)).length, { timeout: 10_000 }).toBe(12);
    }
    expect(tab.faults).toEqual([]);
  });

  it('draw what the table says: bars as tall as their figures', async () => {
    await go('?days=30');
    await tab.page.waitForSelector('section[aria-label="Countries"] .recharts-bar-rectangle path');
    const widths = (await tab.page.evaluate(
      `[...document.querySelectorAll('section[aria-label="Countries"] .recharts-bar-rectangle path')]
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

  it('give every chart as a table to see and as a file with the same figures', async () => {
    await go('?days=7');
    await tab.page.locator('section[aria-label="Best deliveries"] ::-p-text(Table)').click();
    await tab.page.waitForFunction(
      `document.querySelector('section[aria-label="Best deliveries"] table').closest('.visually-hidden') === null`,
    );
    await tab.page.locator(named('New subscribers: download as CSV')).click();
    await expect.poll(() => readdir(folder), { timeout: 10_000 }).toEqual(['new-subscribers.csv']);
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
    await tab.page.select('select:has(option[value=USD])', 'USD');
    await expect.poll(earned, { timeout: 10_000 }).toBe(`$${(inEuro * 2).toFixed(2)}`);
    await stand.api.database.query('DELETE FROM revenue_domains');
    await tab.goTo(`/apps/${world.app}/analytics?days=7`);
    await tab.page.waitForSelector('::-p-text(broadside revenue grant)');
    expect(tab.faults).toEqual([]);
  });
});
