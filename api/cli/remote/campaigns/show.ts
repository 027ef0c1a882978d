import { counted, pluralOf } from '../../../../engine/contract/counted.ts';
import { chanceText, number, percentText, shareText } from '../../../../engine/kit/command-line/numbers.ts';
import type { Answer } from '../../../http-client/client.ts';
import { tableOf } from '../../table.ts';
import { doneOf } from '../watch-delivery.ts';

const path = '/api/v1/client/apps/{identifier}/campaigns';
export type Campaign = Answer<typeof path, 'get'>['data'][number];
export type CampaignDetail = Answer<`${typeof path}/{campaign_id}`, 'get'>['data'];
export type FeedItem = Answer<`${typeof path}/{campaign_id}/items`, 'get'>['data'][number];
export type Forecast = Answer<`${typeof path}/preview`, 'post'>['data'];
type Delivery = Answer<'/api/v1/client/apps/{identifier}/deliveries', 'get'>['data'][number];

const kinds: Readonly<Record<Campaign['kind'], string>> = {
  ab_test: 'test',
  local_time: 'local time',
  recurring: 'recurring',
  feed: 'feed',
  quiet_hours: 'quiet hours',
};
const reasons: Readonly<Record<NonNullable<Campaign['decision']>['reason'], string>> = {
  decided: 'decided by clicks',
  'too-few': 'no winner: fewer than 100 accepted messages in a variant',
  'too-close': 'no winner: no variant is the best with 95% probability',
  'clicks-unknown': 'no winner: clicks could not be counted',
  'by-hand': 'named by a person',
};

/** `2026-11-24T07:00:00+00:00` → `2026-11-24 07:00 UTC`. */
export const timeOf = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;

export const campaignTable = (campaigns: readonly Campaign[]): string[] =>
  tableOf(
    ['ID', 'NAME', 'KIND', 'STATUS', 'NEXT STEP', 'DELIVERIES', 'SENT'],
    campaigns.map((each) => [
      each.id,
      each.name,
      kinds[each.kind],
      statusOf(each),
      nextOf(each) ?? '',
      each.deliveries,
      each.success_count,
    ]),
  );

export const itemTable = (items: readonly FeedItem[]): string[] =>
  tableOf(
    ['ITEM', 'TITLE', 'STATUS', 'CREATED', 'DELIVERY'],
    items.map((each) => [
      each.id,
      each.title,
      each.status,
      timeOf(each.created_at),
      String(each.delivery_id ?? ''),
    ]),
  );

/** One line for what just happened to it. */
export function summaryOf(campaign: Campaign): string {
  const next = nextOf(campaign);
  return `Campaign ${campaign.id}: ${statusOf(campaign)}${next === null ? '' : `, next step ${next}`}.`;
}

/** By local time it runs from the first instant on Earth: to people it is scheduled until somebody gets it. */
const statusOf = ({ kind, status, deliveries }: Campaign): Campaign['status'] =>
  status === 'running' && deliveries === 0 && (kind === 'local_time' || kind === 'quiet_hours')
    ? 'scheduled'
    : status;

/** When readers get it, and not when an engine wakes for it. Null: nothing comes by itself. */
function nextOf({ plan, next_step_at: at, reader_times: times }: Campaign): string | null {
  if (times !== null) {
    const [first, last] = [timeOf(times.first_at), timeOf(times.last_at)];
    return first === last ? first : `${first} to ${last}`;
  }
  if (at === null) return null;
  return plan.kind === 'local_time' ? `${String(plan.at).replace('T', ' ')} by readers’ clocks` : timeOf(at);
}

