// tier: system, clickhouse
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { countryName } from '../../../api/dashboard/web/format/countries.ts';
import { grantDomain } from '../../../api/shared/revenue/revenue-domains.ts';
import { admitReportToken } from '../../../engine/adapters/postgres/report-tokens.ts';
import { toId } from '../../../engine/contract/ids.ts';
import { hashSecret } from '../../../engine/kit/http/token.ts';
import { createReportToken, generatePath } from '../../reporting/support.ts';
import { createReportWorld, type ReportWorld } from '../../reporting/world.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { runCliHere } from '../../support/run-cli-here.ts';
import { axeFindings, findingsIn, keepScreenshot, someLooks } from './look.ts';
import { arriveAt, click, named, openAs, openStand, type Stand, scrollThrough, type Tab } from './stand.ts';

/** Statistics of three sites over twelve days; one of the sites is a deal's. */
const rows = Array.from({ length: 36 }, (_, index) => ({
  at: `2026-02-${String(1 + Math.floor(index / 3)).padStart(2, '0')} 12:00:00`,
  domain: ['news.example', 'sports.example', 'weekly.example'][index % 3] ?? '',
  country: index % 2 === 0 ? 'DE' : 'AT',
  device: index % 3 === 0 ? 'mobile' : 'desktop',
  impressions: 1_000 + index * 37,
  earnings: (2 + index * 0.13).toFixed(4),
  currency: 'EUR',
}));

