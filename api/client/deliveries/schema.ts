import { type Static, Type } from 'typebox';
import { deliveryStatuses } from '../../../engine/contract/delivery.ts';
import { wordPattern } from '../../plugins/validation-messages.ts';
import {
  dayFilter,
  httpUrl,
  idField,
  nullableInteger,
  nullableText,
  nullableTime,
  parseTime,
  shortText,
  timeField,
} from '../fields.ts';
import { pageFields } from '../page.ts';

const status = Type.Unsafe<(typeof deliveryStatuses)[number]>({
  type: 'string',
  enum: [...deliveryStatuses],
});

export const deliverySchema = Type.Object({
  id: Type.Integer(),
  identifier: Type.String(),
  name: Type.String({ description: 'Internal label.' }),
  title: Type.String(),
  body: Type.String(),
  url: Type.String(),
  image_url: nullableText,
  status,
  source_type: Type.String(),
  delivery_category_id: nullableInteger,
  segment_id: nullableInteger,
  ignore_frequency_cap: Type.Boolean(),
  action_buttons: Type.Array(Type.Object({ title: Type.String(), url: Type.String() })),
  ttl_seconds: Type.Integer(),
  require_interaction: Type.Boolean(),
  topic: nullableText,
  scheduled_at: nullableTime,
  queued_at: nullableTime,
  started_at: nullableTime,
  completed_at: nullableTime,
  total_subscribers: Type.Integer({
    description: 'The plan’s count until the delivery completes, then exact.',
  }),
  capped_subscribers: Type.Integer(),
  success_count: Type.Integer(),
  failed_count: Type.Integer(),
  click_count: Type.Integer(),
  click_rate: Type.Number({ description: 'Percent of success_count.' }),
  error_message: nullableText,
  created_at: timeField,
  updated_at: timeField,
});
export type DeliveryResource = Static<typeof deliverySchema>;

const scheduledAt = Type.Refine(
  Type.Refine(
    Type.String({ description: 'In the future; without an offset it is UTC.' }),
    (text) => typeof text !== 'string' || parseTime(text) !== null,
    () => 'must be an ISO 8601 time such as 2026-01-31T12:00:00+00:00',
  ),
  (text) => typeof text !== 'string' || (parseTime(text)?.getTime() ?? Number.POSITIVE_INFINITY) > Date.now(),
  () => 'must be in the future',
);

const topic = Type.String({
  maxLength: 32,
  pattern: wordPattern,
  description: 'Replaces older pushes of the same topic.',
});

export const deliveryBody = Type.Object({
  name: shortText('Internal label.'),
  title: shortText('First line of the notification.'),
  body: shortText('Text of the notification.'),
  url: httpUrl('Where a click leads.'),
  image_url: Type.Optional(httpUrl('PNG or JPG, at most 2 MB.')),
  delivery_category_id: Type.Optional(idField('An existing delivery category.')),
  segment_id: Type.Optional(idField('An existing segment; all subscribers when left out.')),
  scheduled_at: Type.Optional(scheduledAt),
  ignore_frequency_cap: Type.Optional(Type.Boolean({ default: false })),
  action_buttons: Type.Optional(
    Type.Array(
      Type.Object({
        title: Type.String({ minLength: 1, maxLength: 48 }),
        url: httpUrl('Where a click on the button leads.'),
      }),
      { maxItems: 2 },
    ),
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
});
export type DeliveryBody = Static<typeof deliveryBody>;

export const deliveryFilters = Type.Object({
  ...pageFields,
  status: Type.Optional(status),
  name: Type.Optional(Type.String({ maxLength: 255, description: 'Part of the name, in any case.' })),
  title: Type.Optional(Type.String({ maxLength: 255, description: 'Part of the title, in any case.' })),
  category: Type.Optional(Type.String({ maxLength: 255, description: 'Name of the delivery category.' })),
  created_after: Type.Optional(dayFilter('On this day (UTC) or later.')),
  created_before: Type.Optional(dayFilter('On this day (UTC) or earlier.')),
});
export type DeliveryFilters = Static<typeof deliveryFilters>;
