import { Type } from 'typebox';
import {
  type AlertChannelKind,
  type AlertKind,
  type AlertSendState,
  alertChannelKinds,
  alertKinds,
  alertSendStates,
  type SentKind,
  TEST_ALERT,
} from '../../../../engine/contract/alerts.ts';
import { withRules } from '../../../../engine/kit/http/rules.ts';
import { nullableText, nullableTime, timeField } from '../../../http/fields.ts';
import { notBlank } from '../../fields.ts';

const channelKind = Type.Unsafe<AlertChannelKind>({ type: 'string', enum: [...alertChannelKinds] });
const wantedKinds = Type.Array(Type.Unsafe<AlertKind>({ type: 'string', enum: [...alertKinds] }), {
  minItems: 1,
  maxItems: alertKinds.length,
  description: 'The kinds of alerts that the channel gets.',
});

const channelExample = {
  id: 3,
  kind: 'webhook',
  address: 'https://ops.example.com/broadside',
  alert_kinds: ['delivery-failed', 'delivery-stuck'],
  enabled: true,
  disabled_reason: null,
  last_answer: 'answered 204',
  last_at: '2026-01-31T12:00:00+00:00',
  created_at: '2026-01-30T12:00:00+00:00',
};
const channelFields = {
  id: Type.Integer(),
  kind: channelKind,
  address: Type.String({
    description: 'The e-mail address, the webhook’s URL, or the origin of the Slack URL, which is a secret.',
  }),
  alert_kinds: wantedKinds,
  enabled: Type.Boolean(),
  disabled_reason: nullableText,
  last_answer: nullableText,
  last_at: nullableTime,
  created_at: timeField,
};
export const channelSchema = Type.Object(channelFields, {
  title: 'AlertChannel',
  examples: [channelExample],
});
export const newChannelSchema = Type.Object(
  {
    ...channelFields,
    secret: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description:
        'Of a webhook: verifies its signatures (Standard Webhooks). Shown in this answer and never again.',
    }),
  },
  {
    title: 'NewAlertChannel',
    examples: [{ ...channelExample, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }],
  },
);

export const channelBody = withRules(
  Type.Object(
    {
      kind: channelKind,
      address: Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: 'An e-mail address, or the https URL of the webhook.',
      }),
      alert_kinds: wantedKinds,
    },
    {
      title: 'AlertChannelBody',
      examples: [
        {
          kind: 'webhook',
          address: 'https://ops.example.com/broadside',
          alert_kinds: ['delivery-failed', 'delivery-stuck'],
        },
      ],
    },
  ),
  [notBlank('address')],
);
export const channelChanges = Type.Object(
  {
    alert_kinds: Type.Optional(wantedKinds),
    enabled: Type.Optional(
      Type.Boolean({ description: 'True also for a channel that Broadside disabled after failures.' }),
    ),
  },
  { title: 'AlertChannelChanges', examples: [{ enabled: true }] },
);

const sendSchema = Type.Object({
  channel_id: Type.Integer(),
  channel_kind: channelKind,
  address: Type.String(),
  state: Type.Unsafe<AlertSendState>({
    type: 'string',
    enum: [...alertSendStates],
    description: '`held` and `summed`: beyond ten of its kind in an hour; one alert then stands for them.',
  }),
  attempts: Type.Integer(),
  more: Type.Integer({ description: 'How many further alerts this one stands for.' }),
  last_answer: nullableText,
  last_at: nullableTime,
});
export const alertSchema = Type.Object(
  {
    id: Type.Integer(),
    kind: Type.Unsafe<SentKind>({ type: 'string', enum: [...alertKinds, TEST_ALERT] }),
    app: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Identifier of the app; null: of the whole organization.',
    }),
    detail: Type.Record(Type.String(), Type.Unknown()),
    created_at: timeField,
    sends: Type.Array(sendSchema),
  },
  {
    title: 'Alert',
    examples: [
      {
        id: 41,
        kind: 'delivery-failed',
        app: 'example-news-k3x9qa',
        detail: { delivery: 'dlv_4f0c2c1d', name: 'Morning', reason: 'The audience could not be read.' },
        created_at: '2026-01-31T12:00:00+00:00',
        sends: [
          {
            channel_id: 3,
            channel_kind: 'webhook',
            address: 'https://ops.example.com/broadside',
            state: 'sent',
            attempts: 1,
            more: 0,
            last_answer: 'answered 204',
            last_at: '2026-01-31T12:00:01+00:00',
          },
        ],
      },
    ],
  },
);
