// tier: system, clickhouse
import type { AddressInfo } from 'node:net';
import type { HTTPRequest } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createReportToken, generatePath } from '../../reporting/support.ts';
import { createReportWorld, type ReportWorld } from '../../reporting/world.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { axeFindings, findingsIn, keepScreenshot, looks, lookWith, overflows, someLooks } from './look.ts';
import {
  arriveAt,
  click,
  fillField,
  named,
  openAs,
  openStand,
  press,
  type Stand,
  scrollThrough,
  type Tab,
  waitForText,
} from './stand.ts';

const DAYS = 28;
const sites = ['news.example', 'sports.example', 'weekly.example', 'radio.example'];
const countries = ['DE', 'AT', 'CH', 'FR', 'ES', 'IT', 'NL', 'BE', 'PL', 'US', 'GB', 'SE'];

/** Four weeks of February 2026; one site was there in the first two alone, and of one day nobody delivered anything. */
const rows = Array.from({ length: DAYS }, (_, day) =>
  sites.flatMap((domain, site) =>
    domain === 'radio.example' && day >= 14
      ? []
      : countries.map((country, place) => ({
          at: `2026-02-${String(day + 1).padStart(2, '0')} 12:00:00`,
          ...{ domain, country, device: (day + place) % 3 === 0 ? 'desktop' : 'mobile' },
          impressions: Math.round((90_000 - site * 17_000) / (place + 1)) + ((day * 7 + place) % 11) * 131,
          earnings: (((21 - site * 4) * (1 + (day % 7) / 10)) / (place + 1) + 0.0137).toFixed(4),
          currency: 'EUR',
        })),
  ),
)
  .flat()
  .filter(({ at }) => !at.startsWith('2026-02-05'));

const report = {
  dimensions: ['domain', 'country'],
  metrics: ['impressions', 'earnings', 'ecpm'],
  columns: 'country',
  currency: 'EUR',
  period: '',
  from: '2026-02-15',
  to: '2026-02-28',
} as const;
const addressOf = (given: object, more = ''): string =>
  `/reports?report=${encodeURIComponent(JSON.stringify(given))}${more}`;

