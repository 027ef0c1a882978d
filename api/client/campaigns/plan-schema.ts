import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { CampaignPlan, CampaignProgress } from '../../../engine/contract/campaign.ts';
import { timeZoneOf } from '../../../engine/contract/time-zone.ts';
import { explainWith, say } from '../../../engine/kit/http/explain-with.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import { futureTime } from '../../http/fields.ts';
import { feedPlan } from './feed-schema.ts';
import { oneOf } from './one-of.ts';

export const MAX_VARIANTS = 10;
const DAY_MINUTES = 1_440;
const WEEK_MINUTES = 10_080;

const isWallClock = (text: string): boolean => {
  if (!/^[12]\d{3}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d$/.test(text)) return false;
  const time = new Date(`${text}Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
};
const wallClock = Type.Refine(
  Type.String({
    maxLength: 64,
    description: 'What clocks show, wherever the reader is: a day and a time without a zone.',
    documented: { pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$', examples: ['2030-11-24T08:00'] },
  }),
  (text) => typeof text !== 'string' || isWallClock(text),
  () => 'must be a day and a time such as 2030-11-24T08:00',
);
const zone = Type.Refine(
  Type.String({
    maxLength: 64,
    description: 'An IANA time zone; `reader`: wherever the reader is.',
    examples: ['Europe/Berlin'],
  }),
  (text) => typeof text !== 'string' || text === 'reader' || timeZoneOf(text) !== null,
  () => 'must be an IANA time zone such as Europe/Berlin, or reader',
);

const abTest = Type.Object(
  {
    kind: oneOf(['ab_test']),
    test_percent: Type.Optional(
      Type.Integer({
        minimum: 10,
        maximum: 100,
        default: 20,
        description: 'Share of the audience that the variants go to, evenly. The winner goes to the others.',
      }),
    ),
    decide_by: Type.Optional(
      oneOf(
        ['clicks', 'hand', 'never'],
        '`clicks` (the default): by clicks of accepted messages, after `decide_after_minutes`. `hand`: a person decides. ' +
          '`never`: the others get nothing.',
      ),
    ),
    decide_after_minutes: Type.Optional(
      Type.Integer({
        minimum: 15,
        maximum: WEEK_MINUTES,
        default: 60,
        description: 'From the first message.',
      }),
    ),
    fallback: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_VARIANTS,
        default: 1,
        description: 'Number of the variant, from 1, that the others get where none wins.',
      }),
    ),
    starts_at: Type.Optional(futureTime('Without an offset it is UTC. At once when left out.')),
  },
  { title: 'AbTest' },
);
const localTime = Type.Object(
  {
    kind: oneOf(['local_time']),
    at: wallClock,
    if_passed: Type.Optional(
      oneOf(
        ['send', 'skip'],
        'Readers for whom it is later already get it at once (`send`, the default), or not at all.',
      ),
    ),
  },
  { title: 'LocalTime' },
);
const recurring = Type.Object(
  {
    kind: oneOf(['recurring']),
    schedule: Type.String({
      maxLength: 100,
      description: 'A line of cron with five fields: minute, hour, day of the month, month, day of the week.',
      examples: ['30 7 * * 1-5'],
    }),
    time_zone: zone,
    from: Type.Optional(futureTime('Nothing is sent before.')),
    until: Type.Optional(futureTime('Nothing is sent after.')),
    grace_minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: DAY_MINUTES,
        default: 60,
        description: 'A firing that is later than this, after an outage, is left out. None is made up for.',
      }),
    ),
  },
  { title: 'Recurring' },
);
const plans = { ab_test: abTest, local_time: localTime, recurring, feed: feedPlan } as const;
export const campaignPlan = Type.Union([abTest, localTime, recurring, feedPlan], {
  description: 'What makes it a campaign: a test of variants, a local time, a schedule, or a feed.',
});
export type GivenPlan = Static<typeof campaignPlan>;

/** A plan that was given, as the engine reads it, or what is wrong with it now. */
export type PlanRead =
  | {
      readonly kind: 'plan';
      readonly plan: CampaignPlan;
      readonly firstStepAt: Date;
      readonly progress: CampaignProgress;
    }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

const validators = new Map<unknown, ReturnType<typeof Compile>>(
  Object.entries(plans).map(([kind, schema]) => [kind, Compile(schema as TSchema)]),
);
/** A plan is identified by its `kind`: the errors of the others say nothing. */
export function explainPlan(value: unknown): FieldErrors {
  const kind =
    typeof value === 'object' && value !== null ? (value as { readonly kind?: unknown }).kind : undefined;
  const validator = validators.get(kind);
  if (validator !== undefined) return explainWith(validator, value, '/plan');
  return say(
    kind === undefined ? '/plan' : '/plan/kind',
    kind === undefined ? 'must have a kind' : `must be one of ${[...validators.keys()].join(', ')}`,
  );
}
