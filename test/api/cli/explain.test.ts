// tier: postgres
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createReportToken, createTestReporting, explainsNothing } from '../../reporting/support.ts';
import { runCliHere } from '../../support/run-cli-here.ts';

const meta = {
  ...{
    count: 1,
    total_count: 3,
    next_offset: 1,
    compared: 31,
    start_date: '2026-01-30',
    end_date: '2026-01-31',
    currency: 'EUR',
  },
  ...{ timezone: 'UTC', old_rates: [], left_out: [{ currency: 'SEK', rows: 3 }], rates: [], source_days: [] },
};
const discrepancy = {
  ...{
    day: '2026-01-30',
    domain: 'news.example\u001b[31m',
    missing: null,
    first_impressions: 10,
    first_earnings: 1_200.5,
  },
  ...{
    second_impressions: 9,
    second_earnings: 1_100.25,
    impressions_difference: -1,
    impressions_percent: -10,
  },
  ...{ earnings_difference: -100.25, earnings_percent: null },
  note: { reason: 'Tag\nmissing', written_by: 'Ada', written_at: '2026-02-01T00:00:00.000Z', version: 1 },
};

describe('broadside discrepancies and anomalies', async () => {
  const asked: object[] = [];
  const place = ['--day', '2026-01-30', '--domain', 'news.example'];
  const reporting = await createTestReporting({
    explain: {
      ...explainsNothing,
      sees: async () => true,
      seen: async (_asker, series) => [...series],
      compareSources: async (request) => {
        asked.push(request);
        const missing = request.sources.includes('gma') ? 'second' : null;
        const data = [{ ...discrepancy, missing }];
        return { kind: 'compared', json: JSON.stringify({ status: 'success', data, meta }) };
      },
      findAnomalies: async (request) => {
        asked.push(request);
        return {
          kind: 'found',
          data: [
            {
              ...{
                day: '2026-01-31',
                domain: 'news.example',
                product: 'display',
                country: 'DE',
                earnings: 12.5,
              },
              ...{ low: 71.05, high: 97.35, difference: -71.7 },
              parts: [{ dimension: 'device', value: 'mobile', difference: -69.3 }],
            },
          ],
          meta: {
            ...{ ...meta, left_out: [], days_without_rows: ['2026-01-30'] },
            judged_days: [{ day: '2026-01-31', found: 3, muted: 1, without_history: 2 }],
          },
        };
      },
    },
  });
  const url = await reporting.app.listen({ host: '127.0.0.1', port: 0 });
  const token = await createReportToken(reporting.database);
  const env = { BROADSIDE_REPORTING_URL: url, BROADSIDE_REPORT_TOKEN: token };
  afterAll(() => reporting.close());
  beforeEach(() => void asked.splice(0));
  const run = (...args: readonly string[]) => runCliHere(args, { cwd: import.meta.dirname, env });
  const days = ['--from', '2026-01-30', '--to', '2026-01-31'];

  it('ask as the options say', async () => {
    await run(
      'discrepancies',
      'gam',
      'prebid',
      ...days,
      '--min-amount',
      '5',
      '--min-percent',
      '2.5',
      ...['--limit', '7', '--offset', '14'],
    );
    await run('anomalies', ...days, '--currency', 'USD', '--time-zone', 'Europe/Berlin', '--source-days');
    const selectedDate = ['2026-01-30', '2026-01-31'];
    expect(asked).toEqual([
      {
        ...{ sources: ['gam', 'prebid'], currency: 'EUR', timezone: 'UTC', selectedDate },
        ...{ min_amount: 5, min_percent: 2.5, limit: 7, offset: 14 },
      },
      { currency: 'USD', timezone: 'Europe/Berlin', selectedDate, source_days: true },
    ]);
  });

  it('print tables, and what a reader must know of them', async () => {
    const compared = await run('discrepancies', 'gam', 'prebid', ...days);
    expect(compared.code, compared.err).toBe(0);
    expect(compared.out).toContain('1,200.50');
    expect(compared.out).toContain('-100.25');
    expect(compared.out).toContain('Tag missing (Ada)');
    expect(compared.out).not.toContain('\u001b[31m');
    expect(compared.err).toMatch(/1 of 3 rows that differ are shown: --offset 1 shows the next ones/);
    expect(compared.err).toContain('3 rows in SEK');
    expect(compared.err).not.toContain('check its name');
    const misspelt = await run('discrepancies', 'prebid', 'gma', ...days);
    expect(misspelt.err).toContain('None of them has a row of gma: check its name.');
    const found = await run('anomalies', ...days);
    expect(found.out).toContain('71.05 to 97.35');
    expect(found.out).toContain('device mobile -69.30');
    expect(found.err).toContain('1 muted one not shown.');
    expect(found.err).toContain('2 series with fewer than four such weekdays');
    expect(found.err).toContain('No rows at all: 2026-01-30.');
  });

  it('keep a reason, and remove it, where the row has such a version', async () => {
    const pair = ['discrepancies', 'gam', 'prebid'];
    expect((await run(...pair, '--note', 'x')).err).toContain('--day and --domain');
    // The made-up row says that its note is of version 1, and here is none.
    expect((await run(...pair, ...place, '--note', 'x')).err).toContain('changed meanwhile');
    await reporting.database.query(
      `INSERT INTO discrepancy_notes (organization_id, day, domain, first_source, second_source, reason)
       SELECT id, '2026-01-30', 'news.example', 'gam', 'prebid', 'old' FROM organizations`,
    );
    const noted = await run(...pair, ...place, '--note', 'No tag');
    expect([noted.code, noted.out, noted.err]).toEqual([
      0,
      expect.stringContaining('Noted on news.example of 2026-01-30.'),
      expect.stringContaining('missing (Ada)'),
    ]);
    expect(await reporting.database.query('SELECT reason, version FROM discrepancy_notes')).toEqual([
      { reason: 'No tag', version: 2 },
    ]);
  });

  it('mute a series until a day, list it, and show it again', async () => {
    const series = 'news.example,display, wide,DE';
    expect((await run('anomalies', '--mute', series)).err).toContain('--until');
    const muted = await run('anomalies', '--mute', series, '--until', '2026-02-28', '--reason', 'Relaunch');
    expect(muted.out, muted.err).toContain('is muted until 2026-02-28');
    const listed = await run('anomalies', '--muted');
    expect(listed.out).toMatch(/news\.example +display, wide +DE +2026-02-28 +Test +Relaunch/);
    await run('anomalies', '--unmute', series);
    expect((await run('anomalies', '--muted')).out).toContain('Nothing is muted.');
    expect((await run('anomalies', '--mute', 'x', '--until', '2026-02-28')).err).toContain(
      'domain,product,country',
    );
  });

  it('name the option that is wrong', async () => {
    const same = await run('discrepancies', 'gam', 'gam', ...days);
    expect([same.code, same.err]).toEqual([1, expect.stringContaining('two different sources')]);
    const months = await run('discrepancies', 'gam', 'prebid', '--from', '2025-01-01', '--to', '2026-01-01');
    expect(months.err).toMatch(/at most 3 months after the start: 2025-04-01\.\n$/);
    expect((await run('anomalies', '--min-amount', 'x')).err).toContain('must be an amount');
    const long = await run('anomalies', '--from', '2026-01-01', '--to', '2026-02-28');
    expect(long.err).toContain('31 days');
  });
});
