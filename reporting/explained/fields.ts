import { type TSchema, Type } from 'typebox';
import { zoneName } from '../../engine/contract/time-zone.ts';
import { invalid, problem, withoutRate } from '../problems.ts';

/** Fields that questions of this folder share. */
export const currencyField = Type.Enum(['EUR', 'USD'], {
  type: 'string',
  description: 'Of amounts, which are converted with the rate of their own day in UTC.',
});

export const zoneField = Type.Optional(
  Type.Refine(
    Type.String({
      maxLength: 64,
      default: 'UTC',
      description: 'IANA name such as `Europe/Berlin`: where days begin. Default: UTC.',
    }),
    (name) => typeof name !== 'string' || zoneName(name) !== null,
    () => 'must be a timezone such as Europe/Berlin',
  ),
);

export const dayField = (description: string) => Type.String({ format: 'date', description });
export const dayPairField = (description: string) =>
  Type.Unsafe<[string, string]>(
    Type.Array(Type.String({ format: 'date' }), { minItems: 2, maxItems: 2, description }),
  );

export const nameField = (description: string) =>
  Type.String({ maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f]*$', description });
/** People read it in lists. */
export const reasonField = (description: string) =>
  Type.String({ minLength: 1, maxLength: 500, pattern: '^\\s{0,500}[^\\s\\u0000][^\\u0000]*$', description });

export const domainField = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[^\\u0000-\\u001f\\u007f]+$',
  description: 'As a row has it.',
});
export const writtenBy = Type.Union([Type.String(), Type.Null()], {
  description: 'The name of that person; null where they have left the organization.',
});

export const date = Type.String({ format: 'date' });
export const moneyMetaFields = {
  old_rates: Type.Array(Type.Object({ currency: Type.String(), rate_day: date, used_until: date }), {
    description: 'As in `meta` of a report.',
  }),
  rates: Type.Array(Type.Object({ source: Type.String(), first_day: date, last_day: date }), {
    description: 'As in `meta` of a report.',
  }),
  source_days: Type.Array(Type.Object({ source: Type.String(), timezone: Type.String() }), {
    description: 'Sources whose whole days were counted, in a timezone that is not the one of the question.',
  }),
  left_out: Type.Array(Type.Object({ currency: Type.String(), rows: Type.Integer({ minimum: 1 }) }), {
    description: 'Rows of the statistics in no figure, as in `meta` of a report.',
  }),
};

export const exact = (description: string) =>
  Type.Unsafe<{ readonly rawJSON: string }>({ type: 'number', description });
export const exactOrNull = (description: string) =>
  Type.Unsafe<{ readonly rawJSON: string } | null>({ type: ['number', 'null'], description });

export const success = Type.Literal('success');
export const common = { tags: ['Reports'], security: [{ token: [] }] };
const refused: Readonly<Record<number, TSchema>> = {
  400: problem('The request is malformed.'),
  401: problem('Unauthenticated.'),
  422: invalid,
  429: problem('Too many requests. Try again later.'),
};
export const readAnswers = {
  ...refused,
  503: problem('The service is unavailable for the moment. Try again shortly.'),
};
export const writeAnswers = {
  ...readAnswers,
  413: problem('The request body is too large.'),
  415: problem('The request body must be application/json.'),
};
export const moneyAnswers = { ...writeAnswers, 503: withoutRate };
