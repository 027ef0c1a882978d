import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { CliError } from '../../../../engine/kit/command-line/endings.ts';
import type { Body } from '../../../http-client/client.ts';
import { withoutUndefined } from '../option-parsers.ts';

export type CampaignBody = Body<'/api/v1/client/apps/{identifier}/campaigns', 'post'>;
type Plan = CampaignBody['plan'];
type Notification = NonNullable<CampaignBody['notifications']>[number];

/** The command line's fields of a plan. */
export interface PlanFields {
  readonly testPercent?: number;
  readonly decide?: 'clicks' | 'hand' | 'never';
  readonly decideAfter?: number;
  readonly fallback?: number;
  readonly at?: string;
  readonly localTime?: string;
  readonly ifPassed?: 'send' | 'skip';
  readonly schedule?: string;
  readonly timeZone?: string;
  readonly from?: string;
  readonly until?: string;
  readonly grace?: number;
  readonly feed?: string;
  readonly every?: number;
  readonly publish?: 'automatic' | 'review';
  readonly maxPerHour?: number;
  readonly overflow?: 'summary' | 'drop';
  readonly itemIcons?: boolean;
}

/** The command line's fields of a campaign. */
export interface CampaignFields extends PlanFields {
  readonly file?: string;
  readonly name?: string;
  readonly title?: readonly string[];
  readonly body?: readonly string[];
  readonly url?: readonly string[];
  readonly image?: readonly string[];
  readonly icon?: readonly string[];
  readonly segment?: number;
  readonly category?: number;
  readonly ttl?: number;
  readonly topic?: string;
  readonly rate?: number;
  readonly urgency?: NonNullable<CampaignBody['urgency']>;
  readonly requireInteraction?: boolean;
  readonly ignoreFrequencyCap?: boolean;
  readonly rehearsal?: boolean;
}

/** The options of these fields, for what the API says about them. */
export const optionOfField = {
  name: '--name',
  notifications: '--title',
  plan: '--test-percent, --local-time, --schedule or --feed',
  'plan.test_percent': '--test-percent',
  'plan.decide_after_minutes': '--decide-after',
  'plan.fallback': '--fallback',
  'plan.starts_at': '--at',
  'plan.at': '--local-time',
  'plan.schedule': '--schedule',
  'plan.time_zone': '--time-zone',
  'plan.from': '--from',
  'plan.until': '--until',
  'plan.grace_minutes': '--grace',
  'plan.url': '--feed',
  'plan.every_minutes': '--every',
  'plan.max_per_hour': '--max-per-hour',
  segment_id: '--segment',
  delivery_category_id: '--category',
  ttl_seconds: '--ttl',
  topic: '--topic',
  rate_per_minute: '--rate',
} as const;

const testOptions = ['testPercent', 'decide', 'decideAfter', 'fallback', 'at'] as const;
const localOptions = ['localTime', 'ifPassed'] as const;
const scheduleOptions = ['schedule', 'timeZone', 'from', 'until', 'grace'] as const;
const feedOptions = ['feed', 'every', 'publish', 'maxPerHour', 'overflow', 'itemIcons'] as const;
/** Of a feed, they make it a digest. */
const digestOptions: readonly string[] = ['schedule', 'timeZone'];

/** @throws CliError where options contradict each other, or the file holds no campaign. */
export async function campaignBodyOf(fields: CampaignFields): Promise<CampaignBody> {
  const { file, ...others } = fields;
  if (file === undefined) return bodyOfOptions(others);
  const given = Object.keys(others).filter((name) => name in optionNames);
  if (given.length > 0)
    throw new CliError(`--file contains the whole campaign: remove ${given.map(optionNameOf).join(', ')}`);
  return readBody(file);
}

function bodyOfOptions(fields: CampaignFields): CampaignBody {
  if (fields.feed !== undefined) return feedBodyOf(fields, fields.feed);
  const { title = [], body = [], url = [] } = fields;
  for (const [option, texts] of [
    ['--title', title],
    ['--body', body],
    ['--url', url],
  ] as const) {
    if (texts.length === 0) throw new CliError(`${option} is missing (or give the campaign as --file)`);
  }
  const notifications = title.map((words, variant) =>
    withoutUndefined({
      title: words,
      body: ofVariant('--body', body, variant, title.length) as string,
      url: ofVariant('--url', url, variant, title.length) as string,
      image_url: ofVariant('--image', fields.image ?? [], variant, title.length),
      icon_url: ofVariant('--icon', fields.icon ?? [], variant, title.length),
    }),
  ) satisfies Notification[];
  return withoutUndefined({
    name: fields.name ?? title[0] ?? '',
    notifications,
    plan: planOf(fields, notifications.length),
    ...sendFieldsOf(fields),
  });
}

