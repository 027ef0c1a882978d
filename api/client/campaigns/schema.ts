import { type Static, Type } from 'typebox';
import { campaignKinds, campaignStatuses } from '../../../engine/contract/campaign.ts';
import { withExplainers } from '../../../engine/kit/http/rules.ts';
import {
  nullable,
  nullableInteger,
  nullableText,
  nullableTime,
  shortText,
  timeField,
} from '../../http/fields.ts';
import { pageFields } from '../../http/page.ts';
import { approvalField, approvalStateField } from '../approvals/schema.ts';
import { quietHoursChoices } from '../deliveries/create/quiet-hours.ts';
import { contentFields, sendFields } from '../deliveries/schema.ts';
import { feedForecast, feedStateSchema } from './feed-schema.ts';
import { oneOf } from './one-of.ts';
import { campaignPlan, explainPlan, MAX_VARIANTS } from './plan-schema.ts';

const notification = Type.Object(contentFields, { title: 'CampaignNotification' });
export const newCampaignExample = {
  name: 'Storm: which title',
  notifications: [
    { title: 'Storm hits the coast', body: 'What to know now', url: 'https://news.example.com/storm' },
    {
      title: 'Trains stop at noon: storm warning',
      body: 'What to know now',
      url: 'https://news.example.com/storm',
    },
  ],
  plan: { kind: 'ab_test', test_percent: 20, decide_by: 'clicks', decide_after_minutes: 30 },
};

export const campaignBody = withExplainers(
  Type.Object(
    {
      name: shortText('Internal label.'),
      notifications: Type.Optional(
        Type.Array(notification, {
          minItems: 1,
          maxItems: MAX_VARIANTS,
          description:
            'Of a test, 2 to 10 variants; of a feed none, for its items say what is sent; otherwise one.',
        }),
      ),
      ...sendFields,
      during_quiet_hours: Type.Optional(
        oneOf(
          quietHoursChoices,
          'Of a schedule in one zone and of a feed, where the app has `quiet_hours`: their messages wait (the default), are ' +
            'dropped for who is in them, or pass. Tests and sends by local time have chosen their time, and drafts are ' +
            'approved by a person: they pass.',
        ),
      ),
      plan: campaignPlan,
    },
    { title: 'NewCampaign', examples: [newCampaignExample] },
  ),
  { plan: explainPlan },
);
export type CampaignBody = Static<typeof campaignBody>;

const given = {
  segment_id: nullableInteger,
  delivery_category_id: nullableInteger,
  ignore_frequency_cap: Type.Boolean(),
  ttl_seconds: Type.Integer(),
  require_interaction: Type.Boolean(),
  topic: nullableText,
  urgency: Type.String(),
  rate_per_minute: nullableInteger,
  rehearsal: Type.Boolean(),
  during_quiet_hours: oneOf(quietHoursChoices),
};

const decisionExample = {
  by: 'clicks',
  at: '2026-01-31T12:31:02+00:00',
  winner: 2,
  sent: 2,
  reason: 'decided',
};
const campaignExample = {
  id: 12,
  ...newCampaignExample,
  kind: 'ab_test',
  status: 'scheduled',
  segment_id: null,
  delivery_category_id: null,
  ignore_frequency_cap: false,
  ttl_seconds: 3_600,
  require_interaction: false,
  topic: null,
  urgency: 'normal',
  rate_per_minute: null,
  rehearsal: false,
  during_quiet_hours: 'wait',
  plan: { ...newCampaignExample.plan, fallback: 1 },
  parent_id: null,
  next_step_at: '2026-01-31T12:00:00+00:00',
  reader_times: null,
  version: 0,
  approval: null,
  feed: null,
  decision: null,
  deliveries: 0,
  total_subscribers: 0,
  success_count: 0,
  failed_count: 0,
  error_message: null,
  created_at: '2026-01-31T12:00:00+00:00',
  updated_at: '2026-01-31T12:00:00+00:00',
  started_at: null,
  completed_at: null,
};
const variantExamples = [
  {
    number: 1,
    delivery_id: 81,
    accepted: 11_702,
    clicked: 456,
    rate: 3.9,
    interval: { low: 3.56, high: 4.26 },
    probability_best: 0.01,
  },
  {
    number: 2,
    delivery_id: 82,
    accepted: 11_688,
    clicked: 602,
    rate: 5.15,
    interval: { low: 4.77, high: 5.57 },
    probability_best: 99.99,
  },
];

