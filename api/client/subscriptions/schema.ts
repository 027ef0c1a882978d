import { type Static, Type } from 'typebox';
import { boundedRecord } from '../../../engine/contract/concurrency/bounded-record.ts';
import {
  dayFilter,
  idField,
  nullable,
  nullableCountry,
  nullableText,
  nullableTime,
  timeField,
} from '../../http/fields.ts';
import { pageFields } from '../../http/page.ts';
import { type SubscriptionStatus, subscriptionStatuses } from '../../shared/subscription-status.ts';
import { MAX_TAGS_A_WRITE } from '../../shared/tag-limits.ts';

const status = Type.Unsafe<SubscriptionStatus>({
  type: 'string',
  enum: [...subscriptionStatuses],
  description: 'Whether deliveries reach it.',
});

const subscriptionExample = {
  id: 4_711,
  user_identity: 'b7e2c1d4-6a52-4a0e-9d1f-0c7be1a2f3d4',
  status: 'subscribed',
  device_type: 'mobile',
  browser_name: 'Chrome',
  browser_version: '141.0.0.0',
  os_name: 'Android',
  os_version: '15',
  country: 'DE',
  time_zone: 'Europe/Berlin',
  language: 'de-AT',
  notifications_sent: 412,
  notifications_clicked: 31,
  click_rate: 7.52,
  tags: { topic: 'sports', plan: 'premium' },
  preferences: {
    category_ids: [1, 4],
    fewer: { max_notifications: 3, window_minutes: 1_440 },
    paused_until: null,
    quiet_hours: { from: '22:00', to: '07:00' },
  },
  created_at: '2025-03-02T08:15:00+00:00',
  last_seen_at: '2026-01-31T12:00:00+00:00',
  last_clicked_at: '2026-01-30T18:40:11+00:00',
  unsubscribed_at: null,
  pruned: false,
};

const preferences = Type.Object(
  {
    category_ids: Type.Union([Type.Array(Type.Integer()), Type.Null()], {
      description: 'Delivery categories that the reader wants. Null: all of them.',
    }),
    fewer: Type.Union(
      [Type.Object({ max_notifications: Type.Integer(), window_minutes: Type.Integer() }), Type.Null()],
      { description: 'A cap of the reader’s own, beside the app’s. Null: none.' },
    ),
    paused_until: nullable<string>({
      type: 'string',
      format: 'date-time',
      description: 'Nothing is sent until then. Null: not paused.',
    }),
    quiet_hours: Type.Union([Type.Object({ from: Type.String(), to: Type.String() }), Type.Null()], {
      description: 'By the reader’s clock: bulk deliveries are held back then. Null: none.',
    }),
  },
  { title: 'SubscriptionPreferences', description: 'What the reader chose in the preference centre.' },
);

export const subscriptionSchema = Type.Object(
  {
    id: Type.Integer(),
    user_identity: nullableText,
    status,
    device_type: nullableText,
    browser_name: nullableText,
    browser_version: nullableText,
    os_name: nullableText,
    os_version: nullableText,
    country: nullableCountry,
    language: nullable<string>({
      type: 'string',
      description:
        'BCP 47, as the browser stated it last. Null: not known; then the main text of a delivery is for it.',
    }),
    time_zone: nullable<string>({
      type: 'string',
      description: 'IANA time zone of the browser. Null: unknown, and the app’s own applies.',
    }),
    notifications_sent: Type.Integer({
      description: 'Accepted by the push service; a delivery counts block by block, as its parts end.',
    }),
    notifications_clicked: Type.Integer({ description: 'Deliveries that were clicked.' }),
    click_rate: Type.Number({ description: 'Percent of notifications_sent.' }),
    tags: Type.Record(Type.String(), Type.String()),
    preferences,
    created_at: timeField,
    last_seen_at: Type.String({ format: 'date-time', description: 'To some minutes.' }),
    last_clicked_at: nullableTime,
    unsubscribed_at: nullableTime,
    pruned: Type.Boolean({
      description:
        'Unsubscribed by the app’s `prune_unreachable_days`, because it was never reachable in that time.',
    }),
  },
  { title: 'Subscription', examples: [subscriptionExample] },
);
export type SubscriptionResource = Static<typeof subscriptionSchema>;

