import { type Static, Type } from 'typebox';
import { exact, rawJSON, revenueMeta, revenueQuery } from '../revenue-schema.ts';
import type { KeptDeliveryRevenue } from './read.ts';

export const DEFAULT_DELIVERIES = 100;

export const deliveryRevenueQuery = Type.Object({
  ...revenueQuery.properties,
  impressions_per_visit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000,
      description:
        'How many ad impressions a visit has at most. Left out: all impressions of the hours of the clicks are shared among deliveries, those of other visitors too.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000,
      default: DEFAULT_DELIVERIES,
      description: 'How many deliveries are listed; `others` has the rest.',
    }),
  ),
});

const impressions = (of: string) => Type.Integer({ description: `Ad impressions ${of}.` });

const delivery = Type.Object({
  id: Type.Integer(),
  identifier: Type.String(),
  title: Type.String(),
  date: Type.String({ format: 'date', description: 'When it was due, in UTC.' }),
  leads_to_site: Type.Boolean({
    description: 'Whether its address lies on the site; otherwise nothing falls to it.',
  }),
  visits: Type.Integer({
    description:
      'Readers who came by it in the period: each once an hour, or once a day before `hours_since`.',
  }),
  impressions: impressions('that fall to it'),
  earnings: exact('That fall to it, rounded down to 6 decimals.'),
  earnings_by_hour: exact('Of these, by the hours of its clicks; the rest is by days.'),
  grain: Type.Unsafe<'hour' | 'day' | 'mixed' | null>({
    enum: ['hour', 'day', 'mixed', null],
    description:
      'By what it was estimated: the hours of its clicks where ad servers report hours, the days where they report days, some of both; null where nothing falls to it.',
  }),
});

export const deliveryRevenueSchema = Type.Object(
  {
    period_days: Type.Integer({ description: 'The days asked for.' }),
    deliveries: Type.Array(delivery, { description: 'Those that were clicked, by earnings.' }),
    others: Type.Object(
      {
        deliveries: Type.Integer(),
        visits: Type.Integer(),
        impressions: impressions('that fall to them'),
        earnings: exact('That fall to them.'),
      },
      { description: 'Deliveries beyond `limit`.' },
    ),
    unassigned: Type.Object(
      {
        impressions: impressions('that fall to no delivery of the app'),
        earnings: exact('That fall to no delivery of the app.'),
      },
      {
        description:
          'Of hours and days without a visit, of visits by other apps with this site, beyond `impressions_per_visit`, and what rounding leaves. With all deliveries it is the total, to the last digit.',
      },
    ),
    totals: Type.Object(
      { impressions: impressions('on the site'), earnings: exact('Of the site.') },
      { description: 'Of the period.' },
    ),
    meta: Type.Object({
      ...revenueMeta,
      impressions_per_visit: Type.Union([Type.Integer(), Type.Null()], { description: 'As asked for.' }),
      hours_since: Type.String({
        format: 'date',
        description: 'From this day on the hours of clicks are kept; days before it are shared by days.',
      }),
    }),
  },
  {
    title: 'DeliveryRevenue',
    examples: [
      {
        period_days: 1,
        deliveries: [
          {
            id: 412,
            identifier: 'late-train-0131',
            title: 'No trains after ten tonight',
            date: '2026-01-31',
            leads_to_site: true,
            visits: 18_868,
            impressions: 41_200,
            earnings: 68.402_113,
            earnings_by_hour: 68.402_113,
            grain: 'hour',
          },
        ],
        others: { deliveries: 0, visits: 0, impressions: 0, earnings: 0 },
        unassigned: { impressions: 10_914, earnings: 18.111_289 },
        totals: { impressions: 52_114, earnings: 86.513_402 },
        meta: {
          currency: 'EUR',
          site: 'news.example.com',
          granted: true,
          watermark: '2026-01-31T23:00:00+00:00',
          restated: false,
          rates: [],
          old_rates: [],
          left_out: [],
          impressions_per_visit: null,
          hours_since: '2026-01-31',
        },
      },
    ],
  },
);
export type DeliveryRevenueResource = Static<typeof deliveryRevenueSchema>;

const exactMoney = <Kept extends { readonly earnings: string }>(kept: Kept) => ({
  ...kept,
  earnings: rawJSON(kept.earnings),
});

/** From stored figures to displayed ones. */
export const deliveryRevenueOf = (kept: KeptDeliveryRevenue): DeliveryRevenueResource => ({
  ...kept,
  deliveries: kept.deliveries.map((each) => ({
    ...exactMoney(each),
    earnings_by_hour: rawJSON(each.earnings_by_hour),
  })),
  others: exactMoney(kept.others),
  unassigned: exactMoney(kept.unassigned),
  totals: exactMoney(kept.totals),
  meta: {
    ...kept.meta,
    rates: [...kept.meta.rates],
    old_rates: [...kept.meta.old_rates],
    left_out: [...kept.meta.left_out],
  },
});
