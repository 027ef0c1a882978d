// tier: postgres
import { Readable } from 'node:stream';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { daysOf } from '../../../api/cli/remote/period-options.ts';
import type { GenerateReport } from '../../../reporting/generate/generate.ts';
import type { ReportRequest } from '../../../reporting/report/request.ts';
import { createReportToken, createTestReporting, madeOf } from '../../reporting/support.ts';
import { runCliHere } from '../../support/run-cli-here.ts';

const rows = [
  { day: '2026-01-30', domain: 'news.example', impressions: 120_000, earnings: 84.5125, ecpm: 0.704271 },
  { day: '2026-01-31', domain: '=1+1\u001b[31m', impressions: 9, earnings: 0.5, ecpm: 55.555556 },
];
const meta = {
  ...{ start_date: '2026-01-30', end_date: '2026-01-31', currency: 'EUR', timezone: 'UTC' },
  ...{ total_count: 7, complete_until: '2026-01-31T23:00:00+00:00', restated: true, rates: [] },
  old_rates: [{ currency: 'SEK', rate_day: '2026-01-02', used_until: '2026-01-31' }],
  left_out: [{ currency: 'SEK', rows: 3 }],
  totals: { impressions: 120_009, earnings: 85.0125, ecpm: 0.708384 },
};

describe('broadside report', async () => {
  const asked: ReportRequest[] = [];
  const generateReport: GenerateReport = async (request) => {
    asked.push(request);
    const lines =
      request.format === 'csv'
        ? '"day","earnings"\r\n"2026-01-31",84.5\r\n'
        : rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    const made = madeOf(Readable.from([Buffer.from(lines)])) as Extract<
      Awaited<ReturnType<GenerateReport>>,
      { kind: 'made' }
    >;
    return { ...made, metaOf: (count) => JSON.stringify({ ...meta, count }) };
  };
  const reporting = await createTestReporting({ generateReport });
  const url = await reporting.app.listen({ host: '127.0.0.1', port: 0 });
  const token = await createReportToken(reporting.database);
  const env = { BROADSIDE_REPORTING_URL: url, BROADSIDE_REPORT_TOKEN: token };
  afterAll(() => reporting.close());
  beforeEach(() => void asked.splice(0));

  const run = (args: readonly string[], changes: Record<string, string> = {}) =>
    runCliHere(['report', ...args], { cwd: import.meta.dirname, env: { ...env, ...changes } });

  it('prints a table with a sum, two places of money, and what a reader must know of it', async () => {
    const { code, out, err } = await run([
      '--by',
      'day,domain',
      '--from',
      '2026-01-30',
      '--to',
      '2026-01-31',
    ]);
    expect(code).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^DAY +DOMAIN +IMPRESSIONS +EARNINGS \(EUR\) +ECPM \(EUR\)$/);
    expect(lines[2]).toMatch(/^2026-01-30 +news\.example +120,000 +84\.51 +0\.70$/);
    expect(lines.at(-1)).toMatch(/^total +120,009 +85\.01 +0\.71$/);
    expect(out).not.toContain('\u001b');
    expect(err).toMatch(/^The last exchange rate of SEK is of 2026-01-02: newer ones are missing\.\n/);
    expect(err).toContain('5 more rows are not shown.');
    expect(err).toContain('Complete until 2026-01-31T23:00:00+00:00.');
    expect(err).toContain('Not counted: 3 rows in SEK, of which there is no rate.');
    expect(asked).toMatchObject([
      {
        dimensions: ['day', 'domain'],
        metrics: ['impressions', 'earnings', 'ecpm'],
        selectedDate: ['2026-01-30', '2026-01-31'],
        currency: 'EUR',
        totals: true,
      },
    ]);
  });

  it('sends what was asked: filters, a sort, another period, a time zone', async () => {
    await run([
      ...[
        '--period',
        'yesterday',
        '--by',
        'ad_unit',
        '--metric',
        'earnings',
        '--currency',
        'USD',
        '--sort',
        'earnings',
      ],
      ...['--filter', 'country=DE,AT', '--filter', 'device=mobile', '--limit', '5'],
      ...['--compare', 'previous_period', '--time-zone', 'Europe/Berlin'],
    ]);
    const selected = daysOf({ period: 'yesterday' }, 'Europe/Berlin');
    const filter = (value: string, selectedValues: string[]) => ({
      ...{ value, type: 'dimension', comparator: 'in', selectedValues },
    });
    expect(asked).toMatchObject([
      {
        ...{
          dimensions: ['ad_unit'],
          metrics: ['earnings'],
          currency: 'USD',
          selectedDate: selected,
          limit: 5,
        },
        sort: [{ by: 'earnings', direction: 'desc' }],
        filter_groups: [
          { operator: 'or', filters: [filter('country', ['DE', 'AT']), filter('device', ['mobile'])] },
        ],
        ...{ compare_to: 'previous_period', timezone: 'Europe/Berlin' },
      },
    ]);
  });

  it('prints the whole answer as JSON, and CSV as the API makes it', async () => {
    const answer = JSON.parse((await run(['--json'])).out);
    expect(answer).toMatchObject({ data: rows, meta: { count: 2 } });
    const { out } = await run(['--csv']);
    expect(out).toBe('"day","earnings"\n"2026-01-31",84.5\n');
    expect(asked.at(-1)).toMatchObject({ format: 'csv' });
    expect((await run(['--csv', '--json'])).code).toBe(2);
  });

  it('names the option that is wrong, the token, and where nobody answers', async () => {
    expect((await run(['--by', 'ad_units'])).err).toMatch(/^broadside: .*--by|--by/);
    expect((await run(['--metric', 'money'])).err).toContain('--metric');
    expect((await run(['--filter', 'country'])).err).toContain('must be dimension=values');
    expect((await run(['--to', '2026-01-31'])).err).toContain('give the first day with --from, too');
    expect((await run([], { BROADSIDE_REPORT_TOKEN: '' })).err).toContain('"broadside report-token issue"');
    expect((await run([], { BROADSIDE_REPORT_TOKEN: `9|${'a'.repeat(43)}` })).err).toMatch(
      /^broadside: the report token is not valid: check BROADSIDE_REPORT_TOKEN/,
    );
    expect((await run(['--reporting', 'http://127.0.0.1:65531'])).err).toMatch(
      /^broadside: the reporting API does not answer \(.*ECONNREFUSED.*--reporting or BROADSIDE_REPORTING_URL/,
    );
    expect((await run(['--reporting', `${env.BROADSIDE_REPORTING_URL}/docs`])).err).toContain(
      'there is no reporting API at',
    );
  });
});

describe('the days of --period', () => {
  const nowMs = Date.parse('2026-03-01T23:30:00Z');
  it.each([
    ['today', 'UTC', '2026-03-01', '2026-03-01'],
    ['today', 'Europe/Berlin', '2026-03-02', '2026-03-02'],
    ['yesterday', 'UTC', '2026-02-28', '2026-02-28'],
    ['last-7-days', 'UTC', '2026-02-22', '2026-02-28'],
    ['last-30-days', 'UTC', '2026-01-30', '2026-02-28'],
    ['month-to-date', 'UTC', '2026-03-01', '2026-03-01'],
    ['last-month', 'Europe/Berlin', '2026-02-01', '2026-02-28'],
  ] as const)('%s in %s', (period, zone, from, to) => {
    expect(daysOf({ period }, zone, nowMs)).toEqual([from, to]);
  });

  it('are the last seven up to yesterday where none is named', () => {
    expect(daysOf({}, 'UTC', nowMs)).toEqual(['2026-02-22', '2026-02-28']);
  });
});
