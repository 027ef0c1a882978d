import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { type DeliveryId, toId } from './ids.ts';
import { REACHABLE_DAYS, type Reach, reaches } from './reach.ts';
import { SHARE_PARTS } from './share.ts';
import { timeZoneOf } from './time-zone.ts';

/**
 * The audience of a delivery as data: a segment's rules, frozen with the delivery when it is planned. Planning
 * and dispatch build their predicate from it with the same function
 * (`engine/adapters/postgres/deliveries/audience.ts`), so both select the same subscriptions.
 *
 * For every subscription a condition holds or does not. A negation (`not_equals`, `not_in`, `not_exists`,
 * `has_not`) holds where there is no value: a subscription without the tag `plan` does not have the plan
 * "gold". Anything else does not hold without a value: a subscription that never clicked matches `never`, and
 * no date.
 */
export const MAX_AUDIENCE_LEVELS = 3;
export const MAX_AUDIENCE_CONDITIONS = 50;
/** Each is a bit a subscription, in one statement's parameters: 625 KB for five million. */
export const MAX_NAMED_REACHES = 10;
const MAX_VALUES = 250;
const MAX_DAYS = 3_650;
const MAX_INT4 = 2_147_483_647;

const oneOf = <Word extends string>(words: Word[], description?: string) =>
  Type.Enum(words, { type: 'string', ...(description === undefined ? {} : { description }) });

const text = (description: string) => Type.String({ minLength: 1, maxLength: 255, description });
const texts = (description: string) =>
  Type.Array(Type.String({ maxLength: 255 }), { minItems: 1, maxItems: MAX_VALUES, description });

/** Years of four digits that Postgres knows, and no 30th of February. */
function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^[12]\d{3}-\d{2}-\d{2}$/.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}

/** `2026-01-31`. */
export const calendarDay = (description: string) =>
  Type.Refine(
    Type.String({ maxLength: 64, description, documented: { format: 'date' } }),
    (value) => typeof value !== 'string' || isDay(value),
    () => 'must be a date such as 2026-01-31',
  );
const day = calendarDay('A day in UTC, such as 2026-01-31; the day itself is in neither.');
const moments: ('created' | 'last_seen' | 'last_clicked')[] = ['created', 'last_seen', 'last_clicked'];

/** All of the runtime's. */
const MAX_ZONES = 500;
const timeZone = Type.Refine(
  Type.String({ maxLength: 64 }),
  (value) => typeof value !== 'string' || timeZoneOf(value) !== null,
  () => 'must be an IANA time zone, such as Europe/Berlin',
);
const reachNotes =
  'Whether its push service accepted that delivery for the reader, and whether the browser showed it and the reader ' +
  'clicked it, as far as is known when this delivery starts. A rehearsal reached nobody.';

const tagField = oneOf(['tag']);
const tagKey = text('Key of the tag.');
/** Distinguished by `field` and `operator`: no pair of them is in two. */
export const conditionSchemas = [
  Type.Object(
    {
      field: tagField,
      key: tagKey,
      operator: oneOf(['equals', 'not_equals'], 'not_equals holds without the tag, too.'),
      value: Type.String({ maxLength: 255 }),
    },
    { title: 'TagValueCondition' },
  ),
  Type.Object(
    {
      field: tagField,
      key: tagKey,
      operator: oneOf(['in', 'not_in'], 'not_in holds without the tag, too.'),
      values: texts('Values of the tag.'),
    },
    { title: 'TagValuesCondition' },
  ),
  Type.Object(
    { field: tagField, key: tagKey, operator: oneOf(['exists', 'not_exists']) },
    { title: 'TagPresenceCondition' },
  ),
  Type.Object(
    {
      field: oneOf(['device_type', 'browser', 'os', 'country']),
      operator: oneOf(['in', 'not_in'], 'not_in holds where it is not known, too.'),
      values: texts('Names or, for country, codes of two letters; Latin letters in any case.'),
    },
    { title: 'NameCondition' },
  ),
  Type.Object(
    {
      field: oneOf(['category']),
      operator: oneOf(['has', 'has_not'], 'has_not also holds for subscribers who chose no categories.'),
      category_id: Type.Integer({ minimum: 1, maximum: MAX_INT4, description: 'A delivery category.' }),
    },
    { title: 'CategoryCondition' },
  ),
  Type.Object(
    { field: oneOf(moments), operator: oneOf(['before', 'after']), date: day },
    { title: 'DateCondition' },
  ),
  Type.Object(
    {
      field: oneOf(moments),
      operator: oneOf(['within_days', 'more_than_days_ago'], 'Counted back from when the delivery starts.'),
      days: Type.Integer({ minimum: 1, maximum: MAX_DAYS, description: 'Of 24 hours.' }),
    },
    { title: 'DaysCondition' },
  ),
  Type.Object(
    { field: oneOf(['last_clicked']), operator: oneOf(['never']) },
    { title: 'NeverClickedCondition' },
  ),
  Type.Object(
    {
      field: oneOf(['time_zone']),
      operator: oneOf(['in', 'not_in']),
      values: Type.Array(timeZone, { minItems: 1, maxItems: MAX_ZONES, description: 'IANA time zones.' }),
    },
    { title: 'TimeZoneCondition' },
  ),
  Type.Object(
    {
      field: oneOf(['delivery']),
      operator: oneOf([...reaches, ...reaches.map((reach) => `not_${reach}` as const)], reachNotes),
      delivery_id: Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'A delivery of the app.',
      }),
    },
    { title: 'DeliveryCondition' },
  ),
  Type.Object(
    {
      field: oneOf(['reachable']),
      operator: oneOf(
        ['is', 'is_not'],
        `Whether the reader visited, or the browser reported any notification of the app, in the last ${REACHABLE_DAYS} days.`,
      ),
    },
    { title: 'ReachableCondition' },
  ),
  Type.Refine(
    Type.Object(
      {
        field: oneOf(['share']),
        operator: oneOf(['in', 'not_in']),
        key: text('Names the split: the same readers are in the same part as long as the name is the same.'),
        from: Type.Integer({
          minimum: 0,
          maximum: SHARE_PARTS - 1,
          description: 'The first part, of 10,000: a hundredth of a percent each.',
        }),
        below: Type.Integer({
          minimum: 1,
          maximum: SHARE_PARTS,
          description: 'The part after the last; above `from`.',
        }),
      },
      { title: 'ShareCondition' },
    ),
    ({ from, below }) => !(below <= from),
    () => 'must have a `below` that is above `from`',
  ),
] as const;

