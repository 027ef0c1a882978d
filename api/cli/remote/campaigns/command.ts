import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { campaignKinds, campaignStatuses, feedItemStatuses } from '../../../../engine/contract/campaign.ts';
import { urgencies } from '../../../../engine/contract/delivery.ts';
import { print, printJson, say } from '../../../../engine/kit/command-line/terminal.ts';
import { bodyOf, noteOlder } from '../answer.ts';
import { connect, type RemoteOptions, remoteHelp, withRemoteOptions } from '../connection.ts';
import { collect, idOf, limitOf, wholeOf, withoutUndefined } from '../option-parsers.ts';
import { printCampaignWarnings, printWarnings } from '../print-warnings.ts';
import { type CampaignFields, campaignBodyOf, optionOfField, type PlanFields, planOf } from './body.ts';
import {
  type Campaign,
  campaignTable,
  detailText,
  type FeedItem,
  forecastText,
  itemTable,
  summaryOf,
} from './show.ts';

const help = `${remoteHelp}

A campaign is a set of deliveries: a test of variants, a send by local time, a schedule, or (by --file) a feed.
--file takes a campaign as the API does, with all that options cannot say: buttons, and variants of their own.

Examples:
  broadside campaigns create --app news-k3x9qa --title "Storm hits the coast" --title "Trains stop at noon" \\
    --body "What to know" --url https://news.example.com/storm --test-percent 20 --decide-after 30
  broadside campaigns create --app news-k3x9qa --title "Good morning" --body "Your day" \\
    --url https://news.example.com/today --schedule "30 7 * * 1-5" --time-zone reader
  broadside campaigns preview --app news-k3x9qa --local-time 2026-11-24T08:00
  broadside campaigns create --app news-k3x9qa --file campaign.json --json
  broadside campaigns change --app news-k3x9qa 12 --file campaign.json
  broadside campaigns list --app news-k3x9qa --status running
  broadside campaigns show --app news-k3x9qa 12
  broadside campaigns winner --app news-k3x9qa 12 --variant 2
  broadside campaigns create --app news-k3x9qa --feed https://news.example.com/rss.xml --publish review
  broadside campaigns items --app news-k3x9qa 13 --status draft
  broadside campaigns approve --app news-k3x9qa 13 71 --title "Parliament votes tonight"
  broadside campaigns dismiss --app news-k3x9qa 13 72
  broadside campaigns cancel --app news-k3x9qa 12`;

const path = '/api/v1/client/apps/{identifier}/campaigns';
/** The deliveries that `show` lists. */
const DELIVERIES_SHOWN = 20;

export function addCampaignsCommand(program: Command): void {
  const campaigns = program
    .command('campaigns')
    .description('Campaigns: list, show, create, change, preview, winner, cancel; items of feeds.')
    .addHelpText('afterAll', help);
  const ofApp = (name: string, description: string): Command =>
    withRemoteOptions(
      campaigns.command(name).description(description).requiredOption('--app <identifier>', 'the app'),
    );
  ofApp('list', 'Lists the newest campaigns.')
    .addOption(new Option('--status <status>', 'only campaigns with this status').choices(campaignStatuses))
    .addOption(new Option('--kind <kind>', 'only campaigns of this kind').choices(campaignKinds))
    .option('--limit <n>', 'how many, at most 100', limitOf, 25)
    .action(listCampaigns);
  ofApp('show', 'Shows a campaign: its next step, its variants, its deliveries.')
    .argument('<id>', 'the campaign', idOf)
    .action(show);
  withCampaignOptions(ofApp('create', 'Creates a campaign.'))
    .option('--idempotency-key <key>', 'the same key never creates twice in 24 hours')
    .action(create);
  withCampaignOptions(ofApp('change', 'Replaces a campaign that has not started, or a feed.'))
    .argument('<id>', 'the campaign', idOf)
    .action(change);
  withAudienceOptions(
    withPlanOptions(ofApp('preview', 'Shows whom it would reach, and when. Creates nothing.')),
  )
    .option('--variants <n>', 'of a test (default: 2)', wholeOf)
    .action(preview);
  ofApp('winner', 'Names the winner of a test: the others get this variant.')
    .argument('<id>', 'the campaign', idOf)
    .requiredOption('--variant <n>', 'its number, from 1', idOf)
    .action(nameWinner);
  ofApp('items', 'Lists what a feed has brought: drafts, and what was sent or dismissed.')
    .argument('<id>', 'the campaign', idOf)
    .addOption(new Option('--status <status>', 'only items with this status').choices(feedItemStatuses))
    .option('--limit <n>', 'how many, at most 100', limitOf, 25)
    .action(listItems);
  ofApp('approve', 'Sends a draft of a feed.')
    .argument('<id>', 'the campaign', idOf)
    .argument('<item>', 'the draft', idOf)
    .option('--title <text>', 'instead of the drafted one')
    .option('--body <text>', 'instead of the drafted one')
    .action(approve);
  ofApp('dismiss', 'Drops a draft of a feed: it is never sent.')
    .argument('<id>', 'the campaign', idOf)
    .argument('<item>', 'the draft', idOf)
    .action(dismiss);
  ofApp('cancel', 'Stops a campaign and its deliveries; messages already sent stay sent.')
    .argument('<id>', 'the campaign', idOf)
    .action(cancel);
}

