import { type Command, InvalidArgumentError, Option } from 'commander';
import { counted } from '../../../engine/contract/counted.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { money, number, percentText } from '../../../engine/kit/command-line/numbers.ts';
import { print, printJson, printNote } from '../../../engine/kit/command-line/terminal.ts';
import { tableOf } from '../table.ts';
import { bodyOf } from './answer.ts';
import { listMuted, muteSeries, noteReason, type SeriesOption } from './explain-notes.ts';
import { wholeOf, zoneOf } from './option-parsers.ts';
import { dayOf, daysOf, type PeriodOptions, withPeriodOptions } from './period-options.ts';
import { answered, noReportingAt, openReportingApi } from './reporting-api.ts';
import { notesOf, type ReportNotes } from './show-report.ts';

const token = `
The token comes from BROADSIDE_REPORT_TOKEN (the environment or .env); "broadside report-token issue" makes one. It decides
which domains and wholesalers the answer is about.`;

interface SharedOptions extends PeriodOptions {
  readonly currency: string;
  readonly timeZone: string;
  readonly minAmount?: number;
  readonly reporting?: string;
  readonly json?: boolean;
}

const withShared = (command: Command): Command =>
  withPeriodOptions(command)
    .addOption(new Option('--currency <code>', 'of amounts').choices(['EUR', 'USD']).default('EUR'))
    .option('--time-zone <zone>', 'where days begin', zoneOf, 'UTC')
    .option('--min-amount <amount>', 'the least difference of money', amountOf)
    .option('--reporting <url>', 'where the reporting API is (default: BROADSIDE_REPORTING_URL)')
    .option('--json', 'print JSON');

