// tier: system, clickhouse
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayText, knownDay } from '../../../engine/contract/days.ts';
import { activateLoad, registerLoad } from '../../../reporting/ingest/ad-loads.ts';
import { createAdStatsStore } from '../../../reporting/ingest/ad-stats-store.ts';
import { sayDays } from '../../../reporting/ingest/days/ad-days.ts';
import { createKeepDays } from '../../../reporting/ingest/days/keep-days.ts';
import { ask } from '../../reporting/explained/support.ts';
import { createReportToken } from '../../reporting/support.ts';
import { createReportWorld, type ReportWorld } from '../../reporting/world.ts';
import { adRows } from '../../support/ad-stats.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { isThorough } from '../../support/cases.ts';
import { findingsIn, keepScreenshot, looks, lookWith, overflows } from './look.ts';
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

const [FIRST, LAST, UNUSUAL] = ['2026-01-04', '2026-03-08', '2026-03-07'];

/** Nine weeks of two ad servers: one counts a little less, and one day the phones of a site earned next to nothing. */
const rows = Array.from({ length: knownDay(LAST) - knownDay(FIRST) + 1 }, (_, at) => {
  const day = dayText(knownDay(FIRST) + at);
  return ['gam', 'prebid'].flatMap((source) =>
    ['news.example', 'sports.example'].flatMap((domain) =>
      ['mobile', 'desktop'].map((device) => {
        const isLow = day === UNUSUAL && domain === 'news.example' && device === 'mobile' && source === 'gam';
        const earned = (isLow ? 1 : 40 + (at % 7) + (at % 3) / 10) * (source === 'gam' ? 1 : 0.97);
        return {
          ...{ at: `${day} 12:00:00`, source, domain, device, product: 'standard display', country: 'DE' },
          ...{ impressions: 20_000 + at, earnings: earned.toFixed(4), currency: 'EUR' },
        };
      }),
    ),
  );
}).flat();

