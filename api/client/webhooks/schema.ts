import { Type } from 'typebox';
import {
  MAX_ANSWERS,
  PING,
  type SentType,
  type WebhookState,
  type WebhookType,
  webhookStates,
  webhookTypes,
} from '../../../engine/contract/webhooks.ts';
import { givenUrl, nullable, nullableTime, timeField } from '../../http/fields.ts';

const wantedTypes = Type.Array(Type.Unsafe<WebhookType>({ type: 'string', enum: [...webhookTypes] }), {
  minItems: 1,
  maxItems: webhookTypes.length,
  description: 'The types of messages that the endpoint gets.',
});
const urlField = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'Of the receiver: https, on the public internet, without a password.',
  format: 'uri',
});
const descriptionField = Type.String({ maxLength: 255, description: 'For people.' });
const secretField = Type.String({
  description: 'Verifies signatures (Standard Webhooks). Shown in this answer and never again.',
});

const example = {
  id: 3,
  url: 'https://cms.example.com/broadside',
  description: 'Newsroom',
  types: ['delivery.success' as const, 'delivery.partial' as const, 'delivery.failed' as const],
  enabled: true,
  disabled_reason: null,
  failing_since: null,
  waiting: 0,
  old_secret_until: null,
  created_at: '2026-01-30T12:00:00+00:00',
  updated_at: '2026-01-30T12:00:00+00:00',
};
const secretExample = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const webhookFields = {
  id: Type.Integer(),
  url: givenUrl,
  description: Type.String(),
  types: wantedTypes,
  enabled: Type.Boolean(),
  disabled_reason: nullable<string>({
    type: 'string',
    description: 'Why Broadside disabled it; null where a person did, or nobody.',
  }),
  failing_since: nullable<string>({
    type: 'string',
    format: 'date-time',
    description: 'Since when every attempt failed.',
  }),
  waiting: Type.Integer({ description: 'Messages that wait to be sent.' }),
  old_secret_until: nullable<string>({
    type: 'string',
    format: 'date-time',
    description: 'After a rotation: until when messages carry a signature by the secret before, too.',
  }),
  created_at: timeField,
  updated_at: timeField,
};
export const webhookSchema = Type.Object(webhookFields, { title: 'Webhook', examples: [example] });
export const newWebhookSchema = Type.Object(
  { ...webhookFields, secret: secretField },
  { title: 'NewWebhook', examples: [{ ...example, secret: secretExample }] },
);

export const webhookBody = Type.Object(
  { url: urlField, description: Type.Optional(descriptionField), types: wantedTypes },
  {
    title: 'WebhookBody',
    examples: [{ url: example.url, description: example.description, types: example.types }],
  },
);
export const webhookChanges = Type.Object(
  {
    url: Type.Optional(urlField),
    description: Type.Optional(descriptionField),
    types: Type.Optional(wantedTypes),
    enabled: Type.Optional(
      Type.Boolean({ description: 'True also for one that Broadside disabled after failures.' }),
    ),
  },
  { title: 'WebhookChanges', examples: [{ enabled: true }] },
);

const answerSchema = Type.Object(
  {
    at: timeField,
    status: nullable<number>({ type: 'integer', description: 'Null: nothing answered.' }),
    words: Type.String({ description: 'For people.' }),
    body: Type.String({ description: 'The first 1,024 bytes of the answer.' }),
    took_ms: Type.Integer(),
  },
  { title: 'WebhookAnswer' },
);
export const messageSchema = Type.Object(
  {
    id: Type.Integer(),
    header_id: Type.String({
      description: 'The header `webhook-id`: the same in each attempt, and in a replay.',
    }),
    type: Type.Unsafe<SentType>({ type: 'string', enum: [...webhookTypes, PING] }),
    state: Type.Unsafe<WebhookState>({ type: 'string', enum: [...webhookStates] }),
    payload: Type.Object({
      type: Type.String(),
      timestamp: Type.String({ format: 'date-time' }),
      data: Type.Record(Type.String(), Type.Unknown()),
    }),
    attempts: Type.Integer(),
    next_attempt_at: nullableTime,
    ended_at: nullableTime,
    answers: Type.Array(answerSchema, {
      description: `What the receiver answered to the last ${MAX_ANSWERS} attempts, oldest first.`,
    }),
    created_at: timeField,
  },
  {
    title: 'WebhookMessage',
    examples: [
      {
        id: 812,
        header_id: 'msg_0b6a3f0e8d5c4b7f9a1e2d3c4b5a6978',
        type: 'delivery.success',
        state: 'sent',
        payload: {
          type: 'delivery.success',
          timestamp: '2026-01-31T12:00:00.000Z',
          data: { app: 'example-news-k3x9qa', delivery: 'dlv_4f0c2c1d', status: 'success' },
        },
        attempts: 1,
        next_attempt_at: null,
        ended_at: '2026-01-31T12:00:01+00:00',
        answers: [
          { at: '2026-01-31T12:00:01+00:00', status: 204, words: 'answered 204', body: '', took_ms: 83 },
        ],
        created_at: '2026-01-31T12:00:00+00:00',
      },
    ],
  },
);

export const stateFilter = Type.Optional(
  Type.Unsafe<WebhookState>({
    type: 'string',
    enum: [...webhookStates],
    description: 'Only messages in this state.',
  }),
);