/** @param deliveries its newest. */
export function detailText(campaign: CampaignDetail, deliveries: readonly Delivery[]): string[] {
  const { decision } = campaign;
  const next = nextOf(campaign);
  const facts: [string, string][] = [
    ['kind', kinds[campaign.kind]],
    ['status', statusOf(campaign)],
    ...(next === null ? [] : [['next step', next] as [string, string]]),
    ...feedFacts(campaign),
    ['sent', `${number(campaign.success_count)} of ${number(campaign.total_subscribers)}`],
    ['failed', number(campaign.failed_count)],
    ['clicks', campaign.click_count === null ? 'not known at the moment' : number(campaign.click_count)],
    ...(decision === null
      ? []
      : [['decision', `variant ${decision.sent} was sent, ${reasons[decision.reason]}`] as [string, string]]),
    ...(campaign.error_message === null ? [] : [['note', campaign.error_message] as [string, string]]),
  ];
  return [
    `${campaign.name} (campaign ${campaign.id})`,
    '',
    ...facts.map(([name, value]) => `  ${name.padEnd(10)} ${value}`),
    ...(campaign.variants === null ? [] : ['', ...variantTable(campaign, campaign.variants)]),
    ...(deliveries.length === 0 ? [] : ['', ...deliveryTable(deliveries)]),
  ];
}

function feedFacts({ feed }: CampaignDetail): [string, string][] {
  if (feed === null) return [];
  const read = feed.last_read_at === null ? 'not yet' : timeOf(feed.last_read_at);
  const failed = counted(feed.failures, 'poll has', 'polls have');
  return [
    ['read', feed.failures === 0 ? read : `${read}; since then ${failed} failed`],
    ['drafts', number(feed.drafts)],
  ];
}

function variantTable(
  { notifications, difference }: CampaignDetail,
  variants: NonNullable<CampaignDetail['variants']>,
): string[] {
  const rows = variants.map(({ number, accepted, clicked, rate, interval, probability_best: best }) => [
    number,
    notifications[number - 1]?.title ?? '',
    accepted,
    clicked,
    rate === null ? '' : shareText(clicked, accepted),
    interval === null ? '' : `${percentText(interval.low)} – ${percentText(interval.high)}`,
    best === null ? 'too early' : chanceText(best),
  ]);
  const table = tableOf(['', 'TITLE', 'ACCEPTED', 'CLICKED', 'RATE', '95% INTERVAL', 'IS BEST'], rows);
  const best =
    difference === null
      ? []
      : ['', `The best is ahead of the second by ${difference.low} to ${difference.high} points.`];
  return [...table, ...best];
}

const deliveryTable = (deliveries: readonly Delivery[]): string[] =>
  tableOf(
    ['DELIVERY', 'NAME', 'STATUS', 'DONE', 'AUDIENCE'],
    deliveries.map((each) => [each.id, each.name, each.status, doneOf(each), each.total_subscribers]),
  );

/** Zones of one step that are named; the rest is counted. */
const NAMED_ZONES = 3;

const feedText = ({ items, matching, next }: NonNullable<Forecast['feed']>): string[] => [
  `${counted(items, 'item')} in the feed, ${matching} of them ${pluralOf(matching, 'matches', 'match')}. ${next === null ? 'None would be sent.' : 'The newest would be sent as:'}`,
  ...(next === null ? [] : ['', `  ${next.title}`, `  ${next.body}`, `  ${next.url}`]),
];

export function forecastText({ readers, steps, feed }: Forecast): string[] {
  const head = `${counted(readers, 'reader')} now, before the frequency cap.`;
  if (feed !== null) return [head, ...feedText(feed)];
  if (steps.length === 0) return [`${head} Nothing would be sent.`];
  const rows = steps.map(({ at, role, readers: count, time_zones: zones }) => [
    at === null ? 'once decided' : timeOf(at),
    role,
    count,
    [
      ...zones.slice(0, NAMED_ZONES),
      ...(zones.length > NAMED_ZONES ? [`+${zones.length - NAMED_ZONES}`] : []),
    ].join(', '),
  ]);
  const hasZones = steps.some(({ time_zones: zones }) => zones.length > 0);
  const columns = ['AT', 'DELIVERY', 'READERS', ...(hasZones ? ['TIME ZONES'] : [])];
  return [
    head,
    '',
    ...tableOf(
      columns,
      rows.map((row) => row.slice(0, columns.length)),
    ),
  ];
}
