import { type Command, InvalidArgumentError, Option } from 'commander';
import { deliveryStatuses } from '../../../engine/contract/delivery.ts';
import { print, printJson, say } from '../../../engine/kit/command-line/terminal.ts';
import type { Answer } from '../../http-client/client.ts';
import { tableOf } from '../table.ts';
import { bodyOf, noteOlder } from './answer.ts';
import { changeDelivery } from './change-delivery.ts';
import { connect, type RemoteOptions, remoteHelp, withRemoteOptions } from './connection.ts';
import { correctDelivery } from './correct-delivery.ts';
import { limitOf } from './option-parsers.ts';
import { subscriptionIdOf } from './show-subscription.ts';
import { traceDelivery } from './trace-delivery.ts';
import { translationsOption } from './translations-file.ts';
import {
  type Delivery,
  doneOf,
  funnelLines,
  readDelivery,
  summaryOf,
  watchDelivery,
} from './watch-delivery.ts';

type Listed = Answer<'/api/v1/client/apps/{identifier}/deliveries', 'get'>['data'][number];

const help = `${remoteHelp}

Exit codes of watch: 0 success, 1 failed or cancelled, 3 partly failed.

Examples:
  broadside deliveries list --app news-k3x9qa --status processing
  broadside deliveries show --app news-k3x9qa 4711
  broadside deliveries trace --app news-k3x9qa 4711 90210
  broadside deliveries watch --app news-k3x9qa 4711
  broadside deliveries watch --app news-k3x9qa 4711 --json | jq .success_count
  broadside deliveries cancel --app news-k3x9qa 4711
  broadside deliveries change --app news-k3x9qa 4711 --at 2026-01-31T18:00:00+00:00
  broadside deliveries correct --app news-k3x9qa 4711 --title "The ferries sail" --body "An earlier notification was wrong."`;

export function addDeliveriesCommand(program: Command): void {
  const deliveries = program
    .command('deliveries')
    .description('Deliveries: list, show, trace, watch, change, cancel, correct.')
    .addHelpText('afterAll', help);
  const ofApp = (name: string, description: string): Command =>
    withRemoteOptions(
      deliveries.command(name).description(description).requiredOption('--app <identifier>', 'the app'),
    );
  ofApp('list', 'Lists the newest deliveries.')
    .addOption(new Option('--status <status>', 'only deliveries with this status').choices(deliveryStatuses))
    .option('--limit <n>', 'how many, at most 100', limitOf, 25)
    .action(listDeliveries);
  ofApp('show', 'Shows a delivery: how it went, and how many readers saw, clicked and closed it.')
    .argument('<id>', 'the delivery', deliveryIdOf)
    .action(show);
  ofApp('trace', 'Explains the result of a delivery for one subscription.')
    .argument('<id>', 'the delivery', deliveryIdOf)
    .argument('<subscription>', 'its id', subscriptionIdOf)
    .action(traceDelivery);
  ofApp('watch', 'Follows a delivery until it ends.')
    .argument('<id>', 'the delivery', deliveryIdOf)
    .action(watch);
  ofApp('cancel', 'Stops sending; messages already sent stay sent.')
    .argument('<id>', 'the delivery', deliveryIdOf)
    .action(cancel);
  ofApp('change', 'Changes what waits for its time: another text, another time, or now.')
    .argument('<id>', 'the delivery', deliveryIdOf)
    .option('--title <text>', 'first line of the notification')
    .option('--body <text>', 'its text')
    .option('--url <url>', 'where a click leads')
    .option('--name <text>', 'internal label')
    .option('--at <time>', 'another time, ISO 8601')
    .option('--now', 'sends it now')
    .option('--expires <time>', 'nothing is sent after it, ISO 8601')
    .option('--language <tag>', 'language of the texts, such as en or pt-BR')
    .option(...translationsOption)
    .action(changeDelivery);
  ofApp('correct', 'Stops it, and sends another text to those who got it, in place of the first.')
    .argument('<id>', 'the delivery', deliveryIdOf)
    .option('--title <text>', 'first line of the notification (default: as before)')
    .option('--body <text>', 'its text (default: as before)')
    .option('--url <url>', 'where a click leads (default: as before)')
    .option('--name <text>', 'internal label')
    .option(...translationsOption)
    .option('--main-text-only', 'to everyone in the main text, where the first one has translations')
    .action(correctDelivery);
}

interface AppOptions extends RemoteOptions {
  readonly app: string;
}

interface ListOptions extends AppOptions {
  readonly status?: Listed['status'];
  readonly limit: number;
}

async function listDeliveries({ app, status, limit, ...options }: ListOptions): Promise<void> {
  const query = { per_page: limit, ...(status === undefined ? {} : { status }) };
  const params = { path: { identifier: app }, query };
  const { data, meta } = await bodyOf(
    connect(options).GET('/api/v1/client/apps/{identifier}/deliveries', { params }),
  );
  if (options.json === true) return printJson(data);
  if (data.length === 0) return print('No such delivery.');
  const rows = data.map((each) => [
    each.id,
    each.name,
    each.status,
    doneOf(each),
    each.total_subscribers,
    each.created_at,
  ]);
  print(tableOf(['ID', 'NAME', 'STATUS', 'DONE', 'AUDIENCE', 'CREATED'], rows));
  noteOlder(meta.total - data.length);
}

async function show(id: number, { app, ...options }: AppOptions): Promise<void> {
  const json = options.json === true;
  const delivery = await readDelivery({ client: connect(options), identifier: app, id, json });
  say(json, delivery, textOf(delivery));
}

const textOf = (delivery: Delivery): string[] => [...summaryOf(delivery), ...funnelLines(delivery)];

async function watch(id: number, { app, ...options }: AppOptions): Promise<void> {
  const json = options.json === true;
  const delivery = await watchDelivery({ client: connect(options), identifier: app, id, json });
  if (!json) print(textOf(delivery));
  process.exitCode = exitCodeOf(delivery.status);
}

const exitCodes: Readonly<Partial<Record<Listed['status'], number>>> = { success: 0, partial: 3 };
export const exitCodeOf = (status: Listed['status']): number => exitCodes[status] ?? 1;

async function cancel(id: number, { app, ...options }: AppOptions): Promise<void> {
  const params = { path: { identifier: app, delivery_id: String(id) } };
  const path = '/api/v1/client/apps/{identifier}/deliveries/{delivery_id}/cancel';
  const { data } = await bodyOf(connect(options).POST(path, { params }));
  say(options.json, data, summaryOf(data));
}

function deliveryIdOf(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('must be a delivery’s id, a whole number.');
}