describeBrowser('chromium', 'reports that an analyst keeps open', (executable) => {
  let reporting: ReportWorld;
  let stand: Stand;
  let tab: Tab;
  let token: string;
  const asked: HTTPRequest[] = [];

  beforeAll(async () => {
    reporting = await createReportWorld('embedded', { config: { reportRatePerMinute: 1_000 } });
    await reporting.addRows(rows);
    await reporting.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = reporting.app.server.address() as AddressInfo;
    token = await createReportToken(reporting.database);
    stand = await openStand(executable, { config: { reportingUrl: `http://127.0.0.1:${port}` } });
    ({ tab } = await openAs(stand, { role: 'member' }));
    await tab.page.evaluateOnNewDocument(
      `navigator.clipboard.writeText = async (text) => { window.copied = text; };`,
    );
    tab.page.on('request', (request) => {
      if (request.url().endsWith('/dashboard/reports/generate')) asked.push(request);
    });
    await tab.goTo('/reports');
    await arriveAt(tab, 'Reports');
    await tab.page.locator('input[type=password]').fill(token);
    await click(tab, named('Use this token'));
    await tab.page.waitForSelector('input[type=date]');
  });
  afterAll(async () => {
    await stand.close();
    await reporting.close();
  });
  beforeEach(() => {
    asked.length = 0;
  });

  const open = async (given: object = report, more = ''): Promise<void> => {
    await tab.goTo(addressOf(given, more));
    await tableIs('thead');
  };
  const tableIs = (part: string) => tab.page.waitForSelector(`section[aria-label=Result] ${part}`);
  const heads = (): Promise<string[]> =>
    tab.page.$$eval('section[aria-label=Result] thead th', (all) =>
      all.map((each) => each.textContent ?? ''),
    );
  const names = (): Promise<string[]> =>
    tab.page.$$eval('section[aria-label=Result] tbody th', (all) =>
      all.map((each) => each.textContent ?? ''),
    );
  const totals = (): Promise<string[]> =>
    tab.page.$$eval('section[aria-label=Result] tfoot td', (all) =>
      all.map((each) => each.textContent ?? ''),
    );
  const ask = async (body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const payload = JSON.stringify({
      ...{ metrics: report.metrics, currency: 'EUR', selectedDate: [report.from, report.to] },
      ...body,
    });
    return (await reporting.app.inject({ method: 'POST', url: generatePath, headers, payload })).json();
  };
  const euros = (value: number): string =>
    new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(value);
  const copied = (): Promise<string> => tab.page.evaluate('window.copied') as Promise<string>;

  it('show two dimensions as a table with the API’s own totals, its small columns together, by one request', async () => {
    await open();
    const bySite = await ask({ dimensions: ['domain'], sort: [{ by: 'earnings', direction: 'desc' }] });
    expect(await names()).toEqual(bySite.data.map(({ domain }: { domain: string }) => domain));
    expect((await heads()).slice(0, 2)).toEqual(['Site', 'Germany']);
    expect((await heads()).slice(-2)).toEqual(['4 others', 'Total']);
    const whole = await ask({ dimensions: ['domain'], totals: true });
    expect((await totals()).at(-1)).toBe(euros(whole.meta.totals.earnings));
    expect(asked).toHaveLength(1);
    // A ratio is that of the sums, and needs no further request.
    await tab.page.select('select:has(> option[value=ecpm]):not([aria-label])', 'ecpm');
    await expect.poll(async () => (await totals()).at(-1)).toBe(euros(whole.meta.totals.ecpm));
    await click(tab, 'section[aria-label=Result] thead th ::-p-text(Site)');
    await expect.poll(async () => (await names())[0]).toBe('news.example');
    expect(asked).toHaveLength(1);
    expect(tab.page.url()).toContain('ecpm');
    expect(tab.faults).toEqual([]);
  });

  it('stand beside the earlier period: with what is gone, differences, and days without data by name', async () => {
    await open({ ...report, compare: 'previous_period' });
    await waitForText(tab, 'Compared with Feb 1, 2026 – Feb 14, 2026.');
    await waitForText(tab, 'Without data in the earlier period: Feb 5, 2026.');
    await expect.poll(names).toContain('radio.example');
    const [now, before] = await Promise.all([
      ask({ dimensions: ['domain'], totals: true }),
      ask({ dimensions: ['domain'], totals: true, selectedDate: ['2026-02-01', '2026-02-14'] }),
    ]);
    const difference = now.meta.totals.earnings - before.meta.totals.earnings;
    const said = (await totals()).at(-1) ?? '';
    expect(said).toContain(euros(now.meta.totals.earnings));
    expect(said).toContain(`(${difference < 0 ? '−' : '+'}\u2060${euros(Math.abs(difference))})`);
    expect(said).toContain(`from ${euros(before.meta.totals.earnings)}`);
    const gone = await tab.page.$$eval('section[aria-label=Result] tbody tr', (all) =>
      all.map((line) => line.textContent ?? '').filter((text) => text.startsWith('radio.example')),
    );
    expect(gone.join()).toContain('−100%');
    expect(asked).toHaveLength(3);
    expect(tab.faults).toEqual([]);
  });

  it('lead down by a press, by keyboard too, and back by the breadcrumb, the browser and a reload', async () => {
    await open();
    await click(tab, 'section[aria-label=Result] tbody th button ::-p-text(sports.example)');
    await expect.poll(heads).toContain('Device');
    const said = await ask({
      dimensions: ['device'],
      filter_groups: [
        {
          operator: 'or',
          filters: [
            { value: 'domain', type: 'dimension', comparator: 'in', selectedValues: ['sports.example'] },
          ],
        },
      ],
      totals: true,
    });
    await expect.poll(async () => (await totals()).at(-1)).toBe(euros(said.meta.totals.earnings));
    const crumbs = () =>
      tab.page.$$eval('nav[aria-label="Way down"] *:is(button, [aria-current])', (all) =>
        all.map((each) => each.textContent),
      );
    expect(await crumbs()).toEqual(['All', 'Site\u00a0sports.example']);
    await tab.page.reload();
    await arriveAt(tab, 'Reports');
    await expect.poll(heads).toContain('Device');
    expect(await crumbs()).toEqual(['All', 'Site\u00a0sports.example']);
    await tab.page.goBack();
    await expect.poll(heads).toContain('Site');
    await expect.poll(async () => (await crumbs()).length).toBe(0);
    // To a figure by the arrows, and further down by Enter.
    await tab.page.focus('section[aria-label=Result] tbody th button');
    await tab.page.keyboard.press('ArrowDown');
    await tab.page.keyboard.press('ArrowRight');
    await tab.page.keyboard.press('Enter');
    await expect.poll(crumbs).toEqual(['All', 'Site\u00a0sports.example, Country\u00a0Germany']);
    await click(tab, 'nav[aria-label="Way down"] button');
    await expect.poll(heads).toContain('Site');
    expect(tab.faults).toEqual([]);
  });

  it('say gently what of an address was not understood, and show the rest', async () => {
    await open({
      ...report,
      metric: 'profit',
      compare: 'last_century',
      trail: [{ pressed: 'x' }],
      columns: 'country',
    });
    await waitForText(tab, 'Parts of this address were not understood');
    expect(await names()).toContain('news.example');
    await tab.goTo('/reports?report=%5B1%2C%7B%7D%5D&saved=nonsense');
    await arriveAt(tab, 'Reports');
    await waitForText(tab, 'Run report');
    expect(tab.faults).toEqual([]);
  });

  it('are copied as CSV with figures in full, and as curl with both requests', async () => {
    await open({ ...report, compare: 'same_weekdays' });
    await waitForText(tab, 'Compared with Feb 1, 2026 – Feb 14, 2026.');
    await expect.poll(names).toContain('radio.example');
    await press(tab, 'Copy as CSV');
    const lines = (await copied()).trim().split('\r\n');
    expect(lines[0]).toContain('"Site","DE","DE (before)","DE (difference)","DE (change in %)","AT"');
    const whole = await ask({ dimensions: ['domain'], totals: true });
    const last = lines.at(-1)?.split(',') ?? [];
    expect([last[0], Number(last.at(-4))]).toEqual(['"Total"', whole.meta.totals.earnings]);
    await press(tab, 'Copy as curl');
    const bodies = [...(await copied()).matchAll(/-d '(.*)'/g)].map(([, body]) => JSON.parse(body ?? ''));
    expect(bodies.map(({ selectedDate }) => selectedDate)).toEqual([
      ['2026-02-15', '2026-02-28'],
      ['2026-02-01', '2026-02-14'],
    ]);
    expect(bodies.map(({ metrics }) => metrics)).toEqual([
      ['impressions', 'earnings'],
      ['impressions', 'earnings'],
    ]);
    expect(tab.faults).toEqual([]);
  });

  it('never show an older answer over a newer one, and make one request of several changes', async () => {
    await open();
    await tab.page.setRequestInterception(true);
    const hold = async (request: HTTPRequest): Promise<void> => {
      const isSlow = /"dimensions":\["device","country"\]/.test(request.postData() ?? '');
      if (isSlow) await new Promise((resolve) => setTimeout(resolve, 1_500));
      await request.continue().catch(() => {});
    };
    tab.page.on('request', hold);
    const rowsOf = 'select:has(> option[value=domain]):not([aria-label])';
    await tab.page.select(rowsOf, 'device');
    await tab.page.select(rowsOf, 'domain');
    await tab.page.select(rowsOf, 'day');
    await expect.poll(heads).toContain('Day');
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect((await heads())[0]).toBe('Day');
    tab.page.off('request', hold);
    await tab.page.setRequestInterception(false);
    asked.length = 0;
    for (const day of ['2026-02-16', '2026-02-17', '2026-02-18'])
      await tab.page.evaluate(`(() => {
        const field = document.querySelector('input[type=date]');
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, '${day}');
        field.dispatchEvent(new Event('input', { bubbles: true }));
      })()`);
    await expect.poll(async () => (await names()).length).toBe(11);
    expect(asked).toHaveLength(1);
    expect(tab.faults).toEqual([]);
  });

  it('are kept by name for the organization, and another organization’s is not there', async () => {
    await open({ ...report, compare: 'same_weekdays', metric: 'ecpm' });
    await press(tab, 'Save as…');
    await fillField(tab, 'Name', 'Sites by country');
    await press(tab, 'Save');
    await waitForText(tab, '“Sites by country” was saved.');
    await expect.poll(() => tab.page.url()).toContain('saved=');
    const id = new URL(tab.page.url()).searchParams.get('saved') ?? '';
    // The number alone is a link, too.
    await tab.goTo(`/reports?saved=${id}`);
    await expect.poll(heads).toContain('Germany');
    await waitForText(tab, 'Compared with Feb 1, 2026 – Feb 14, 2026.');
    expect(await tab.page.$eval('nav [aria-current=true]', (each) => each.textContent)).toBe(
      'Sites by country',
    );
    await click(tab, 'section[aria-label=Result] thead th ::-p-text(Germany)');
    await waitForText(tab, 'changed');
    await press(tab, 'Save changes');
    await expect.poll(async () => (await tab.page.content()).includes('Save changes')).toBe(false);

    const rival = await openAs(stand, { role: 'member' });
    await rival.tab.goTo('/reports');
    await rival.tab.page.locator('input[type=password]').fill(await createReportToken(reporting.database));
    await click(rival.tab, named('Use this token'));
    await rival.tab.page.waitForSelector('input[type=date]');
    await rival.tab.goTo(`/reports?saved=${id}`);
    await waitForText(rival.tab, 'Your organization has no saved report of this number');
    expect(await rival.tab.page.content()).not.toContain('Sites by country');
    expect(rival.tab.faults).toEqual([]);
    await rival.tab.close();

    await press(tab, 'Delete “Sites by country”');
    await press(tab, 'Delete');
    await waitForText(tab, '“Sites by country” was deleted.');
    expect(tab.faults).toEqual([]);
  });

  it('look right in every look and language', async () => {
    await open({ ...report, compare: 'previous_period' });
    await expect.poll(names).toContain('radio.example');
    await scrollThrough(tab.page);
    expect(await findingsIn(tab.page, 'report-pivot', someLooks)).toEqual([]);
    for (const language of ['de', 'fr', 'es']) {
      await tab.page.evaluate(`localStorage.setItem('broadside-language', '${language}')`);
      await tab.page.reload();
      await tab.page.waitForFunction(`document.querySelectorAll('tbody th').length >= 4`);
      await lookWith(tab.page, looks[2]);
      expect(await overflows(tab.page)).toBe(false);
      await keepScreenshot(tab.page, `report-pivot-phone-${language}`);
      await lookWith(tab.page, looks[0]);
      await scrollThrough(tab.page);
      expect(await axeFindings(tab.page)).toEqual([]);
      await keepScreenshot(tab.page, `report-pivot-${language}`);
      await lookWith(tab.page, looks[0]);
    }
    expect(tab.faults).toEqual([]);
  });
});