/** Each is a join of its own in the list's statement. */
const MAX_FILTERED_TAGS = 5;

const country = Type.Refine(
  Type.String({
    maxLength: 16,
    description: 'ISO code of two letters, in any case.',
    documented: { pattern: '^[A-Za-z]{2}$' },
  }),
  (text) => typeof text !== 'string' || /^[A-Za-z]{2}$/.test(text),
  () => 'must be an ISO code of two letters',
);

/** `tag[<key>]=<value>` as `foldTags` leaves it. */
const tagFilter = Type.Refine(
  boundedRecord(
    { minLength: 1, maxLength: 255 },
    Type.Array(Type.String({ maxLength: 255 }), { maxItems: MAX_FILTERED_TAGS }),
    {
      maxProperties: MAX_FILTERED_TAGS,
      description: `Written \`tag[<key>]=<value>\`: the tag of this key has this value. Up to ${MAX_FILTERED_TAGS}, which must all hold.`,
    },
  ),
  (tags) => Object.values(tags).flat().length <= MAX_FILTERED_TAGS,
  () => `must name at most ${MAX_FILTERED_TAGS} tags: narrow the list by other filters, or by a segment`,
);

export const sorts = ['created_at', 'last_seen_at', 'last_clicked_at', 'notifications_sent'] as const;
export type Sort = (typeof sorts)[number];
export const directions = ['asc', 'desc'] as const;
export type Direction = (typeof directions)[number];

/** The app's tags that a search scans: each value is a step of its own. */
export const MAX_SEARCHED_KEYS = 50;
export const MAX_SEARCHED_VALUES = 1_000;

export const subscriptionFilters = Type.Object({
  ...pageFields,
  search: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'Part of the user identity, of an external id or of a tag’s value, in any case; or the whole id. Of a tag that ' +
        `has more than ${MAX_SEARCHED_VALUES.toLocaleString('en-US')} different values in the app, only a whole value, as it is written; and of more than ${MAX_SEARCHED_KEYS} ` +
        'keys, those that come first. Keys of tags are not looked through.',
    }),
  ),
  status: Type.Optional(status),
  device_type: Type.Optional(
    Type.String({ maxLength: 255, description: '`desktop`, `mobile` or `tablet`, in any case.' }),
  ),
  browser: Type.Optional(
    Type.String({ maxLength: 255, description: 'The whole name of the browser, in any case.' }),
  ),
  country: Type.Optional(country),
  tag: Type.Optional(tagFilter),
  segment_id: Type.Optional(
    idField(
      'Subscribed readers of this segment, as a delivery that starts now would find them. Lists that take longer than 5 seconds are cancelled with 503.',
    ),
  ),
  created_after: Type.Optional(dayFilter('On this day (UTC) or later.')),
  created_before: Type.Optional(dayFilter('On this day (UTC) or earlier.')),
  sort: Type.Optional(
    Type.Unsafe<Sort>({
      type: 'string',
      enum: [...sorts],
      default: 'created_at',
      description: 'A subscriber who never clicked sorts before all others.',
    }),
  ),
  direction: Type.Optional(
    Type.Unsafe<Direction>({
      type: 'string',
      enum: [...directions],
      default: 'desc',
      description: 'Of the sort.',
    }),
  ),
});
export type SubscriptionFilters = Static<typeof subscriptionFilters>;

export const tagsBody = Type.Object(
  {
    tags: boundedRecord({ minLength: 1, maxLength: 255 }, Type.String({ maxLength: 255 }), {
      maxProperties: MAX_TAGS_A_WRITE,
      description: 'Overwritten or added by key; tags that are not listed stay.',
    }),
  },
  { title: 'Tags', examples: [{ tags: { plan: 'premium', city: 'Hamburg' } }] },
);
