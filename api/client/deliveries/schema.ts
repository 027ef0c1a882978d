import { type Static, Type } from 'typebox';
import { deliveryStatuses, urgencies } from '../../../engine/contract/delivery.ts';
import type { Lane } from '../../../engine/contract/topics.ts';
import { withRules } from '../../../engine/kit/http/rules.ts';
import { wordPattern } from '../../../engine/kit/http/validation-messages.ts';
import {
  futureTime,
  givenUrl,
  httpUrl,
  idField,
  nullable,
  nullableInteger,
  nullableText,
  nullableTime,
  parseTime,
  shortText,
  timeField,
} from '../../http/fields.ts';
import { funnelExample, funnelSchema } from '../analytics/funnel-schema.ts';
import { approvalField } from '../approvals/schema.ts';
import { correctionField } from './correction/field-schema.ts';
import { duplicateFields } from './create/duplicates.ts';
import { type DuringQuietHours, quietHoursChoices } from './create/quiet-hours.ts';
import { failuresField, goneCountField, nextAttemptField } from './progress/failures-schema.ts';
import { forecastField } from './progress/forecast-schema.ts';
import { pushServicesField } from './progress/push-services-schema.ts';
import { serviceCostsField } from './progress/service-costs-schema.ts';
import { buttonsField, clickUrl, textsAnswer, textsFields } from './texts/schema.ts';

export const status = Type.Unsafe<(typeof deliveryStatuses)[number]>({
  type: 'string',
  enum: [...deliveryStatuses],
  description: 'The status of the delivery.',
});
const urgency = Type.Unsafe<(typeof urgencies)[number]>({
  type: 'string',
  enum: [...urgencies],
  default: 'normal',
  description: 'RFC 8030: a device low on battery may delay messages below `high`.',
});
const lane = Type.Unsafe<Lane>({
  type: 'string',
  enum: ['bulk', 'breaking'],
  default: 'bulk',
  description:
    'A `breaking` delivery never waits behind `bulk`. The organization and the operator may limit the roles that send it, and the number per day.',
});

const newDeliveryExample = {
  name: 'Morning briefing',
  title: 'Good morning',
  body: 'The three stories to know today',
  url: 'https://news.example.com/briefing',
  action_buttons: [{ title: 'Read it', url: 'https://news.example.com/briefing?from=button' }],
  ttl_seconds: 3_600,
  topic: 'briefing',
};
const deliveryExample = {
  id: 81,
  identifier: 'dlv_mJ2nV0cXw1bQz7Rk',
  ...newDeliveryExample,
  image_url: null,
  icon_url: null,
  status: 'success',
  source_type: 'api',
  delivery_category_id: null,
  segment_id: null,
  ignore_frequency_cap: false,
  require_interaction: false,
  scheduled_at: null,
  queued_at: '2026-01-31T12:00:00+00:00',
  started_at: '2026-01-31T12:00:01+00:00',
  completed_at: '2026-01-31T12:00:14+00:00',
  total_subscribers: 117_930,
  capped_subscribers: 1_204,
  guarded_subscribers: 310,
  wished_subscribers: 84,
  success_count: 116_011,
  failed_count: 715,
  gone_count: 690,
  ambiguous: 38,
  click_count: 4_640,
  click_rate: 4,
  clicks_known: true,
  error_message: null,
  created_at: '2026-01-31T12:00:00+00:00',
  updated_at: '2026-01-31T12:00:14+00:00',
  urgency: 'normal',
  lane: 'bulk',
  rate_per_minute: null,
  expires_at: null,
  rehearsal: false,
  test: false,
  campaign_id: null,
  campaign_role: null,
  corrects_delivery_id: null,
  changes: 0,
  language: 'en',
  translations: [
    {
      language: 'de',
      title: 'Guten Morgen',
      body: 'Drei Themen des Tages',
      url: null,
      action_buttons: null,
      icon_url: null,
    },
  ],
  personal: false,
  approval: null,
};

