import { type Static, Type } from 'typebox';
import { type BreakingRole, breakingRoles } from '../../../auth/breaking.ts';
import { dayFilter, nullable } from '../../../http/fields.ts';
import { organizationField, organizationQuery } from '../../fields.ts';

const MAX_PER_DAY = 1_000_000;

const role = Type.Unsafe<BreakingRole>({
  type: 'string',
  enum: [...breakingRoles],
  description: 'The lowest role that may send in the breaking lane; API tokens have the role of their user.',
});
/** A union: a null in a body counts as left out elsewhere. */
const perDay = Type.Union([Type.Integer({ minimum: 0, maximum: MAX_PER_DAY }), Type.Null()], {
  description: 'Breaking deliveries of the organization a day (UTC); 0: none, null: not limited by it.',
});

const stateExample = {
  role: 'admin',
  per_day: 5,
  operator_per_day: null,
  limit: 5,
  used: 2,
  left: 3,
  may_send: true,
} as const;

const count = (description: string) => nullable<number>({ type: 'integer', description });

export const breakingSchema = Type.Object(
  {
    role,
    per_day: perDay,
    operator_per_day: count(
      'The operator’s daily limit for each organization (BREAKING_PER_DAY); null: no limit.',
    ),
    limit: count('The smaller of both; null: no limit.'),
    used: Type.Integer({
      description:
        'Breaking deliveries that count on the day: those to be sent then, rehearsals among them. One that was ' +
        'cancelled before it started counts no more.',
    }),
    left: count('How many more that day; null: no limit.'),
    may_send: Type.Boolean({
      description:
        'Whether the caller’s role is sufficient; of one with roles on single apps, on one of these at least.',
    }),
  },
  { title: 'BreakingRules', examples: [stateExample] },
);
export type BreakingResource = Static<typeof breakingSchema>;

export const breakingQuery = Type.Object({
  ...organizationQuery,
  day: Type.Optional(dayFilter('Of which day (UTC) the uses are counted; today when left out.')),
});

export const breakingBody = Type.Object(
  { role: Type.Optional(role), per_day: Type.Optional(perDay), organization_id: organizationField },
  { title: 'ChangeBreakingRules', examples: [{ role: 'admin', per_day: 5 }] },
);
