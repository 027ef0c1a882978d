import { Type } from 'typebox';
import { nullable, shortText, timeField } from '../../../http/fields.ts';

const tokenExample = {
  id: 7,
  name: 'Monthly figures',
  domains: ['news.example.com'],
  created_at: '2026-01-31T12:00:00+00:00',
  last_used_at: null,
};

const tokenFields = {
  id: Type.Integer(),
  name: Type.String(),
  domains: Type.Array(Type.String(), {
    description: 'Publisher domains whose rows it sees, as long as they are granted to the organization.',
  }),
  created_at: timeField,
  last_used_at: nullable<string>({
    type: 'string',
    format: 'date-time',
    description: 'To the minute; null: never.',
  }),
};
export const reportTokenSchema = Type.Object(tokenFields, { title: 'ReportToken', examples: [tokenExample] });
export const newReportTokenSchema = Type.Object(
  {
    ...tokenFields,
    token: Type.String({ description: '`<token_id>|<secret>`: shown in this answer and never again.' }),
  },
  {
    title: 'NewReportToken',
    examples: [{ ...tokenExample, token: '7|q5Yl0nVJ0m2bT3e8u6m1Yk2x4aZc7Hq9sR1tWvXy0Zg' }],
  },
);
export const reportDomainsSchema = Type.Object(
  { domains: Type.Array(Type.String()) },
  { title: 'ReportDomains', examples: [{ domains: ['news.example.com'] }] },
);

const MOST_DOMAINS = 100;

export const reportTokenBody = Type.Object(
  {
    name: shortText(
      'The purpose of the token. An earlier one of this name is revoked: the new one takes its place.',
    ),
    domains: Type.Array(Type.String({ maxLength: 253 }), {
      minItems: 1,
      maxItems: MOST_DOMAINS,
      description: 'Of those that the organization may report on: `GET /report-tokens/domains`.',
    }),
  },
  { title: 'CreateReportToken', examples: [{ name: tokenExample.name, domains: tokenExample.domains }] },
);
