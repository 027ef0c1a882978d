import { type Static, Type } from 'typebox';
import { findScheduleFault } from '../../engine/campaigns/rules/firings.ts';
import { zoneName } from '../../engine/contract/time-zone.ts';
import { type Rule, withRules } from '../../engine/kit/http/rules.ts';

const url = (description: string) =>
  Type.String({ minLength: 12, maxLength: 2_000, pattern: '^https://[^\\s?#@]+', description });

const webhook = Type.Object(
  { url: url('Of the receiver: https, on the public internet, without a password.') },
  {
    additionalProperties: false,
    description:
      'A message of the type `report.ready`, signed as Standard Webhooks with the `secret` of the answer, with addresses from which the files can be downloaded without a token.',
  },
);
const email = Type.Object(
  {
    addresses: Type.Array(Type.String({ minLength: 3, maxLength: 254 }), {
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
      description: 'Of people of the organization. Who leaves it gets no further e-mail.',
    }),
  },
  {
    additionalProperties: false,
    description: 'With the file, or where that is too large with a link to download it without a token.',
  },
);
const bucket = Type.Object(
  {
    url: url('With the bucket in its path, and a prefix where you want one.'),
    region: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9-]+$',
        maxLength: 60,
        default: 'us-east-1',
        description: 'Default: `us-east-1`.',
      }),
    ),
    key_id: Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7E]+$' }),
    secret: Type.String({
      minLength: 1,
      maxLength: 500,
      description:
        'Of the key, which needs no right but to put objects. It is kept encrypted and never shown.',
    }),
  },
  {
    additionalProperties: false,
    description:
      'S3-compatible. The files are put below `schedule-<id>/run-<id>/`, at a repeated attempt under the same names.',
  },
);

const rules: readonly Rule[] = [
  {
    field: 'cron',
    words: 'must stand alone, or when_final be true: give one of them',
    holds: ({ cron, when_final }) => (cron === undefined) === (when_final === true),
  },
  {
    field: 'webhook',
    words: 'must be the only place: give one of webhook, email and bucket',
    holds: (body) =>
      [body.webhook, body.email, body.bucket].filter((each) => each !== undefined).length === 1,
  },
];

export const scheduleRequest = withRules(
  Type.Object(
    {
      saved_id: Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The saved report.',
      }),
      cron: Type.Optional(
        Type.Refine(
          Type.String({
            maxLength: 100,
            description:
              'Five fields: minute, hour, day of the month, month, day of the week; at least 15 minutes apart. A time that clocks skip comes behind the gap, one that they repeat comes once.',
          }),
          (line) => typeof line !== 'string' || findScheduleFault(line, 'UTC') === null,
          (line) => findScheduleFault(String(line), 'UTC') ?? 'must be a cron line',
        ),
      ),
      when_final: Type.Optional(
        Type.Boolean({
          description:
            'In place of `cron`: once for the days of each period, when no figure of them changes any more.',
        }),
      ),
      timezone: Type.Optional(
        Type.Refine(
          Type.String({
            maxLength: 64,
            default: 'UTC',
            description:
              'Of `cron`: IANA name such as `Europe/Berlin`. The report has its own. Default: UTC.',
          }),
          (name) => typeof name !== 'string' || zoneName(name) !== null,
          () => 'must be a timezone such as Europe/Berlin',
        ),
      ),
      format: Type.Optional(
        Type.Enum(['csv', 'xlsx', 'parquet', 'ndjson', 'json'], {
          type: 'string',
          default: 'csv',
          description: 'Of the files. Default: `csv`.',
        }),
      ),
      webhook: Type.Optional(webhook),
      email: Type.Optional(email),
      bucket: Type.Optional(bucket),
    },
    {
      title: 'ReportScheduleRequest',
      additionalProperties: false,
      examples: [
        {
          saved_id: 3,
          cron: '0 7 * * MON',
          timezone: 'Europe/Berlin',
          format: 'xlsx',
          email: { addresses: ['anna@news.example'] },
        },
      ],
    },
  ),
  rules,
);
export type ScheduleRequest = Static<typeof scheduleRequest>;
