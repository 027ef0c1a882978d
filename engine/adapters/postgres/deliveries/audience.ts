import {
  type AudienceCondition,
  type AudienceRules,
  conditionsOf,
  type DeliveryCondition,
  isGroup,
  reachKey,
  reachOf,
  recentReach,
} from '../../../contract/audience.ts';
import type { CampaignPart } from '../../../contract/campaign.ts';
import type { Audience } from '../../../contract/frozen-audience.ts';
import { REACHABLE_DAYS, type ReachMap } from '../../../contract/reach.ts';
import { saltOf } from '../../../contract/share.ts';
import { timeZoneOf } from '../../../contract/time-zone.ts';

/** A condition over `subscriptions`, never null, with its parameters. */
export interface Predicate {
  readonly text: string;
  readonly values: readonly unknown[];
}

const DAY_MS = 86_400_000;

const columns = {
  device_type: 'device_type',
  browser: 'browser_name',
  os: 'os_name',
  country: 'country',
  created: 'created_at',
  last_seen: 'last_seen_at',
  last_clicked: 'last_clicked_at',
} as const;

/** By `reachKey`. */
export type ReachMaps = ReadonlyMap<string, ReachMap>;
export const noReaches: ReachMaps = new Map();

/**
 * The one definition of an audience: counting it beforehand, planning it, and fixing a block's share all use
 * this. Every user-written value is a parameter; the text has only words of our own.
 * @param taken how many parameters the statement has before these.
 * @param reaches those that its rules name (`namedReaches`), for the subscriptions that the statement reads.
 * @throws RangeError where one of them is missing: it must never be taken for nobody.
 */
export function audiencePredicate(
  audience: Audience,
  taken: number,
  reaches: ReachMaps = noReaches,
): Predicate {
  const values: unknown[] = [];
  const parameter = (value: unknown): string => `$${taken + values.push(value)}`;
  const context: Context = {
    atMs: Date.parse(audience.at),
    zone: audience.zone ?? 'UTC',
    reaches,
    parameter,
  };
  const parts = [
    audience.rules === null ? null : groupText(audience.rules, context),
    audience.category_id === null ? null : receivesCategory(audience, parameter(audience.category_id)),
    audience.part === undefined ? null : partText(audience.part, parameter),
  ].filter((part) => part !== null);
  return { text: `(${parts.join(' AND ') || 'TRUE'})`, values };
}

/** Conditions whose columns `subscription_facets` has as well, under the same names. */
const narrowFields: ReadonlySet<AudienceCondition['field']> = new Set([
  'device_type',
  'country',
  'created',
  'share',
  'delivery',
]);

/**
 * Where an audience is counted. Triggers keep the facets in the transaction of what they are of, and counting a million
 * of them reads a fifth of what the wide rows are. Readers who are named by `seq` are looked up and not counted: that
 * belongs to the table whose one fitting index is the key, whatever its statistics say.
 */
export function countedIn(audience: Audience | null): 'subscriptions' | 'subscription_facets' {
  if (audience === null) return 'subscription_facets';
  const { rules, category_id: category, part } = audience;
  const isNarrow =
    category === null &&
    (part === undefined || part.kind === 'share') &&
    (rules === null || conditionsOf(rules).every(({ field }) => narrowFields.has(field)));
  return isNarrow ? 'subscription_facets' : 'subscriptions';
}

type Parameter = (value: unknown) => string;

interface Context {
  readonly atMs: number;
  /** The app's own. */
  readonly zone: string;
  readonly reaches: ReachMaps;
  readonly parameter: Parameter;
}

function groupText(group: AudienceRules, context: Context): string {
  const members = group.conditions.map((member) =>
    isGroup(member) ? groupText(member, context) : conditionText(member, context),
  );
  return `(${members.join(group.match === 'all' ? ' AND ' : ' OR ')})`;
}

const choseCategory = (id: string): string => `(${id}::integer = ANY(category_ids)) IS TRUE`;
const receivesCategory = ({ never_stated }: Audience, id: string): string =>
  never_stated === 'receive' ? `(category_ids IS NULL OR ${choseCategory(id)})` : choseCategory(id);
const tagIs = (key: string, test: string): string => `(tags ->> ${key}::text ${test}`;
const cutoff = (atMs: number, days: number): string => new Date(atMs - days * DAY_MS).toISOString();
/** The first moment of a day in UTC, or of the day after it. */
const startOf = (day: string, daysLater: number): string =>
  cutoff(Date.parse(`${day}T00:00:00Z`), -daysLater);

function conditionText(condition: AudienceCondition, context: Context): string {
  const { atMs, parameter } = context;
  if (condition.field === 'delivery') return reachText(condition, context);
  if (condition.field === 'reachable') return reachableText(condition, context);
  if (condition.field === 'share') return negated(condition, shareText(condition, parameter));
  if (condition.field === 'time_zone')
    return negated(condition, zoneText(condition.values, context.zone, parameter));
  switch (condition.operator) {
    case 'equals':
      return `${tagIs(parameter(condition.key), `= ${parameter(condition.value)}::text`)}) IS TRUE`;
    case 'not_equals':
      return `${tagIs(parameter(condition.key), `= ${parameter(condition.value)}::text`)}) IS NOT TRUE`;
    case 'exists':
      return `(tags ? ${parameter(condition.key)}::text)`;
    case 'not_exists':
      return `(NOT tags ? ${parameter(condition.key)}::text)`;
    case 'in':
      return `${isAmong(condition, parameter)} IS TRUE`;
    case 'not_in':
      return `${isAmong(condition, parameter)} IS NOT TRUE`;
    case 'has':
      return choseCategory(parameter(condition.category_id));
    case 'has_not':
      return `(NOT ${choseCategory(parameter(condition.category_id))})`;
    case 'before':
      return compare(columns[condition.field], '<', parameter(startOf(condition.date, 0)));
    case 'after':
      return compare(columns[condition.field], '>=', parameter(startOf(condition.date, 1)));
    case 'within_days':
      return compare(columns[condition.field], '>=', parameter(cutoff(atMs, condition.days)));
    case 'more_than_days_ago':
      return compare(columns[condition.field], '<', parameter(cutoff(atMs, condition.days)));
    case 'never':
      return '(last_clicked_at IS NULL)';
  }
}