const withCampaignOptions = (command: Command): Command =>
  withAudienceOptions(
    withPlanOptions(
      command
        .option('--file <json>', 'the whole campaign; - reads standard input')
        .option('--name <text>', 'internal label (default: the first title)')
        .option('--title <text>', 'first line of the notification; several make a test', collect)
        .option('--body <text>', 'its text, once or for each variant', collect)
        .option('--url <url>', 'where a click leads, once or for each variant', collect)
        .option('--image <url>', 'PNG or JPG, once or for each variant', collect)
        .option('--icon <url>', 'likewise its own icon; of a feed, that of all its items', collect),
    ),
  )
    .option('--ttl <seconds>', 'how long push services keep it (default: the app’s)', wholeOf)
    .option('--topic <topic>', 'replaces older pushes of the same topic')
    .option('--rate <n>', 'at most this many messages per minute', wholeOf)
    .addOption(new Option('--urgency <urgency>', 'for the device’s battery').choices(urgencies))
    .option('--require-interaction', 'stays until the reader acts (Chrome, Edge)')
    .option('--ignore-frequency-cap', 'for news that every reader must see')
    .option('--rehearsal', 'to the real audience through the whole service, but nobody receives it');

const withAudienceOptions = (command: Command): Command =>
  command
    .option('--segment <id>', 'only this segment', idOf)
    .option('--category <id>', 'a delivery category: readers who chose only others do not get it', idOf);

const withPlanOptions = (command: Command): Command =>
  command
    .option('--test-percent <n>', 'test: share of the readers that get variants (default: 20)', wholeOf)
    .addOption(
      new Option('--decide <how>', 'test: what decides (default: clicks)').choices([
        'clicks',
        'hand',
        'never',
      ]),
    )
    .option('--decide-after <minutes>', 'test: 15 to 10,080 (default: 60)', wholeOf)
    .option('--fallback <n>', 'test: the variant that is sent if none wins (default: 1)', idOf)
    .option('--at <time>', 'test: when it starts, ISO 8601 (default: now)')
    .option('--local-time <time>', 'local time: what clocks show, such as 2026-11-24T08:00')
    .addOption(
      new Option('--if-passed <what>', 'local time: readers for whom it is later (default: send)').choices([
        'send',
        'skip',
      ]),
    )
    .option('--schedule <cron>', 'schedule: minute, hour, day, month, day of the week')
    .option('--time-zone <zone>', 'schedule: an IANA name, or reader: wherever the reader is')
    .option('--from <time>', 'schedule: nothing is sent before, ISO 8601')
    .option('--until <time>', 'schedule: nothing is sent after, ISO 8601')
    .option('--grace <minutes>', 'schedule: a firing that is later is left out (default: 60)', wholeOf)
    .option('--feed <url>', 'feed: RSS, Atom or JSON; with --schedule and --time-zone a digest')
    .option('--every <minutes>', 'feed: minutes between two polls, 1 to 1,440 (default: 5)', wholeOf)
    .addOption(
      new Option('--publish <how>', 'feed: send what is found, or make drafts (default: review)').choices([
        'automatic',
        'review',
      ]),
    )
    .option('--item-icons', 'feed: the icon that an item has of its own, such as its author’s face')
    .option('--max-per-hour <n>', 'feed: notifications or drafts, 1 to 20 (default: 3)', wholeOf)
    .addOption(
      new Option('--overflow <what>', 'feed: of more than that (default: summary)').choices([
        'summary',
        'drop',
      ]),
    );

interface AppOptions extends RemoteOptions {
  readonly app: string;
}
interface ListOptions extends AppOptions {
  readonly status?: Campaign['status'];
  readonly kind?: Campaign['kind'];
  readonly limit: number;
}

async function listCampaigns({ app, status, kind, limit, ...options }: ListOptions): Promise<void> {
  const query = {
    per_page: limit,
    ...(status === undefined ? {} : { status }),
    ...(kind === undefined ? {} : { kind }),
  };
  const params = { path: { identifier: app }, query };
  const { data, meta } = await bodyOf(connect(options).GET(path, { params }));
  if (options.json === true) return printJson(data);
  if (data.length === 0) return print('No such campaign. "broadside campaigns create" makes one.');
  print(campaignTable(data));
  noteOlder(meta.total - data.length);
}

