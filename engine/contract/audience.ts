import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';

/**
 * Whom a delivery is for, as data: a segment's rules, frozen with the delivery when it is planned. One
 * predicate made of it plans and dispatches (`engine/adapters/postgres/audience.ts`), so that both mean the
 * same subscriptions.
 *
 * Every condition holds or does not, for every subscription. A negation (`not_equals`, `not_in`,
 * `not_exists`, `has_not`) holds where there is no value at all: who has no tag `plan` has not the plan
 * "gold". Anything else does not hold without a value: who never clicked matches `never`, no date.
 */
export const MAX_AUDIENCE_LEVELS = 3;
export const MAX_AUDIENCE_CONDITIONS = 50;
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

const day = Type.Refine(
  Type.String({
    description: 'A day in UTC, such as 2026-01-31; the day itself is in neither.',
    documented: { format: 'date' },
  }),
  (value) => typeof value !== 'string' || isDay(value),
  () => 'must be a date such as 2026-01-31',
);
const moments: ('created' | 'last_seen' | 'last_clicked')[] = ['created', 'last_seen', 'last_clicked'];

const tagField = oneOf(['tag']);
const tagKey = text('Key of the tag.');
/** Told apart by `field` and `operator`: no pair of them is in two. */
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
      operator: oneOf(['has', 'has_not'], 'has_not holds for who chose no categories, too.'),
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
] as const;
const [tagValue, tagValues, tagPresence, name, category, date, days, never] = conditionSchemas;

const matchField = oneOf(['all', 'any'], 'Whether every condition must hold, or one of them.');
const listOptions = { minItems: 1, maxItems: MAX_AUDIENCE_CONDITIONS } as const;

// Unrolled level by level: a reference from a schema to itself would not hold where its route compiles it.
const innerGroup = Type.Object(
  {
    match: matchField,
    conditions: Type.Array(
      Type.Union([tagValue, tagValues, tagPresence, name, category, date, days, never]),
      listOptions,
    ),
  },
  { title: 'InnerAudienceGroup' },
);
const middleGroup = Type.Object(
  {
    match: matchField,
    conditions: Type.Array(
      Type.Union([tagValue, tagValues, tagPresence, name, category, date, days, never, innerGroup]),
      listOptions,
    ),
  },
  { title: 'AudienceGroup' },
);
export const audienceRules = Type.Object(
  {
    match: matchField,
    conditions: Type.Array(
      Type.Union([tagValue, tagValues, tagPresence, name, category, date, days, never, middleGroup]),
      { ...listOptions, description: 'Conditions, and groups of them.' },
    ),
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

/** `deliveries.audience`. */
const frozen = Type.Object({
  rules: Type.Union([audienceRules, Type.Null()]),
  /** Only those who receive this delivery category: who chose it, and, as `never_stated` says, who never chose. */
  category_id: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  /**
   * `receive`: a subscription that never stated categories receives every one. Not there: it receives none,
   * which is what an audience meant that was frozen before this field existed.
   */
  never_stated: Type.Optional(Type.Literal('receive')),
  /** What relative times are relative to: ISO 8601, UTC. */
  at: Type.String(),
});
export interface Audience {
  readonly rules: AudienceRules | null;
  readonly category_id: number | null;
  readonly never_stated?: 'receive';
  readonly at: string;
}

export interface AudienceAsked {
  readonly rules: AudienceRules | null;
  readonly categoryId: number | null;
}

/**
 * What a subscription stated decides for itself alone: one that never stated categories receives every one,
 * one that did receives those, and an empty list is none.
 *
 * @returns null where that is every subscribed one.
 */
export function freezeAudience({ rules, categoryId }: AudienceAsked, at: Date): Audience | null {
  if (categoryId === null) return rules === null ? null : { rules, category_id: null, at: at.toISOString() };
  return { rules, category_id: categoryId, never_stated: 'receive', at: at.toISOString() };
}

const checkRules = Compile(audienceRules);
const checkAudience = Compile(frozen);

/** @throws RangeError for what the API did not let through: such a row is a bug, and nobody is "everybody". */
export function parseRules(value: unknown): AudienceRules {
  if (!checkRules.Check(value)) throw new RangeError('these are no audience rules');
  return value;
}

/** @throws RangeError likewise. */
export function parseAudience(value: unknown): Audience | null {
  if (value === null) return null;
  if (!checkAudience.Check(value)) throw new RangeError('this is no audience');
  return value;
}