describeBrowser('chromium', 'checks of reports', (executable) => {
  let reporting: ReportWorld;
  let stand: Stand;
  let tab: Tab;
  let token: string;

  beforeAll(async () => {
    reporting = await createReportWorld('embedded', { config: { reportRatePerMinute: 1_000 } });
    await reporting.addRows(rows);
    await restate(reporting);
    await sayDays(reporting.database, { source: 'gam', days: [UNUSUAL], state: 'final', by: 'person' });
    await reporting.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = reporting.app.server.address() as AddressInfo;
    token = await createReportToken(reporting.database);
    stand = await openStand(executable, { config: { reportingUrl: `http://127.0.0.1:${port}` } });
    ({ tab } = await openAs(stand, { role: 'member' }));
    await tab.goTo('/reports/checks');
    await arriveAt(tab, 'Checks');
    await give(token);
  });
  afterAll(async () => {
    await stand.close();
    await reporting.close();
  });

  const give = async (text: string): Promise<void> => {
    await tab.page.locator('input[type=password]').fill(text);
    await click(tab, named('Use this token'));
  };
  const open = async (view: string): Promise<void> => {
    await tab.goTo(`/reports/checks?view=${view}`);
    await tab.page.waitForSelector('input[type=date]');
    const [first, last] = await tab.page.$$('input[type=date]');
    await first?.type('03012026');
    await last?.type('03082026');
    await press(tab, 'Check');
  };
  const euros = (value: number): string =>
    new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(value);

  it('set two sources side by side as the API does, with the reason that a person noted', async () => {
    await open('differences');
    const table = 'section[aria-label="gam and prebid"]';
    await tab.page.waitForSelector(`${table} tbody th`);
    const body = { currency: 'EUR', selectedDate: ['2026-03-01', '2026-03-08'], sources: ['gam', 'prebid'] };
    const { data } = await ask(reporting.app, token, '/discrepancies', body);
    const shown = await tab.page.$$eval(`${table} tbody tr`, (all) =>
      all.map((row) => row.textContent ?? ''),
    );
    expect(shown).toHaveLength(data.length);
    data.forEach((row, at) => {
      for (const figure of ['first_earnings', 'second_earnings'])
        expect(shown[at]).toContain(euros(Number(row[figure])));
      expect(shown[at]).toContain(String(row.domain));
    });
    expect(data[0]).toMatchObject({ day: UNUSUAL, domain: 'news.example' });
    await press(tab, 'Note a reason – news.example, Mar 7, 2026');
    await fillField(tab, 'Reason', 'The tag was missing on phones.');
    await press(tab, 'Save');
    await waitForText(tab, 'The tag was missing on phones.');
    const noted = await ask(reporting.app, token, '/discrepancies', body);
    expect(noted.data[0]?.note).toMatchObject({ reason: 'The tag was missing on phones.', version: 1 });
    expect(await findingsIn(tab.page, 'checks-differences')).toEqual([]);
    expect(tab.faults).toEqual([]);
  });

  it('show the largest hundred, say so, and show more', async () => {
    const [first] = await tab.page.$$('input[type=date]');
    await first?.type('01042026');
    await press(tab, 'Check');
    await waitForText(tab, 'The largest 100 are shown.');
    const rowsOf = 'section[aria-label="gam and prebid"] tbody tr';
    const before = (await tab.page.$$(rowsOf)).length;
    await press(tab, 'Show up to 1,000');
    await expect.poll(async () => (await tab.page.$$(rowsOf)).length).toBeGreaterThan(before);
    expect(before).toBe(100);
    expect(await tab.page.evaluate('document.body.innerText')).not.toContain('The largest');
    await keepScreenshot(tab.page, 'checks-differences-many');
  });

  it('draw an unusual day over its band, say where it comes from, and are muted and shown again', async () => {
    await open('unusual');
    const chart = await tab.page.waitForSelector('[data-band="9"]');
    await chart?.scrollIntoView();
    await tab.page.waitForSelector('[data-band] path[data-range]');
    const path = await tab.page.$eval('[data-band] path[data-range]', (each) => each.getAttribute('d') ?? '');
    // Nine places on the upper end, and back on the lower one.
    expect(path.match(/[ML]/g)).toHaveLength(18);
    await waitForText(tab, 'less than usual');
    await waitForText(tab, 'Device: mobile');
    await scrollThrough(tab.page);
    expect(await findingsIn(tab.page, 'checks-unusual')).toEqual([]);
    await press(tab, 'Mute news.example · standard display · Germany');
    await fillField(tab, 'Reason', 'Known.');
    await press(tab, 'Mute');
    await waitForText(tab, 'Nothing unusual');
    await waitForText(tab, 'Known.');
    await press(tab, 'Show again: news.example · standard display · Germany');
    await press(tab, 'Show again');
    await waitForText(tab, 'Nothing is muted.');
    await tab.page.waitForSelector('[data-band="9"]');
    expect(tab.faults).toEqual([]);
  });

  it('say how certain days are and who said so, and what a source corrected', async () => {
    await open('days');
    await waitForText(tab, 'a person');
    const states = await tab.page.$$eval('section[aria-label="Days of the sources"] tbody tr', (all) =>
      all.map((row) => row.textContent ?? ''),
    );
    expect(states.filter((text) => text.includes('Final'))).toEqual([
      expect.stringMatching(/^gam.*Mar 7, 2026/),
    ]);
    const [change] = await tab.page.$$eval('section[aria-label=Corrections] tbody tr', (all) =>
      all.map((row) => row.textContent ?? ''),
    );
    expect(change).toMatch(/Feb 1, 2026.*xandr.*Replaced.*€10\.00.*€12\.00/);
    expect(await findingsIn(tab.page, 'checks-days')).toEqual([]);
    expect(tab.faults).toEqual([]);
  });

  it('fit on a phone in every language, and say what to do where there is nothing to compare', async () => {
    await lookWith(tab.page, looks[2]);
    const views = ['differences', 'unusual', 'days'];
    for (const [at, language] of ['de', 'fr', 'es'].entries())
      for (const view of isThorough ? views : views.slice(at, at + 1)) {
        await tab.page.evaluate(`localStorage.setItem('broadside-language', '${language}')`);
        await tab.goTo(`/reports/checks?view=${view}`);
        await tab.page.waitForSelector('form section');
        expect([language, view, await overflows(tab.page)]).toEqual([language, view, false]);
        await keepScreenshot(tab.page, `checks-${view}-phone-${language}`);
        await lookWith(tab.page, looks[2]);
      }
    await tab.page.evaluate(`localStorage.setItem('broadside-language', 'en')`);
    await lookWith(tab.page, looks[0]);
    await tab.goTo('/reports/checks');
    await press(tab, 'Use another token');
    const nothing = { domains: ['z.example'], wholesalers: [], unrestricted: false };
    await give(await createReportToken(reporting.database, nothing));
    await waitForText(tab, 'It takes two sources');
    expect(tab.faults).toEqual([]);
  });
});

/** A third source that corrected a day. */
async function restate({ database, clickhouse }: ReportWorld): Promise<void> {
  for (const [kind, earnings] of [
    ['append', '10'],
    ['restate', '12'],
  ] as const) {
    const files = [{ content: kind, reading: 'r', name: `${kind}.csv` }];
    const { load } = await registerLoad(database, {
      ...{ source: 'xandr', kind, content: kind, files, madeBy: 'ann@desk' },
    });
    const store = createAdStatsStore(clickhouse);
    const row = { at: '2026-02-01', domain: 'news.example', impressions: '5', earnings, currency: 'EUR' };
    await store.insertRows(adRows(load, [row], 'xandr'), `checks-${kind}`);
    const more = { completeUntil: null, onlyDays: null, says: null, mayChangeFinal: true };
    await activateLoad(database, { load, ...(await store.loadTotals(load)), ...more });
  }
  const step = createKeepDays({ database, clickhouse });
  while ((await step()) > 0);
}