export const deliverySchema = Type.Object(
  {
    id: Type.Integer(),
    identifier: Type.String(),
    name: Type.String({ description: 'Internal label.' }),
    title: Type.String(),
    body: Type.String(),
    url: givenUrl,
    image_url: nullable<string>({
      type: 'string',
      format: 'uri',
      description: 'Where the service itself serves the image.',
    }),
    icon_url: nullable<string>({
      type: 'string',
      format: 'uri',
      description: 'Where the service itself serves its own icon. Null: browsers show the app’s.',
    }),
    status,
    source_type: Type.String(),
    delivery_category_id: nullableInteger,
    segment_id: nullableInteger,
    ignore_frequency_cap: Type.Boolean(),
    action_buttons: Type.Array(Type.Object({ title: Type.String(), url: givenUrl })),
    ttl_seconds: Type.Integer(),
    require_interaction: Type.Boolean(),
    topic: nullableText,
    scheduled_at: nullableTime,
    queued_at: nullableTime,
    started_at: nullableTime,
    completed_at: nullable<string>({
      type: 'string',
      format: 'date-time',
      description: 'Null until it completes, and always where it was cancelled.',
    }),
    total_subscribers: Type.Integer({
      description: 'The plan’s count until the delivery completes, then exact.',
    }),
    capped_subscribers: Type.Integer({
      description:
        'Held back by the app’s frequency cap, by its guard of Chrome’s limit, or because the reader asked for it.',
    }),
    guarded_subscribers: Type.Integer({
      description:
        'Part of `capped_subscribers`: held back because the next notification could make Chrome end the permission.',
    }),
    wished_subscribers: Type.Integer({
      description:
        'Part of `capped_subscribers`: held back because the reader asked for fewer, for a pause or for quiet hours.',
    }),
    success_count: Type.Integer(),
    failed_count: Type.Integer(),
    gone_count: goneCountField,
    ambiguous: Type.Integer({
      description:
        'Attempts whose ending is not known: the message left, and no answer came. It may have arrived all the ' +
        'same, so a further attempt may bring it twice; the browser shows it once. Counted once for each attempt, ' +
        'beside `success_count` and `failed_count` and in neither: a subscription counts there by how it ended.',
    }),
    click_count: Type.Integer({ description: 'Readers who clicked it, each once.' }),
    click_rate: Type.Number({ description: 'Percent of success_count.' }),
    clicks_known: Type.Boolean({
      description: 'False: clicks cannot be counted at the moment, and click_count and click_rate are 0.',
    }),
    error_message: nullableText,
    created_at: timeField,
    updated_at: timeField,
    urgency,
    lane,
    rate_per_minute: nullable<number>({ type: 'integer', description: 'Null: as fast as it goes.' }),
    expires_at: nullableTime,
    rehearsal: Type.Boolean({
      description: 'No one received it: its counts and times are estimates, and no statistic includes them.',
    }),
    test: Type.Boolean({
      description: 'It went to test browsers alone, and no statistic of the app includes it.',
    }),
    campaign_id: nullable<number>({ type: 'integer', description: 'The campaign that created it.' }),
    campaign_role: nullable<string>({
      type: 'string',
      description:
        'What it is in its campaign: `variant-2`, `winner`, `zones` or `run` with an instant; unique there.',
    }),
    corrects_delivery_id: nullable<number>({
      type: 'integer',
      description: 'The delivery whose readers this one serves with another text.',
    }),
    changes: Type.Integer({ description: 'How often it was changed while it waited for its time.' }),
    ...textsAnswer,
    approval: approvalField,
  },
  { title: 'Delivery', examples: [deliveryExample] },
);
export type DeliveryResource = Static<typeof deliverySchema>;

/** A single delivery also shows its progress: on a list that would cost a lookup per row. */
export const deliveryDetailSchema = Type.Object(
  {
    ...deliverySchema.properties,
    engagement: Type.Union([funnelSchema, Type.Null()], {
      description:
        'Readers’ reactions: each stage is part of the one before. Null while they cannot be counted: retry later.',
    }),
    forecast: forecastField,
    push_services: pushServicesField,
    push_service_costs: serviceCostsField,
    failures: failuresField,
    next_attempt_at: nextAttemptField,
    correction: correctionField,
    unsubscribed_within_48_hours: nullable<number>({
      type: 'integer',
      description:
        'Of the subscribers whom it was accepted for, those who unsubscribed within 48 hours of started_at, themselves or found gone by a later delivery, and are unsubscribed still. Grows until then; at most a minute old. Null where nothing was sent to anyone, and where the app’s automatic deletion may have taken some of them.',
    }),
  },
  {
    title: 'DeliveryDetail',
    examples: [
      {
        ...deliveryExample,
        engagement: funnelExample,
        forecast: null,
        push_services: [],
        push_service_costs: [{ push_service: 'fcm', requests: 81_960, answer_ms: 48 }],
        failures: [],
        next_attempt_at: null,
        correction: { delivery_id: 82, status: 'processing', seen_before: 31_240 },
        unsubscribed_within_48_hours: 96,
      },
    ],
  },
);