const matchField = oneOf(['all', 'any'], 'Whether every condition must hold, or one of them.');
const listOptions = { minItems: 1, maxItems: MAX_AUDIENCE_CONDITIONS } as const;

// Unrolled level by level: a reference from a schema to itself would not hold where its route compiles it.
const innerGroup = Type.Object(
  {
    match: matchField,
    conditions: Type.Array(Type.Union([...conditionSchemas]), listOptions),
  },
  { title: 'InnerAudienceGroup' },
);
const middleGroup = Type.Object(
  {
    match: matchField,
    conditions: Type.Array(Type.Union([...conditionSchemas, innerGroup]), listOptions),
  },
  { title: 'AudienceGroup' },
);
export const audienceRules = Type.Object(
  {
    match: matchField,
    conditions: Type.Array(Type.Union([...conditionSchemas, middleGroup]), {
      ...listOptions,
      description: 'Conditions, and groups of them.',
    }),
  },
  {
    title: 'AudienceRules',
    description:
      `Conditions in groups, ${MAX_AUDIENCE_LEVELS} levels deep at most and ${MAX_AUDIENCE_CONDITIONS} conditions in ` +
      'all. A negation holds where the value is missing, anything else does not.',
  },
);

/** A group as any level of the tree has it, its members unread. */
export const audienceGroup = Type.Object({
  match: matchField,
  conditions: Type.Array(Type.Unknown(), listOptions),
});

export type AudienceCondition = Static<(typeof conditionSchemas)[number]>;
export interface AudienceRules {
  readonly match: 'all' | 'any';
  readonly conditions: readonly (AudienceCondition | AudienceRules)[];
}
export const isGroup = (member: AudienceCondition | AudienceRules): member is AudienceRules =>
  'conditions' in member;

/** A reach that rules name: whom this delivery reached, in this sense. */
export interface NamedReach {
  readonly deliveryId: DeliveryId;
  readonly reach: Reach | 'recent';
}

/** Whose browser reported any delivery of the app in the last days. */
export const recentReach: NamedReach = { deliveryId: 0 as DeliveryId, reach: 'recent' };

/** Each once. */
export function namedReaches(rules: AudienceRules | null): NamedReach[] {
  const all =
    rules === null
      ? []
      : conditionsOf(rules).flatMap((each) => {
          if (each.field === 'reachable') return [recentReach];
          return each.field === 'delivery' ? [reachOf(each)] : [];
        });
  return [...new Map(all.map((named) => [reachKey(named), named])).values()];
}

export const reachKey = ({ deliveryId, reach }: NamedReach): string => `${deliveryId} ${reach}`;

/** Of all its groups. */
export const conditionsOf = (group: AudienceRules): AudienceCondition[] =>
  group.conditions.flatMap((member) => (isGroup(member) ? conditionsOf(member) : [member]));

export type DeliveryCondition = Extract<AudienceCondition, { readonly field: 'delivery' }>;

/** What a condition names, negated or not. */
export const reachOf = ({ delivery_id: id, operator }: DeliveryCondition): NamedReach => ({
  deliveryId: toId(id),
  reach: operator.replace('not_', '') as Reach,
});

/** Whom a correction is for. */
export const acceptedBy = (id: DeliveryId): AudienceRules => ({
  match: 'all',
  conditions: [{ field: 'delivery', operator: 'accepted', delivery_id: id }],
});

/**
 * Everyone, by a rule that is younger than parts of audiences are: an engine that would ignore a part, and send to all
 * readers what is for a few, does not read this either, and sends nothing.
 */
export const everyone: AudienceRules = {
  match: 'all',
  conditions: [{ field: 'share', operator: 'in', key: 'everyone', from: 0, below: SHARE_PARTS }],
};

const checkRules = Compile(audienceRules);

/** @throws RangeError on rules that the API does not accept: such a row is a bug, and must never select everyone. */
export function parseRules(value: unknown): AudienceRules {
  if (!checkRules.Check(value)) throw new RangeError('these are not audience rules');
  return value;
}