const decision = Type.Object(
  {
    by: oneOf(['clicks', 'hand']),
    at: timeField,
    winner: nullable<number>({
      type: 'integer',
      description: 'Number of the variant, from 1. Null: none won.',
    }),
    sent: Type.Integer({ description: 'Number of the variant that the others got.' }),
    reason: oneOf(
      ['decided', 'too-few', 'too-close', 'clicks-unknown', 'by-hand'],
      '`too-few`: fewer than 100 accepted messages in a variant. `too-close`: no variant is the best with 95 % ' +
        'probability. `clicks-unknown`: clicks could not be counted for an hour.',
    ),
  },
  { title: 'CampaignDecision', examples: [decisionExample] },
);

const readerTimes = Type.Object(
  { first_at: timeField, last_at: timeField },
  {
    title: 'ReaderTimes',
    description:
      'The first and the last instant at which readers of its audience get it, by their time zones.',
    examples: [{ first_at: '2026-01-31T07:00:00+00:00', last_at: '2026-01-31T16:00:00+00:00' }],
  },
);

export const campaignSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    kind: oneOf(campaignKinds),
    status: oneOf(
      campaignStatuses,
      '`scheduled`: nothing was created yet, and it may be changed. `running`: a step is to come. `deciding`: it waits ' +
        'until a person names the winner. `completed`: it creates nothing any more; its deliveries may still be sent.',
    ),
    notifications: Type.Array(notification),
    ...given,
    plan: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    parent_id: nullable<number>({
      type: 'integer',
      description: 'Of a firing by local time: the recurring campaign.',
    }),
    next_step_at: nullable<string>({
      type: 'string',
      format: 'date-time',
      description:
        'When it creates its next deliveries, or decides; by local time, an instant at which that may have no readers. ' +
        'Null: nothing comes by itself.',
    }),
    reader_times: Type.Union([readerTimes, Type.Null()], {
      description:
        'Of a campaign by local time, or past quiet hours, that is read while it is open; of an empty audience, as if it were ' +
        'in the app’s time zone. Null otherwise, and where it could not be counted in time. At most five minutes old.',
    }),
    version: Type.Integer({ description: 'Raised by every change, and by every step.' }),
    approval: approvalField,
    feed: Type.Union([feedStateSchema, Type.Null()], { description: 'Of a feed; otherwise null.' }),
    decision: Type.Union([decision, Type.Null()]),
    deliveries: Type.Integer({ description: 'That it has created, those of its firings included.' }),
    total_subscribers: Type.Integer({ description: 'Of all its deliveries.' }),
    success_count: Type.Integer(),
    failed_count: Type.Integer(),
    error_message: nullableText,
    created_at: timeField,
    updated_at: timeField,
    started_at: nullableTime,
    completed_at: nullableTime,
  },
  { title: 'Campaign', examples: [campaignExample] },
);
export type CampaignResource = Static<typeof campaignSchema>;

const interval = Type.Object(
  { low: Type.Number(), high: Type.Number() },
  { title: 'Interval', examples: [{ low: 3.1, high: 4.6 }] },
);
const variantSchema = Type.Object(
  {
    number: Type.Integer({ description: 'From 1.' }),
    delivery_id: Type.Integer(),
    accepted: Type.Integer(),
    clicked: Type.Integer(),
    rate: nullable<number>({ type: 'number', description: 'Percent of accepted. Null: none was accepted.' }),
    interval: Type.Union([interval, Type.Null()], {
      description: 'Percent: the rate lies in it with 95 % probability.',
    }),
    probability_best: Type.Number({ description: 'Percent.' }),
  },
  { title: 'CampaignVariant', examples: variantExamples },
);