describeBrowser('chromium', 'reports in the dashboard', (executable) => {
  let reporting: ReportWorld;
  let stand: Stand;
  let tab: Tab;
  let token: string;
  let url: string;
  let folder: string;
  let answersWith: ReportWorld['app'];

  beforeAll(async () => {
    reporting = await createReportWorld('embedded');
    await reporting.addRows(rows);
    answersWith = reporting.app;
    url = await listen(answersWith);
    token = await createReportToken(reporting.database);
    stand = await openStand(executable, { config: { reportingUrl: url } });
    ({ tab } = await openAs(stand, { role: 'member' }));
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
    await reporting.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await tab.goToAnew('/reports');
    await arriveAt(tab, 'Reports');
  });

  const giveToken = async (text = token): Promise<void> => {
    await tab.page.locator('input[type=password]').fill(text);
    await click(tab, named('Use this token'));
  };
  const setDays = async (from: string, to: string): Promise<void> => {
    const [first, last] = await tab.page.$$('input[type=date]');
    await first?.type(from);
    await last?.type(to);
  };
  const begin = async (): Promise<void> => {
    await giveToken();
    await tab.page.waitForSelector('input[type=date]');
    await setDays('02012026', '02122026');
  };
  const make = async (): Promise<void> => {
    await click(tab, named('Run report'));
    await tab.page.waitForSelector('section[aria-label=Result] tbody tr');
  };
  const table = async (): Promise<string[][]> =>
    (await tab.page.evaluate(`[...document.querySelectorAll('section[aria-label=Result] tbody tr')]
      .map((row) => [...row.cells].map((cell) => cell.textContent))`)) as string[][];
  const sortBy = (header: string) => click(tab, `section[aria-label=Result] thead th ::-p-text(${header})`);
  const offered = () =>
    tab.page.$$eval('[role=listbox] [role=option]', (all) => all.map(({ textContent }) => textContent));
  /** The reporting API's own answer. */
  const ask = async (body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const payload = { currency: 'EUR', selectedDate: ['2026-02-01', '2026-02-12'], ...body };
    return answersWith.inject({
      method: 'POST',
      url: generatePath,
      headers,
      payload: JSON.stringify(payload),
    });
  };

  it('explain the token and how to get one, and keep it for this tab alone', async () => {
    await tab.page.waitForSelector('::-p-text(broadside report-token issue)');
    await giveToken('nonsense');
    await tab.page.waitForSelector('::-p-text(This is not a report token)');
    await giveToken();
    await tab.page.waitForSelector('input[type=date]');
    const kept = await tab.page.evaluate(
      '[JSON.stringify(sessionStorage), JSON.stringify(localStorage), document.cookie].map(String)',
    );
    const [session, local, cookie] = kept as string[];
    expect(session).toContain(token);
    expect(`${local}${cookie}${tab.page.url()}`).not.toContain(token.split('|')[1]);
    await click(tab, named('Use another token'));
    await tab.page.waitForSelector('input[type=password]');
    expect(await tab.page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('|');
    expect(tab.faults).toEqual([]);
  });

  it('are made over the real reporting role: table, totals and CSV have its figures', async () => {
    await begin();
    await click(tab, 'input[type=checkbox][value=domain]');
    await make();
    const body = { dimensions: ['day', 'domain'], metrics: ['impressions', 'earnings', 'ecpm'] };
    const said = (await ask({ ...body, totals: true })).json();
    const shown = await table();
    expect(
      shown.map(([day, domain, impressions]) => [day, domain, Number(impressions?.replace(',', ''))]),
    ).toEqual(said.data.map((row: Record<string, unknown>) => [row.day, row.domain, row.impressions]));
    const totals = await tab.page.$eval('tfoot [data-totals]', (line) => line.textContent);
    expect(totals).toContain('Total');
    expect(totals).toContain(said.meta.totals.impressions.toLocaleString('en'));
    await tab.page.waitForSelector('[data-chart="12"] path[data-line]');
    expect((await tab.page.$$('[data-chart] path[data-line]')).length).toBe(3);
    await click(tab, named('Download as CSV'));
    await expect.poll(() => readdir(folder)).toEqual(['report-2026-02-01-2026-02-12.csv']);
    const csv = await readFile(join(folder, 'report-2026-02-01-2026-02-12.csv'), 'utf8');
    expect(csv).toBe((await ask({ ...body, format: 'csv' })).body);
    expect(csv.trim().split('\n')).toHaveLength(rows.length + 1);
    const days = ['--from', '2026-02-01', '--to', '2026-02-12'];
    const env = {
      BROADSIDE_REPORTING_URL: url,
      BROADSIDE_REPORT_TOKEN: token,
    };
    const { code, out } = await runCliHere(['report', '--by', 'day,domain', ...days, '--csv'], {
      cwd: folder,
      env,
    });
    expect([code, out]).toEqual([0, csv.replaceAll('\r', '')]);
    expect(tab.faults).toEqual([]);
  });

  it('are made by an admin for the domains that the operator granted, without pasting a token', async () => {
    const admin = await openAs(stand, { role: 'admin' });
    await grantDomain(stand.api.database, toId(admin.person.organizationId), 'news.example');
    await admin.tab.goTo('/reports');
    await arriveAt(admin.tab, 'Reports');
    const use = named('Report on these domains');
    await admin.tab.page.waitForSelector(use);
    expect(await axeFindings(admin.tab.page)).toEqual([]);
    await keepScreenshot(admin.tab.page, 'reports-granted');
    await click(admin.tab, use);
    await admin.tab.page.waitForSelector('input[type=date]');
    const made = String(await admin.tab.page.evaluate(`sessionStorage.getItem('broadside-report-token')`));
    const [id = '', secret = ''] = made.split('|');
    const token = { id: Number(id), secretHash: hashSecret(secret) };
    expect(await admitReportToken(stand.api.database, token, { ofToken: 100, onPage: 100 })).toMatchObject({
      domains: ['news.example', 'www.news.example'],
      unrestricted: false,
    });
    expect(admin.tab.faults).toEqual([]);
    await admin.tab.close();
  });

  it('are filtered, sorted and compared as one chose, and the address makes the same form again', async () => {
    await begin();
    await click(tab, 'input[type=checkbox][value=domain]');
    await click(tab, 'input[type=checkbox][value=day]');
    await tab.page.select('select:has(> option[value=previous_period])', 'previous_period');
    await click(tab, named('Add a filter group'));
    await tab.page.select('select[aria-label=Comparison]', 'not_contains');
    // What the token sees is offered, those with the most impressions first.
    await click(tab, 'input[aria-label=Values]');
    await expect.poll(offered).toEqual(['weekly.example', 'sports.example', 'news.example']);
    await tab.page.type('input[aria-label=Values]', 'weekly');
    await expect.poll(offered).toEqual(['weekly.example']);
    await tab.page.keyboard.press('Enter');
    await click(tab, named('Add a filter'));
    const abouts = await tab.page.$$('select[aria-label=Field]');
    await abouts[1]?.select('impressions');
    const comparisons = await tab.page.$$('select[aria-label=Comparison]');
    await comparisons[1]?.select('between');
    await tab.page.type('input[aria-label=Value]', '1');
    await tab.page.type('input[aria-label="Upper value"]', '900000');
    await make();
    await sortBy('Earnings');
    const said = (
      await ask({
        dimensions: ['domain'],
        metrics: ['impressions', 'earnings', 'ecpm'],
        compare_to: 'previous_period',
        sort: [{ by: 'earnings', direction: 'desc' }],
        filter_groups: [
          {
            operator: 'or',
            filters: [
              { value: 'domain', type: 'dimension', comparator: 'not_contains', selectedValues: ['weekly'] },
              {
                value: 'impressions',
                type: 'metric',
                comparison: 'between',
                selectedValue: 1,
                secondValue: 900_000,
              },
            ],
          },
        ],
      })
    ).json();
    const names = () => table().then((lines) => lines.map(([domain]) => domain));
    await expect.poll(names).toEqual(['sports.example', 'news.example']);
    expect(await names()).toEqual(said.data.map(({ domain }: { domain: string }) => domain));
    const [first] = await table();
    expect(first).toHaveLength(4);
    expect(first?.[2]).toMatch(/^€[\d.]+▲ new from €0\.00$/);
    await sortBy('Earnings');
    await expect.poll(names).toEqual(['news.example', 'sports.example']);
    await sortBy('Site');
    await expect.poll(names).toEqual(['sports.example', 'news.example']);
    await tab.page.reload();
    await arriveAt(tab, 'Reports');
    expect(await tab.page.$$eval('fieldset input:checked', (all) => all.map(({ value }) => value))).toEqual([
      ...['domain', 'impressions', 'earnings', 'ecpm'],
    ]);
    await make();
    await expect.poll(names).toEqual(['sports.example', 'news.example']);
    expect(tab.faults).toEqual([]);
  });

  it('show errors at their field, and a refused token as such, without ending the session', async () => {
    await begin();
    await setDays('02012025', '02122026');
    await click(tab, named('Run report'));
    await tab.page.waitForSelector('.mantine-InputWrapper-error');
    const said = await tab.page.$$eval('.mantine-InputWrapper-error', (all) =>
      all.map((each) => each.textContent),
    );
    expect(said.join()).toMatch(/at most 3 months/);
    await click(tab, named('Use another token'));
    await giveToken('4711|a-secret-that-nobody-ever-issued');
    await tab.page.waitForSelector('::-p-text(This token is not valid)');
    expect(await tab.page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('|');
    expect(tab.page.url()).toContain('/dashboard/reports');
    expect(tab.faults).toEqual([]);
  });

  it('are there by one press of a preset, for days that move, in the zone that one chose', async () => {
    await giveToken();
    await tab.page.waitForSelector('input[type=date]');
    await setDays('02012026', '02122026');
    await tab.page.select('select:has(> option[value="Europe/Berlin"])', 'Europe/Berlin');
    await click(tab, named('By country'));
    await tab.page.waitForSelector('section[aria-label=Result] tbody tr');
    const said = (
      await ask({
        dimensions: ['country'],
        metrics: ['impressions', 'earnings', 'ecpm'],
        timezone: 'Europe/Berlin',
        sort: [{ by: 'earnings', direction: 'desc' }],
      })
    ).json();
    expect((await table()).map(([country]) => country)).toEqual(
      said.data.map(({ country }: { country: string }) => countryName(country)),
    );
    await tab.page.waitForSelector('::-p-text(Days are those of Europe/Berlin.)');
    await scrollThrough(tab.page);
    const chart = await tab.page.waitForSelector('[data-chart="2"]');
    await chart?.scrollIntoView();
    await tab.page.waitForSelector('[data-chart="2"] [data-says]');
    await tab.page.select('select:has(> option[value=yesterday])', 'yesterday');
    const yesterday = new Date(Date.now() - 86_400_000).toLocaleDateString('sv', {
      timeZone: 'Europe/Berlin',
    });
    expect(await tab.page.$$eval('input[type=date]', (all) => all.map(({ value }) => value))).toEqual([
      ...[yesterday, yesterday],
    ]);
    expect(tab.faults).toEqual([]);
  });

  it.each([
    ['Excel', 'xlsx', 'PK'],
    ['Parquet', 'parquet', 'PAR1'],
    ['NDJSON', 'ndjson', '{"domain":'],
    ['JSON', 'json', '{"status":"success"'],
    ['CSV', 'zip', 'PK'],
  ])('can be taken away as %s (%s)', async (name, extension, start) => {
    await begin();
    await click(tab, 'input[type=checkbox][value=domain]');
    await click(tab, 'input[type=checkbox][value=day]');
    await make();
    // Its sources are a file beside it.
    if (extension === 'zip') await click(tab, '::-p-text(With the sources of its figures)');
    await click(tab, named(`Download as ${name}`));
    const file = `report-2026-02-01-2026-02-12.${extension}`;
    await expect.poll(() => readdir(folder)).toContain(file);
    expect((await readFile(join(folder, file))).subarray(0, start.length).toString()).toBe(start);
    expect(tab.faults).toEqual([]);
  });

  it('wait as long as the reporting API says, and show it', async () => {
    const slow = reporting.another({ config: { reportRatePerMinute: 1 } });
    const other = await openStand(executable, { config: { reportingUrl: await listen(slow) } });
    const { tab: waiting } = await openAs(other, { role: 'member' });
    await waiting.goTo('/reports');
    await waiting.page.locator('input[type=password]').fill(await createReportToken(reporting.database));
    await click(waiting, named('Use this token'));
    await click(waiting, named('Run report'));
    await waiting.page.waitForSelector('::-p-text(No data for this period)');
    await click(waiting, named('Run report'));
    await waiting.page.waitForSelector('::-p-text(You can run the next report in)');
    const isDisabled = await waiting.page.$eval('form button[type=submit]', (button) =>
      button.hasAttribute('disabled'),
    );
    expect(isDisabled).toBe(true);
    expect(waiting.faults).toEqual([]);
    await other.close();
  });

  it('look right in every look', async () => {
    await begin();
    await click(tab, 'input[type=checkbox][value=domain]');
    await click(tab, named('Add a filter group'));
    await tab.page.type('input[aria-label=Values]', 'news.example');
    await tab.page.keyboard.press('Enter');
    await make();
    await tab.page.waitForSelector('path[data-line]');
    expect(await findingsIn(tab.page, 'report-made', someLooks)).toEqual([]);
    expect(tab.faults).toEqual([]);
  });
});

async function listen(app: ReportWorld['app']): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}
