import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHttp } from '../stand/http.ts';
import type { Stand } from '../stand/stand.ts';
import { makeStatistics, seenDomains } from './ad-stats.ts';

export interface ReportRow {
  readonly domain: string;
  readonly device: string;
  readonly impressions: number;
  readonly earnings: number;
  readonly earnings_change: number | null;
  readonly ecpm: number;
}

export interface DemoReport {
  readonly data: readonly ReportRow[];
  readonly meta: {
    readonly start_date: string;
    readonly end_date: string;
    readonly currency: string;
    readonly complete_until: string | null;
    readonly rates: readonly {
      readonly source: string;
      readonly first_day: string;
      readonly last_day: string;
    }[];
    readonly totals: Omit<ReportRow, 'domain' | 'device'>;
  };
}

export interface Reported {
  readonly report: DemoReport;
  /** The files' own sum over the same rows. */
  readonly impressions: number;
}

/** As an operator and a publisher would: statistics and rates in, a token out, and a report through the endpoint. */
export async function makeReport(stand: Stand): Promise<Reported> {
  const statistics = makeStatistics(Date.now());
  const files = { stats: join(stand.dataFolder, 'ad-stats.csv'), rates: join(stand.dataFolder, 'rates.csv') };
  await writeFile(files.stats, statistics.csv);
  await writeFile(files.rates, statistics.rates);
  await stand.cli(['fx', 'import', '--source', 'demo', files.rates]);
  await stand.cli(['ad-stats', 'import', '--complete-until', statistics.completeUntil, files.stats]);
  await Promise.all(Object.values(files).map((file) => rm(file)));
  const token = await issueToken(stand);
  const { post } = createHttp(`${stand.reportingUrl}/api/v1`, token);
  const report = await post<DemoReport>('/reports/generate', {
    dimensions: ['domain', 'device'],
    metrics: ['impressions', 'earnings', 'ecpm'],
    currency: 'EUR',
    selectedDate: statistics.selectedDate,
    sort: [{ by: 'earnings', direction: 'desc' }],
    totals: true,
    compare_to: 'previous_period',
  });
  return { report, impressions: statistics.impressions };
}

async function issueToken(stand: Stand): Promise<string> {
  const owner = ['--email', 'editor@news.example', '--organization', 'Daily Example'];
  const domains = seenDomains.flatMap((domain) => ['--domain', domain]);
  const issued = await stand.cli(['report-token', 'issue', ...owner, ...domains, '--json']);
  return (JSON.parse(issued) as { token: string }).token;
}

/** Lines of at most 80 characters. */
export function reportLines({ data, meta }: DemoReport): string[] {
  const line = (row: Omit<ReportRow, 'domain' | 'device'>, domain: string, device: string): string =>
    [
      domain.padEnd(18),
      device.padEnd(9),
      row.impressions.toLocaleString('en').padStart(12),
      money(row.earnings).padStart(11),
      money(row.ecpm).padStart(8),
      changeOf(row.earnings_change).padStart(11),
    ].join('');
  const head = `${'domain'.padEnd(18)}${'device'.padEnd(9)}${'impressions'.padStart(12)}${'earnings'.padStart(11)}${'eCPM'.padStart(8)}${'earnings ±'.padStart(11)}`;
  const rule = '─'.repeat(head.length);
  const [rates] = meta.rates;
  return [
    `Report (POST /api/v1/reports/generate), ${meta.start_date} to ${meta.end_date}, ${meta.currency}`,
    '',
    ...[
      head,
      rule,
      ...data.map((row) => line(row, row.domain, row.device)),
      rule,
      line(meta.totals, 'total', ''),
    ].map((text) => `  ${text}`),
    '',
    `  Compared with the two weeks before. Complete until ${meta.complete_until?.slice(0, 16).replace('T', ' ') ?? '?'} UTC.`,
    ...(rates === undefined
      ? []
      : [
          `  USD converted day by day with the rates of "${rates.source}", ${rates.first_day} to ${rates.last_day}.`,
        ]),
    '  The token sees these two domains: a third one is not in the report.',
  ];
}

const money = (amount: number): string =>
  amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const changeOf = (percent: number | null): string =>
  percent === null ? 'new' : `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)} %`;