/** A single campaign also shows how its variants do. */
export const campaignDetailSchema = Type.Object(
  {
    ...campaignSchema.properties,
    click_count: nullable<number>({
      type: 'integer',
      description:
        'Clicks of its deliveries (the newest thousand), each reader of one once. Null: clicks cannot be counted at the moment.',
    }),
    variants: Type.Union([Type.Array(variantSchema), Type.Null()], {
      description:
        'Of a test, as of now: by Beta posteriors with a uniform prior, Beta(1, 1). Null: no test, not started, or clicks ' +
        'cannot be counted at the moment.',
    }),
    difference: Type.Union([interval, Type.Null()], {
      description:
        'Percentage points: the rate of the best variant above that of the second, with 95 % probability.',
    }),
  },
  {
    title: 'CampaignDetail',
    examples: [
      {
        ...campaignExample,
        status: 'completed',
        next_step_at: null,
        decision: decisionExample,
        deliveries: 3,
        total_subscribers: 118_412,
        success_count: 116_984,
        failed_count: 1_428,
        started_at: '2026-01-31T12:00:01+00:00',
        completed_at: '2026-01-31T12:31:02+00:00',
        click_count: 5_902,
        variants: variantExamples,
        difference: { low: 0.6, high: 1.9 },
      },
    ],
  },
);
export type CampaignDetail = Static<typeof campaignDetailSchema>;

export const campaignFilters = Type.Object({
  ...pageFields,
  status: Type.Optional(oneOf(campaignStatuses, 'Of this status alone.')),
  kind: Type.Optional(oneOf(campaignKinds, 'Of this kind alone.')),
  approval: Type.Optional(approvalStateField),
  parent_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'The firings of this campaign, which the list leaves out else.',
    }),
  ),
});
export type CampaignFilters = Static<typeof campaignFilters>;

export const winnerBody = Type.Object(
  {
    variant: Type.Integer({
      minimum: 1,
      maximum: MAX_VARIANTS,
      description: 'Number of the variant, from 1.',
    }),
  },
  { title: 'CampaignWinner', examples: [{ variant: 2 }] },
);

const previewExample = { plan: { kind: 'local_time', at: '2030-11-24T08:00' } };
export const campaignPreviewBody = withExplainers(
  Type.Object(
    {
      plan: campaignPlan,
      variants: Type.Optional(
        Type.Integer({ minimum: 2, maximum: MAX_VARIANTS, description: 'Of a test; 2 when left out.' }),
      ),
      segment_id: sendFields.segment_id,
      delivery_category_id: sendFields.delivery_category_id,
    },
    { title: 'CampaignPreview', examples: [previewExample] },
  ),
  { plan: explainPlan },
);
export type CampaignPreviewBody = Static<typeof campaignPreviewBody>;

export const campaignForecast = Type.Object(
  {
    readers: Type.Integer({ description: 'In the audience now, before the frequency cap.' }),
    steps: Type.Array(
      Type.Object({
        at: nullable<string>({
          type: 'string',
          format: 'date-time',
          description: 'Null: once it is decided.',
        }),
        role: Type.String({ description: 'As `campaign_role` of its delivery begins.' }),
        readers: Type.Integer({ description: 'Of a test, about this many.' }),
        time_zones: Type.Array(Type.String(), { description: 'By local time: those with readers.' }),
      }),
      { description: 'In the order of their times; of a schedule, the next five firings; of a feed, none.' },
    ),
    feed: Type.Union([feedForecast, Type.Null()], { description: 'Of a feed; otherwise null.' }),
  },
  {
    title: 'CampaignForecast',
    examples: [
      {
        readers: 1_204,
        steps: [
          {
            at: '2030-11-24T07:00:00+00:00',
            role: 'zones',
            readers: 1_204,
            time_zones: ['Europe/Berlin', 'Europe/Paris'],
          },
        ],
        feed: null,
      },
    ],
  },
);
export type CampaignForecast = Static<typeof campaignForecast>;