function amountOf(text: string): number {
  if (/^\d{1,9}(\.\d{1,6})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('must be an amount, such as 5 or 0.50.');
}

export function addDiscrepanciesCommand(program: Command): void {
  withShared(
    program
      .command('discrepancies')
      .description('Compares two sources of ad statistics, by day and domain.')
      .argument('<first>', 'a source, as its import named it: percentages are of it')
      .argument('<second>', 'another one'),
  )
    .option('--min-percent <percent>', 'and the least difference in percent of the first', amountOf)
    .option('--limit <n>', 'how many rows: 1,000 at most (default: 100)', wholeOf)
    .option('--offset <n>', 'leave out this many of the largest', wholeOf)
    .addOption(
      new Option('--note <reason>', 'note why a row differs, with --day and --domain').conflicts(
        'removeNote',
      ),
    )
    .option('--remove-note', 'remove what is noted on it')
    .option('--day <date>', 'of the row', dayOf)
    .option('--domain <domain>', 'of the row')
    .addHelpText(
      'after',
      `${token}

Examples:
  broadside discrepancies gam prebid --period last-month
  broadside discrepancies gam prebid --from 2026-01-01 --to 2026-01-31 --min-amount 5 --min-percent 2
  broadside discrepancies gam prebid --day 2026-01-14 --domain news.example --note "No tag until noon"
  broadside discrepancies gam prebid --period yesterday --json | jq '.data[] | select(.note == null)'`,
    )
    .action(discrepancies);
}

export function addAnomaliesCommand(program: Command): void {
  withShared(
    program
      .command('anomalies')
      .description('Finds unusual earnings of a domain, product and country, by day.'),
  )
    .option('--source-days', 'count days of ad servers that have no hours as they are, in another time zone')
    .option('--mute <domain,product,country>', 'do not show this series, up to --until', seriesOf)
    .option('--until <date>', 'the last day that is muted', dayOf)
    .option('--reason <text>', 'why it is muted')
    .option('--unmute <domain,product,country>', 'show it again', seriesOf)
    .option('--muted', 'list what is muted')
    .addHelpText(
      'after',
      `${token} A day is compared with the same weekdays of the eight weeks before it.

Examples:
  broadside anomalies --period yesterday
  broadside anomalies --period last-7-days --min-amount 50 --currency USD
  broadside anomalies --mute "news.example,standard display,DE" --until 2026-02-28 --reason Relaunch
  broadside anomalies --period yesterday --json | jq '.data[].parts'`,
    )
    .action(anomalies);
}

interface Note {
  readonly reason: string;
  readonly written_by: string | null;
}
interface Discrepancies {
  readonly data: readonly {
    readonly day: string;
    readonly domain: string;
    readonly first_earnings: number;
    readonly second_earnings: number;
    readonly earnings_difference: number;
    readonly earnings_percent: number | null;
    readonly impressions_percent: number | null;
    readonly missing: 'first' | 'second' | null;
    readonly note: Note | null;
  }[];
  readonly meta: ReportNotes & { readonly compared: number; readonly next_offset: number | null };
}

interface DiscrepanciesOptions extends SharedOptions {
  readonly note?: string;
  readonly removeNote?: boolean;
  readonly day?: string;
  readonly domain?: string;
  readonly minPercent?: number;
  readonly limit?: number;
  readonly offset?: number;
}

const optionOf = {
  sources: 'the sources',
  selectedDate: '--from and --to',
  timezone: '--time-zone',
  min_amount: '--min-amount',
  min_percent: '--min-percent',
  limit: '--limit',
  offset: '--offset',
};

async function discrepancies(first: string, second: string, options: DiscrepanciesOptions): Promise<void> {
  const { note = null, removeNote, day, domain } = options;
  if (note !== null || removeNote === true) {
    const place = { ...(day === undefined ? {} : { day }), ...(domain === undefined ? {} : { domain }) };
    return noteReason(openReportingApi(options.reporting), { sources: [first, second], ...place }, note);
  }
  const answer = await ask<Discrepancies>('/discrepancies', options, {
    sources: [first, second],
    ...(options.minPercent === undefined ? {} : { min_percent: options.minPercent }),
    ...(options.limit === undefined ? {} : { limit: options.limit }),
    ...(options.offset === undefined ? {} : { offset: options.offset }),
  });
  if (options.json === true) return printJson(answer);
  const { data, meta } = answer;
  if (meta.compared === 0)
    print(`The token sees no row of ${first} or ${second} from ${meta.start_date} to ${meta.end_date}.`);
  else if (data.length === 0) print(`No difference as large as that among ${counted(meta.compared, 'row')}.`);
  else
    print(
      tableOf(
        ['DAY', 'DOMAIN', first, second, `DIFFERENCE (${meta.currency})`, 'EARNINGS', 'IMPRESSIONS', 'NOTE'],
        data.map((row) => [
          ...[row.day, row.domain, money(row.first_earnings), money(row.second_earnings)],
          ...[
            signed(row.earnings_difference),
            percent(row.earnings_percent),
            percent(row.impressions_percent),
          ],
          noteText(row.note),
        ]),
      ),
    );
  for (const [source, which] of [
    [first, 'first'],
    [second, 'second'],
  ] as const)
    if (data.length > 0 && data.every(({ missing }) => missing === which))
      printNote(`None of them has a row of ${source}: check its name.`);
  const { next_offset: next, total_count: total } = meta;
  if (next !== null)
    printNote(
      `${number(data.length)} of ${counted(total, 'row')} that differ are shown: --offset ${next} shows the next ones, --limit up to 1,000 at a time.`,
    );
  for (const note of notesOf({ ...meta, total_count: meta.count })) printNote(note);
}

const noteText = (note: Note | null): string =>
  note === null ? '' : `${note.reason.replaceAll(/\s+/g, ' ')} (${note.written_by ?? 'a deleted account'})`;

interface Anomalies {
  readonly data: readonly {
    readonly day: string;
    readonly domain: string;
    readonly product: string;
    readonly country: string;
    readonly earnings: number;
    readonly low: number;
    readonly high: number;
    readonly difference: number;
    readonly parts: readonly {
      readonly dimension: string;
      readonly value: string;
      readonly difference: number;
    }[];
  }[];
  readonly meta: Omit<ReportNotes, 'total_count'> & {
    readonly judged_days: readonly {
      readonly day: string;
      readonly found: number;
      readonly muted: number;
      readonly without_history: number;
    }[];
    readonly days_without_rows: readonly string[];
  };
}

interface AnomaliesOptions extends SharedOptions {
  readonly sourceDays?: boolean;
  readonly mute?: SeriesOption;
  readonly unmute?: SeriesOption;
  readonly muted?: boolean;
  readonly until?: string;
  readonly reason?: string;
}

/** A product may have commas in its name; a domain and a country have none. */
function seriesOf(text: string): SeriesOption {
  const [domain = '', ...rest] = text.split(',');
  const country = rest.pop();
  if (domain !== '' && country !== undefined && rest.length > 0)
    return { domain, product: rest.join(','), country };
  throw new InvalidArgumentError(
    'must be domain,product,country; what is not stated is left empty: a.example,,DE.',
  );
}

async function anomalies(options: AnomaliesOptions): Promise<void> {
  const { mute, unmute, muted, until, reason } = options;
  if (mute !== undefined) {
    if (until === undefined) throw new CliError('name the last day that is muted with --until');
    return muteSeries(openReportingApi(options.reporting), mute, until, reason);
  }
  if (unmute !== undefined) return muteSeries(openReportingApi(options.reporting), unmute, null);
  if (muted === true) return listMuted(openReportingApi(options.reporting), options.json === true);
  const answer = await ask<Anomalies>('/anomalies', options, {
    ...(options.sourceDays === true ? { source_days: true } : {}),
  });
  if (options.json === true) return printJson(answer);
  const { data, meta } = answer;
  if (data.length === 0) print(`Nothing unusual from ${meta.start_date} to ${meta.end_date}.`);
  else
    print(
      tableOf(
        [
          'DAY',
          'DOMAIN',
          'PRODUCT',
          'COUNTRY',
          `EARNED (${meta.currency})`,
          'USUAL',
          'DIFFERENCE',
          'MOST OF IT',
        ],
        data.map((row) => [
          ...[row.day, row.domain, row.product, row.country, money(row.earnings)],
          ...[`${money(row.low)} to ${money(row.high)}`, signed(row.difference)],
          row.parts
            .slice(0, 1)
            .map(
              ({ dimension, value, difference }) =>
                `${dimension} ${value === '' ? '–' : value} ${signed(difference)}`,
            )
            .join(''),
        ]),
      ),
    );
  const shown = data.length;
  const found = meta.judged_days.reduce((sum, day) => sum + day.found, 0);
  for (const note of [...notesOf({ ...meta, count: shown, total_count: found }), ...knownTooLittle(meta)])
    printNote(note);
}

function knownTooLittle({ judged_days: days, days_without_rows: empty }: Anomalies['meta']): string[] {
  const muted = days.reduce((sum, day) => sum + day.muted, 0);
  const young = Math.max(0, ...days.map((day) => day.without_history));
  return [
    ...(muted === 0 ? [] : [`${counted(muted, 'muted one')} not shown.`]),
    ...(young === 0
      ? []
      : [
          `Nothing is said of ${counted(young, 'series', 'series')} with fewer than four such weekdays before.`,
        ]),
    ...(empty.length === 0 ? [] : [`No rows at all: ${empty.join(', ')}.`]),
  ];
}

async function ask<Answer>(path: string, options: SharedOptions, body: object): Promise<Answer> {
  const api = openReportingApi(options.reporting);
  const { currency, minAmount, timeZone: timezone } = options;
  const response = await api.send('POST', path, {
    body: {
      ...body,
      currency,
      timezone,
      selectedDate: daysOf(options, timezone),
      ...(minAmount === undefined ? {} : { min_amount: minAmount }),
    },
  });
  if (response.status === 404) throw noReportingAt(api.url);
  return (await bodyOf(answered(response), optionOf)) as unknown as Answer;
}

const signed = (value: number): string => `${value > 0 ? '+' : ''}${money(value)}`;
const percent = (value: number | null): string =>
  value === null ? '–' : `${value > 0 ? '+' : ''}${percentText(value)}`;
