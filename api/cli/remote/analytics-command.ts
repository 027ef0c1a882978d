import { type Command, InvalidArgumentError, Option } from 'commander';
import { counted } from '../../../engine/contract/counted.ts';
import { money } from '../../../engine/kit/command-line/numbers.ts';
import { print, printJson, printNote, rowsOut } from '../../../engine/kit/command-line/terminal.ts';
import type { Answer as Answered, BroadsideClient } from '../../http-client/client.ts';
import { tableOf } from '../table.ts';
import { bodyOf } from './answer.ts';
import { connect, type RemoteOptions, remoteHelp, withRemoteOptions } from './connection.ts';
import { csvLine } from './csv.ts';
import { daysOf, type PeriodOptions, withPeriodOptions } from './period-options.ts';
import { amounts } from './show-report.ts';

const help = `${remoteHelp}

Days are those of UTC. The dashboard shows the same figures; they are at most 5 minutes old.

Examples:
  broadside analytics overview --app news-k3x9qa
  broadside analytics subscribers --app news-k3x9qa --period last-30-days
  broadside analytics deliveries --app news-k3x9qa --from 2026-01-01 --to 2026-01-31 --csv > january.csv
  broadside analytics engagement --app news-k3x9qa --period yesterday --json
  broadside analytics funnel --app news-k3x9qa --period month-to-date
  broadside analytics push-services --app news-k3x9qa
  broadside analytics revenue --app news-k3x9qa --period last-month --currency USD
  broadside analytics delivery-revenue --app news-k3x9qa --period last-7-days --impressions-per-visit 12 --csv`;

const path = '/api/v1/client/apps/{identifier}/analytics';

type DeliveryRevenue = Answered<`${typeof path}/revenue/deliveries`, 'get'>;

interface Asked {
  readonly client: BroadsideClient;
  readonly params: {
    readonly path: { readonly identifier: string };
    readonly query: { readonly from: string; readonly to: string };
  };
  readonly currency: 'EUR' | 'USD';
  readonly perVisit: number | undefined;
}

interface Answer {
  readonly rows: readonly object[];
  readonly whole: object;
  /** What a reader of the rows must know. */
  readonly note?: string | null;
}

interface Question {
  readonly description: string;
  readonly ask: (asked: Asked) => Promise<Answer>;
}

const questions: Readonly<Record<string, Question>> = {
  subscribers: {
    description: 'Shows who came and who left, by day.',
    ask: async ({ client, params }) => {
      const whole = await bodyOf(client.GET(`${path}/subscribers`, { params }), optionOf);
      return { whole, rows: whole.growth };
    },
  },
  deliveries: {
    description: 'Shows deliveries, messages and clicks, by day.',
    ask: async ({ client, params }) => {
      const whole = await bodyOf(client.GET(`${path}/deliveries`, { params }), optionOf);
      return { whole, rows: whole.daily_stats };
    },
  },
  engagement: {
    description: 'Shows click rates, by day.',
    ask: async ({ client, params }) => {
      const whole = await bodyOf(client.GET(`${path}/engagement`, { params }), optionOf);
      return { whole, rows: whole.engagement_by_day };
    },
  },
  funnel: {
    description: 'Shows how many readers saw, clicked and closed, by day.',
    ask: async ({ client, params }) => {
      const whole = await bodyOf(client.GET(`${path}/funnel`, { params }), optionOf);
      return { whole, rows: whole.funnel_by_day.map(({ unproven: _, ...counted }) => counted) };
    },
  },
  'push-services': {
    description: 'Shows messages by push service and day.',
    ask: async ({ client, params }) => {
      const whole = await bodyOf(client.GET(`${path}/push-services`, { params }), optionOf);
      const missing = whole.unrecorded;
      return {
        whole,
        rows: whole.daily_stats,
        note: missing === 0 ? null : `${missing.toLocaleString('en-US')} messages are not counted yet.`,
      };
    },
  },
  revenue: {
    description: 'Shows what the site earned, beside messages and clicks, by day.',
    ask: async ({ client, params: { path: of, query }, currency }) => {
      const params = { path: of, query: { ...query, currency } };
      const whole = await bodyOf(client.GET(`${path}/revenue`, { params }), optionOf);
      const { granted, site } = whole.meta;
      return { whole, rows: whole.revenue_by_day, note: granted ? null : notGranted(site) };
    },
  },
  'delivery-revenue': {
    description: 'Estimates what each delivery earned, by the hours of its clicks.',
    ask: async ({ client, params: { path: of, query }, currency, perVisit }) => {
      const asked = { ...query, currency, limit: MOST_DELIVERIES };
      const bound = perVisit === undefined ? {} : { impressions_per_visit: perVisit };
      const params = { path: of, query: { ...asked, ...bound } };
      const whole = await bodyOf(client.GET(`${path}/revenue/deliveries`, { params }), {
        ...optionOf,
        impressions_per_visit: '--impressions-per-visit',
      });
      const { granted, site } = whole.meta;
      return { whole, rows: whole.deliveries, note: granted ? estimateNote(whole) : notGranted(site) };
    },
  },
};