const MAX_RATE_PER_MINUTE = 10_000_000;

const topic = Type.String({
  maxLength: 32,
  pattern: wordPattern,
  description: 'Replaces older pushes of the same topic.',
});

/**
 * What a notification says. In its texts and addresses `{{ tag.name | default: "reader" }}` stands for a tag of the
 * reader.
 */
export const contentFields = {
  title: shortText(
    'First line of the notification. `{{ tag.name | default: "reader" }}` is the reader’s tag `name`, here, in the body, the ' +
      'buttons and the addresses; filters: capitalize, default, downcase, strip, truncate, upcase.',
  ),
  body: shortText('Text of the notification.'),
  url: clickUrl('Where a click leads.'),
  image_url: Type.Optional(
    httpUrl(
      'PNG or JPG, at most 2 MB: a URL, which is fetched now, or in a form a file. It must be whole. The service serves it itself, without metadata such as where it was taken.',
    ),
  ),
  icon_url: Type.Optional(
    httpUrl(
      'Its own icon, such as its author’s face or its section’s mark: PNG or JPG, at most 2 MB and best square, a URL or a file as with `image_url`. The app’s when left out.',
    ),
  ),
  action_buttons: Type.Optional(buttonsField),
  ...textsFields,
};

/** To whom, and how, a notification or each of a campaign goes. */
export const sendFields = {
  delivery_category_id: Type.Optional(
    idField(
      'An existing delivery category. Readers who never stated categories receive every one; others receive the ones they stated, which may be none.',
    ),
  ),
  segment_id: Type.Optional(idField('An existing segment; all subscribers when left out.')),
  ignore_frequency_cap: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Also goes to subscribers over the app’s frequency cap. It still counts for later deliveries.',
    }),
  ),
  ttl_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_419_200,
      description: 'The app’s default_ttl_seconds when left out.',
    }),
  ),
  require_interaction: Type.Optional(Type.Boolean({ description: 'The app’s default when left out.' })),
  topic: Type.Optional(topic),
  urgency: Type.Optional(urgency),
  rate_per_minute: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_RATE_PER_MINUTE,
      description: 'Paces the delivery: the maximum of subscribers per minute, in steps of up to 1,024.',
    }),
  ),
  rehearsal: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'The real audience through the whole service, encryption included, against a built-in sink instead of the ' +
        'push services: shows the time it takes and the subscribers it reaches. No one receives it, and no ' +
        'frequency cap and no statistic counts it.',
    }),
  ),
};

export const duringQuietHours = Type.Optional(
  Type.Unsafe<DuringQuietHours>({
    type: 'string',
    enum: [...quietHoursChoices],
    default: 'wait',
    description:
      'Where the app has `quiet_hours`, and not in the breaking lane, which passes them. `wait`: who is in them gets it ' +
      'when they end, if it has not expired by then. `drop`: who is in them gets nothing. `send`: it passes, and the ' +
      'audit log says so. By the clocks of readers it becomes a campaign (`campaign_id`), of which this delivery is the first.',
  }),
);

const { rehearsal, ...sendOptions } = sendFields;
export const deliveryFields = Type.Object(
  {
    name: shortText('Internal label.'),
    ...contentFields,
    scheduled_at: Type.Optional(
      futureTime('In the future; without an offset it is UTC. Sent at once when left out.'),
    ),
    ...sendOptions,
    lane: Type.Optional(lane),
    expires_at: Type.Optional(
      futureTime('Nothing is sent from then on, nor kept for a device that is offline. After scheduled_at.'),
    ),
    rehearsal,
    during_quiet_hours: duringQuietHours,
    ...duplicateFields,
  },
  { title: 'NewDelivery', examples: [newDeliveryExample] },
);

export const deliveryBody = withRules(deliveryFields, [
  { field: 'expires_at', words: 'must be after scheduled_at', holds: expiresAfterStart },
]);
export type DeliveryBody = Static<typeof deliveryBody>;

/** Holds too where one of them is not a time: that is said of the field itself. */
function expiresAfterStart({
  scheduled_at: start,
  expires_at: end,
}: Readonly<Record<string, unknown>>): boolean {
  if (typeof start !== 'string' || typeof end !== 'string') return true;
  const [from, until] = [parseTime(start), parseTime(end)];
  return from === null || until === null || until > from;
}