async function show(id: number, { app, ...options }: AppOptions): Promise<void> {
  const client = connect(options);
  const { data } = await bodyOf(client.GET(`${path}/{campaign_id}`, { params: pathOf(app, id) }));
  if (options.json === true) return printJson(data);
  const query = { campaign_id: id, per_page: DELIVERIES_SHOWN };
  const params = { path: { identifier: app }, query };
  const created = await bodyOf(client.GET('/api/v1/client/apps/{identifier}/deliveries', { params }));
  print(detailText(data, created.data));
}

interface CreateOptions extends AppOptions, CampaignFields {
  readonly idempotencyKey?: string;
}

async function create({ app, api, json, idempotencyKey, ...fields }: CreateOptions): Promise<void> {
  const body = await campaignBodyOf(fields);
  printCampaignWarnings(body);
  const request = connect(api === undefined ? {} : { api }).POST(path, {
    params: { path: { identifier: app } },
    headers: { 'idempotency-key': idempotencyKey ?? randomUUID() },
    body,
  });
  const { data } = await bodyOf(request, optionOfField);
  if (json === true) return printJson(data);
  print(`${summaryOf(data)} broadside campaigns show --app ${app} ${data.id}`);
}

async function change(id: number, { app, api, json, ...fields }: AppOptions & CampaignFields): Promise<void> {
  const body = await campaignBodyOf(fields);
  printCampaignWarnings(body);
  const client = connect(api === undefined ? {} : { api });
  const request = client.PUT(`${path}/{campaign_id}`, { params: pathOf(app, id), body });
  sayCampaign(json, (await bodyOf(request, optionOfField)).data);
}

interface PreviewOptions extends AppOptions, PlanFields {
  readonly variants?: number;
  readonly segment?: number;
  readonly category?: number;
}

async function preview({ app, variants, segment, category, ...options }: PreviewOptions): Promise<void> {
  const plan = planOf(options, variants ?? 1);
  const body = {
    plan,
    ...(variants === undefined ? {} : { variants }),
    ...(segment === undefined ? {} : { segment_id: segment }),
    ...(category === undefined ? {} : { delivery_category_id: category }),
  };
  const params = { path: { identifier: app } };
  const { data } = await bodyOf(connect(options).POST(`${path}/preview`, { params, body }), optionOfField);
  say(options.json, data, forecastText(data));
}

async function nameWinner(
  id: number,
  { app, variant, ...options }: AppOptions & { readonly variant: number },
): Promise<void> {
  const request = connect(options).POST(`${path}/{campaign_id}/winner`, {
    params: pathOf(app, id),
    body: { variant },
  });
  sayCampaign(options.json, (await bodyOf(request, { variant: '--variant' })).data);
}

async function cancel(id: number, { app, ...options }: AppOptions): Promise<void> {
  const request = connect(options).POST(`${path}/{campaign_id}/cancel`, { params: pathOf(app, id) });
  sayCampaign(options.json, (await bodyOf(request)).data);
}

interface ItemsOptions extends AppOptions {
  readonly status?: FeedItem['status'];
  readonly limit: number;
}

async function listItems(id: number, { app, status, limit, ...options }: ItemsOptions): Promise<void> {
  const query = { per_page: limit, ...(status === undefined ? {} : { status }) };
  const params = { ...pathOf(app, id), query };
  const { data, meta } = await bodyOf(connect(options).GET(`${path}/{campaign_id}/items`, { params }));
  if (options.json === true) return printJson(data);
  print(data.length === 0 ? 'No such item.' : itemTable(data));
  noteOlder(meta.total - data.length);
}

interface ApproveOptions extends AppOptions {
  readonly title?: string;
  readonly body?: string;
}

async function approve(
  id: number,
  item: number,
  { app, title, body, ...options }: ApproveOptions,
): Promise<void> {
  printWarnings({ title, body });
  const request = connect(options).POST(`${path}/{campaign_id}/items/{item_id}/approve`, {
    params: itemPathOf(app, id, item),
    body: withoutUndefined({ title, body }),
  });
  sayItem(options.json, (await bodyOf(request, { title: '--title', body: '--body' })).data);
}

async function dismiss(id: number, item: number, { app, ...options }: AppOptions): Promise<void> {
  const request = connect(options).POST(`${path}/{campaign_id}/items/{item_id}/dismiss`, {
    params: itemPathOf(app, id, item),
  });
  sayItem(options.json, (await bodyOf(request)).data);
}

const sayItem = (json: boolean | undefined, item: FeedItem): void => {
  const sent = item.delivery_id === null ? '' : ` as delivery ${item.delivery_id}`;
  say(json, item, `Item ${item.id}: ${item.status}${sent}.`);
};
const itemPathOf = (app: string, id: number, item: number) => ({
  path: { ...pathOf(app, id).path, item_id: String(item) },
});
const pathOf = (app: string, id: number) => ({ path: { identifier: app, campaign_id: String(id) } });
const sayCampaign = (json: boolean | undefined, campaign: Campaign): void =>
  say(json, campaign, summaryOf(campaign));
