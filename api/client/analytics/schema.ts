import { type Static, Type } from 'typebox';
import { calendarDay } from '../../../engine/contract/audience.ts';
import { countryField, timeField } from '../../http/fields.ts';
import { DEFAULT_DAYS, MOST_DAYS } from './period.ts';

export const overviewSchema = Type.Object(
  {
    total_subscribers: Type.Integer(),
    active_subscribers: Type.Integer(),
    total_deliveries: Type.Integer(),
    total_clicks: Type.Integer({
      description:
        'Of each delivery, as its click_count: each reader once, and never more than was accepted.',
    }),
    avg_click_rate: Type.Number({ description: 'Percent: all clicks of all that was accepted.' }),
    subscribers_by_device: Type.Record(Type.String(), Type.Integer(), {
      description: 'Active subscribers under `desktop`, `mobile`, `tablet`; `unknown` where there are such.',
    }),
    subscribers_by_browser: Type.Array(Type.Object({ browser: Type.String(), count: Type.Integer() }), {
      description: 'Active subscribers whose browser is known, by its name in lower case, most first.',
    }),
    subscribers_by_country: Type.Array(Type.Object({ country: countryField, count: Type.Integer() }), {
      description: 'Active subscribers whose country is known, most first.',
    }),
  },
  {
    title: 'AnalyticsOverview',
    examples: [
      {
        total_subscribers: 128_500,
        active_subscribers: 117_930,
        total_deliveries: 412,
        total_clicks: 1_904_220,
        avg_click_rate: 4.12,
        subscribers_by_device: { desktop: 61_020, mobile: 55_410, tablet: 1_500 },
        subscribers_by_browser: [{ browser: 'chrome', count: 81_330 }],
        subscribers_by_country: [{ country: 'DE', count: 80_114 }],
      },
    ],
  },
);
export type Overview = Static<typeof overviewSchema>;

const MAX_DAYS = 90;

export const periodQuery = Type.Object({
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_DAYS,
      default: DEFAULT_DAYS,
      description: 'Length of the period in days; today (UTC) is its last. For another period: from and to.',
    }),
  ),
  from: Type.Optional(
    calendarDay(
      `First day of the period, in UTC, instead of days; the period has ${MOST_DAYS} days at most.`,
    ),
  ),
  to: Type.Optional(calendarDay('Last day of the period, in UTC. Left out: today.')),
});

const periodDays = Type.Integer({ description: 'The days asked for.' });
const date = Type.String({ format: 'date', description: 'In UTC.' });
const EVERY_DAY = 'One entry a day of the period, oldest first.';
const DAY_OF_DELIVERY =
  'A delivery counts on the day it was due: of its scheduled_at, otherwise its created_at.';

const clicks = Type.Integer({
  description: 'Subscribers who clicked that day’s deliveries, whenever they did; each once a delivery.',
});
const accepted = Type.Integer({
  description: 'Messages that push services accepted, of that day’s deliveries.',
});

export const subscriberStatsSchema = Type.Object(
  {
    period_days: periodDays,
    growth: Type.Array(
      Type.Object({
        date,
        new_subscribers: Type.Integer({
          description:
            'Subscribers who joined that day, including those who unsubscribed or were deleted since; one who comes back is not new.',
        }),
        left_subscribers: Type.Integer({
          description:
            'Subscribers who unsubscribed that day, themselves or because their push service said that they are gone, and are unsubscribed still. Not in it: those who came back, and those who were deleted since.',
        }),
      }),
      { description: EVERY_DAY },
    ),
    active_vs_inactive: Type.Object(
      { subscribed: Type.Integer(), unsubscribed: Type.Integer() },
      { description: 'Of all subscriptions, as they are now.' },
    ),
  },
  {
    title: 'SubscriberStatistics',
    examples: [
      {
        period_days: 2,
        growth: [
          { date: '2026-01-30', new_subscribers: 412, left_subscribers: 37 },
          { date: '2026-01-31', new_subscribers: 388, left_subscribers: 41 },
        ],
        active_vs_inactive: { subscribed: 117_930, unsubscribed: 10_570 },
      },
    ],
  },
);
export type SubscriberStats = Static<typeof subscriberStatsSchema>;

export const deliveryStatsSchema = Type.Object(
  {
    period_days: periodDays,
    daily_stats: Type.Array(
      Type.Object({
        date,
        total: Type.Integer({ description: 'Deliveries, in any status.' }),
        successful: Type.Integer({ description: 'Those with status `success`.' }),
        notifications_sent: accepted,
        clicks,
      }),
      { description: `${EVERY_DAY} ${DAY_OF_DELIVERY}` },
    ),
    status_breakdown: Type.Object(
      {
        success: Type.Integer(),
        partial: Type.Integer(),
        failed: Type.Integer(),
        cancelled: Type.Integer(),
      },
      { description: 'Deliveries of the period that have come to an end, by how.' },
    ),
  },
  {
    title: 'DeliveryStatistics',
    examples: [
      {
        period_days: 1,
        daily_stats: [
          { date: '2026-01-31', total: 4, successful: 3, notifications_sent: 471_720, clicks: 18_868 },
        ],
        status_breakdown: { success: 3, partial: 1, failed: 0, cancelled: 0 },
      },
    ],
  },
);
export type DeliveryStats = Static<typeof deliveryStatsSchema>;

const topDelivery = Type.Object({
  id: Type.Integer(),
  identifier: Type.String(),
  title: Type.String(),
  click_rate: Type.Number({ description: 'Percent of success_count.' }),
  click_count: Type.Integer(),
  success_count: Type.Integer(),
  completed_at: timeField,
});
export type TopDeliveryResource = Static<typeof topDelivery>;

export const engagementSchema = Type.Object(
  {
    period_days: periodDays,
    engagement_by_day: Type.Array(
      Type.Object({
        date,
        avg_click_rate: Type.Number({ description: 'Percent: total_clicks of total_sent.' }),
        total_clicks: clicks,
        total_sent: accepted,
      }),
      { description: `${EVERY_DAY} ${DAY_OF_DELIVERY}` },
    ),
    top_performing_deliveries: Type.Array(topDelivery, {
      description:
        'Of the period’s completed deliveries that push services accepted anything of, at most 10: the best click_rate first, then the most clicks.',
    }),
  },
  {
    title: 'Engagement',
    examples: [
      {
        period_days: 1,
        engagement_by_day: [
          { date: '2026-01-31', avg_click_rate: 4, total_clicks: 4_000, total_sent: 100_000 },
        ],
        top_performing_deliveries: [
          {
            id: 4_711,
            identifier: 'dlv_Zr4pX0qYt2mNw8Ks',
            title: 'Good morning',
            click_rate: 4,
            click_count: 4_000,
            success_count: 100_000,
            completed_at: '2026-01-31T06:02:11+00:00',
          },
        ],
      },
    ],
  },
);
export type Engagement = Static<typeof engagementSchema>;