const negated = ({ operator }: { readonly operator: string }, text: string): string =>
  operator.startsWith('not_') ? `(NOT ${text})` : text;

/** A campaign's part: without the readers of its other deliveries, who are taken out when a block is fixed. */
function partText(part: CampaignPart, parameter: Parameter): string {
  if (part.kind === 'share') return shareText(part, parameter);
  if (part.kind === 'named') return `(seq = ANY(${parameter(part.seqs)}::integer[]))`;
  const { zones, zone, moved } = part;
  const instants = moved.instants.flatMap(({ at, zones: there }) => there.map((name) => ({ name, at })));
  const [names, ats] = [instants.map(({ name }) => name), instants.map(({ at }) => at)];
  // Few have changed: only for those is the instant looked up.
  const hasCome = `(SELECT come.at <= now() FROM unnest(${parameter(names)}::text[], ${parameter(ats)}::timestamptz[]) AS come (name, at)
    WHERE come.name = coalesce((SELECT name FROM time_zones WHERE time_zones.id = time_zone_id), ${parameter(zone)}::text))`;
  const changed = compare('time_zone_changed_at', '>=', parameter(moved.since));
  return `(${zoneText(zones, zone, parameter)} OR (${changed} AND ${hasCome} IS TRUE))`;
}

const shareText = ({ key, from, below }: Split, parameter: Parameter): string =>
  `(part_of(${parameter(saltOf(key))}::bigint, seq) BETWEEN ${parameter(from)}::integer AND ${parameter(below - 1)}::integer)`;

/** A subscription without a zone is in the app's own. */
function zoneText(names: readonly string[], zone: string, parameter: Parameter): string {
  const known = names.map((name) => timeZoneOf(name) ?? name);
  const numbers = `ARRAY(SELECT id FROM time_zones WHERE name = ANY(${parameter(known)}::text[]))`;
  const isOwn = `${parameter(known.includes(zone))}::boolean`;
  return `(CASE WHEN time_zone_id IS NULL THEN ${isOwn} ELSE time_zone_id = ANY(${numbers}) END)`;
}

function reachText(condition: DeliveryCondition, { reaches, parameter }: Context): string {
  const map = reaches.get(reachKey(reachOf(condition)));
  if (map === undefined)
    throw new RangeError(`whom delivery ${condition.delivery_id} reached is not known here`);
  return negated(condition, bitText(map, parameter));
}

function reachableText({ operator }: ReachableCondition, { atMs, reaches, parameter }: Context): string {
  const map = reaches.get(reachKey(recentReach));
  if (map === undefined) throw new RangeError('whom deliveries reached recently is not known here');
  const since = parameter(cutoff(atMs, REACHABLE_DAYS));
  const moments = [columns.last_seen, columns.last_clicked].map((column) => compare(column, '>=', since));
  const isReachable = `(${[...moments, bitText(map, parameter)].join(' OR ')})`;
  return operator === 'is' ? isReachable : `(NOT ${isReachable})`;
}

/** Each subscription's bit: Postgres numbers those of a `bytea` as we do. */
function bitText({ first, bits }: ReachMap, parameter: Parameter): string {
  const bytes = parameter(Buffer.from(bits.buffer, bits.byteOffset, bits.byteLength));
  const place = `seq - ${parameter(first)}::integer`;
  return `(CASE WHEN ${place} BETWEEN 0 AND ${parameter(bits.length * 8 - 1)}::integer
    THEN get_bit(${bytes}::bytea, ${place}) = 1 ELSE false END)`;
}

const compare = (column: string, operator: string, moment: string): string =>
  `(${column} ${operator} ${moment}::timestamptz) IS TRUE`;

type ReachableCondition = Extract<AudienceCondition, { readonly field: 'reachable' }>;
type Split = Pick<Extract<AudienceCondition, { readonly field: 'share' }>, 'key' | 'from' | 'below'>;
type AmongCondition = Exclude<
  Extract<AudienceCondition, { readonly operator: 'in' | 'not_in' }>,
  { readonly field: 'share' | 'time_zone' }
>;

/**
 * Tags as they are written; names in any case of Latin letters, in the collation that every Postgres has: an
 * audience must not change with the server's language. The list is a plain parameter, which Postgres hashes.
 */
function isAmong(condition: AmongCondition, parameter: Parameter): string {
  if (condition.field === 'tag') {
    return `${tagIs(parameter(condition.key), `= ANY(${parameter(condition.values)}::text[])`)})`;
  }
  const folded = parameter(condition.values.map(foldLatin));
  return `(lower(${columns[condition.field]} COLLATE "C") = ANY(${folded}::text[]))`;
}

const foldLatin = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