const MOST_DELIVERIES = 1_000;

const notGranted = (site: string): string =>
  `The operator has not granted your organization the earnings of ${site}.`;

function estimateNote({ unassigned, others, meta }: DeliveryRevenue): string {
  const earned = (amount: number): string => `${money(amount)} ${meta.currency}`;
  return [
    'An estimate: other visitors of the same hours are in it',
    meta.impressions_per_visit === null ? '; --impressions-per-visit bounds it.' : '.',
    ` ${earned(unassigned.earnings)} of ${meta.site} fall to no delivery.`,
    others.deliveries === 0
      ? ''
      : ` ${counted(others.deliveries, 'further delivery', 'further deliveries')} earned ${earned(others.earnings)}.`,
  ].join('');
}

function wholeOf(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('must be a whole number from 1 to 1000.');
}

const optionOf = { from: '--from', to: '--to' };

export function addAnalyticsCommand(program: Command): void {
  const analytics = program
    .command('analytics')
    .description('Analytics of an app: overview, and by day subscribers, deliveries, engagement, revenue.')
    .addHelpText('afterAll', help);
  const ofApp = (name: string, description: string): Command =>
    withRemoteOptions(
      analytics.command(name).description(description).requiredOption('--app <identifier>', 'the app'),
    );
  ofApp('overview', 'Shows subscribers, deliveries and clicks of an app as they are now.').action(overview);
  for (const [name, { description, ask }] of Object.entries(questions)) {
    const command = withPeriodOptions(ofApp(name, description)).option('--csv', 'print CSV');
    if (name.endsWith('revenue'))
      command.addOption(
        new Option('--currency <code>', 'of the earnings').choices(['EUR', 'USD']).default('EUR'),
      );
    if (name === 'delivery-revenue')
      command.option(
        '--impressions-per-visit <number>',
        'how many ad impressions a visit has at most',
        wholeOf,
      );
    command.action((options: AskOptions) => answer(ask, options));
  }
}

interface AppOptions extends RemoteOptions {
  readonly app: string;
}
interface AskOptions extends AppOptions, PeriodOptions {
  readonly csv?: boolean;
  readonly currency?: 'EUR' | 'USD';
  readonly impressionsPerVisit?: number;
}

async function answer(ask: Question['ask'], options: AskOptions): Promise<void> {
  const [from, to] = daysOf(options, 'UTC');
  const { rows, whole, note } = await ask({
    client: connect(options),
    params: { path: { identifier: options.app }, query: { from, to } },
    currency: options.currency ?? 'EUR',
    perVisit: options.impressionsPerVisit,
  });
  if (note) printNote(note);
  if (options.json === true) return printJson(whole);
  printRows(rows, options.csv === true, options.currency ?? 'EUR');
}

/** Columns have the names of the API's fields. */
function printRows(rows: readonly object[], asCsv: boolean, currency: string): void {
  const [first] = rows;
  if (first === undefined) {
    print('Nothing in these days.');
    return;
  }
  const names = Object.keys(first);
  if (asCsv) {
    const out = rowsOut();
    out.write(csvLine(names));
    for (const row of rows) out.write(csvLine(Object.values(row)));
    return;
  }
  const head = names.map((name) => {
    const title = name.replaceAll('_', ' ').toUpperCase();
    return amounts.has(name) ? `${title} (${currency})` : title;
  });
  const cells = rows.map((row) =>
    Object.entries(row).map(([name, value]: [string, string | number], column) =>
      amounts.has(name) ? money(Number(value)).padStart(head[column]?.length ?? 0) : value,
    ),
  );
  print(tableOf(head, cells));
}

async function overview({ app, ...options }: AppOptions): Promise<void> {
  const params = { path: { identifier: app } };
  const data = await bodyOf(connect(options).GET(`${path}/overview`, { params }));
  if (options.json === true) return printJson(data);
  const { subscribers_by_device: devices, subscribers_by_browser: browsers } = data;
  const { subscribers_by_country: countries, ...figures } = data;
  const single = Object.entries(figures).flatMap(([name, value]) =>
    typeof value === 'number' ? [[name.replaceAll('_', ' '), value] as const] : [],
  );
  print([
    ...tableOf(['', 'NOW'], single),
    '',
    ...tableOf(['DEVICE', 'ACTIVE'], Object.entries(devices)),
    '',
    ...tableOf(
      ['BROWSER', 'ACTIVE'],
      browsers.map(({ browser, count }) => [browser, count]),
    ),
    '',
    ...tableOf(
      ['COUNTRY', 'ACTIVE'],
      countries.map(({ country, count }) => [country ?? '', count]),
    ),
  ]);
}