/** Its items are its notifications. */
function feedBodyOf(fields: CampaignFields, feed: string): CampaignBody {
  const given = (['title', 'body', 'url', 'image'] as const).filter((name) => fields[name] !== undefined);
  if (given.length > 0)
    throw new CliError(
      `the items of a feed are its notifications: remove ${given.map(optionNameOf).join(', ')}`,
    );
  const icon = ofVariant('--icon', fields.icon ?? [], 0, 1);
  const mapping = withoutUndefined({ icon_url: icon, item_icon: fields.itemIcons });
  const plan = withoutUndefined({
    ...planOf(fields, 0),
    mapping: Object.keys(mapping).length === 0 ? undefined : mapping,
  }) as Plan;
  return withoutUndefined({ name: fields.name ?? feed, plan, ...sendFieldsOf(fields) });
}

const sendFieldsOf = (fields: CampaignFields) =>
  withoutUndefined({
    segment_id: fields.segment,
    delivery_category_id: fields.category,
    ttl_seconds: fields.ttl,
    topic: fields.topic,
    rate_per_minute: fields.rate,
    urgency: fields.urgency,
    require_interaction: fields.requireInteraction,
    ignore_frequency_cap: fields.ignoreFrequencyCap,
    rehearsal: fields.rehearsal,
  });

/** One text is for all variants. */
function ofVariant(
  option: string,
  texts: readonly string[],
  variant: number,
  variants: number,
): string | undefined {
  if (texts.length > 1 && texts.length !== variants)
    throw new CliError(
      `${option} is given ${texts.length} times for ${variants} variants: give it once, or once for each variant`,
    );
  return texts.length > 1 ? texts[variant] : texts[0];
}

/** @param variants more than one make a test where nothing else does. */
export function planOf(fields: PlanFields, variants: number): Plan {
  const kinds = [
    { option: '--feed', options: feedOptions },
    {
      option: '--schedule',
      options: scheduleOptions.filter((name) => fields.feed === undefined || !digestOptions.includes(name)),
    },
    { option: '--local-time', options: localOptions },
    { option: '--test-percent', options: testOptions },
  ].map(({ option, options }) => ({ option, given: options.filter((name) => fields[name] !== undefined) }));
  const chosen = kinds.filter(({ given }) => given.length > 0);
  if (chosen.length > 1) {
    const names = chosen.map(({ given }) => optionNameOf(given[0] ?? ''));
    throw new CliError(`${names.join(' and ')} belong to different kinds of campaigns: use one kind`);
  }
  const option = chosen[0]?.option ?? (variants > 1 ? '--test-percent' : undefined);
  if (option === '--feed') return feedOf(fields);
  if (option === '--schedule') return recurringOf(fields);
  if (option === '--local-time') return localTimeOf(fields);
  if (option === undefined)
    throw new CliError(
      'choose a kind of campaign: give several titles for a test, --local-time, --schedule, or --feed ("broadside send" sends one notification)',
    );
  return withoutUndefined({
    kind: 'ab_test',
    test_percent: fields.testPercent,
    decide_by: fields.decide,
    decide_after_minutes: fields.decideAfter,
    fallback: fields.fallback,
    starts_at: fields.at,
  } as const);
}

function recurringOf({ schedule, timeZone, from, until, grace }: PlanFields): Plan {
  if (schedule === undefined) throw new CliError('--schedule is missing, such as "30 7 * * 1-5"');
  if (timeZone === undefined)
    throw new CliError('--time-zone is missing: an IANA name such as Europe/Berlin, or reader');
  return withoutUndefined({
    kind: 'recurring',
    schedule,
    time_zone: timeZone,
    from,
    until,
    grace_minutes: grace,
  } as const);
}

function feedOf({ feed, every, publish, maxPerHour, overflow, schedule, timeZone }: PlanFields): Plan {
  if (feed === undefined) throw new CliError('--feed is missing, such as https://news.example.com/rss.xml');
  return withoutUndefined({
    kind: 'feed',
    url: feed,
    every_minutes: every,
    publish,
    max_per_hour: maxPerHour,
    overflow,
    schedule,
    time_zone: timeZone,
  } as const);
}

function localTimeOf({ localTime, ifPassed }: PlanFields): Plan {
  if (localTime === undefined) throw new CliError('--local-time is missing, such as 2026-11-24T08:00');
  return withoutUndefined({ kind: 'local_time', at: localTime, if_passed: ifPassed } as const);
}

const optionNames: Readonly<Record<string, true>> = Object.fromEntries(
  [
    ...[...testOptions, ...localOptions, ...scheduleOptions, ...feedOptions],
    ...[
      'name',
      'title',
      'body',
      'url',
      'image',
      'icon',
      'segment',
      'category',
      'ttl',
      'topic',
      'rate',
      'urgency',
    ],
    ...['requireInteraction', 'ignoreFrequencyCap', 'rehearsal'],
  ].map((name) => [name, true]),
);
const optionNameOf = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

async function readBody(file: string): Promise<CampaignBody> {
  let text: string;
  try {
    text = file === '-' ? await readAll(process.stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw new CliError(`cannot read ${file}: ${(error as Error).message}`, { cause: error });
  }
  try {
    return JSON.parse(text) as CampaignBody;
  } catch (error) {
    throw new CliError(`${file} is not JSON: ${(error as Error).message}`, { cause: error });
  }
}
