import { type Static, Type } from 'typebox';
import { OLD_DAYS } from '../../../engine/contract/rate-table.ts';
import { nullableTime } from '../../http/fields.ts';
import { periodQuery } from './schema.ts';

const currencies = ['EUR', 'USD'] as const;
export type Currency = (typeof currencies)[number];
export const DEFAULT_CURRENCY: Currency = 'EUR';

export const revenueQuery = Type.Object({
  ...periodQuery.properties,
  currency: Type.Optional(
    Type.Unsafe<Currency>({
      type: 'string',
      enum: [...currencies],
      default: DEFAULT_CURRENCY,
      description: 'The currency of earnings; each day is converted with its own rate.',
    }),
  ),
});

/** A number that `JSON.stringify` writes digit by digit: a double would lose some. */
type ExactNumber = { readonly rawJSON: string };
/** In no library of TypeScript yet. */
export const { rawJSON } = JSON as unknown as { rawJSON(text: string): ExactNumber };

export const exact = (description: string) => Type.Unsafe<ExactNumber>({ type: 'number', description });

const figures = {
  notifications_sent: Type.Integer({
    description: 'Messages that push services accepted, of that day’s deliveries, by the day they were due.',
  }),
  clicks: Type.Integer({
    description: 'Subscribers who clicked that day’s deliveries, whenever they did; each once a delivery.',
  }),
  impressions: Type.Integer({ description: 'Ad impressions on the site that day, in UTC.' }),
  earnings: exact('Of the site that day, rounded to 6 decimals.'),
  ecpm: exact('Earnings for 1,000 impressions, rounded to 6 decimals; 0 without impressions.'),
};

/** The figures of a day, or of all days; money as stored or as displayed. */
export interface RevenueFigures<Money> {
  readonly notifications_sent: number;
  readonly clicks: number;
  readonly impressions: number;
  readonly earnings: Money;
  readonly ecpm: Money;
}

const day = (text: string) => Type.String({ format: 'date', description: text });

/** What qualifies the figures of a site. */
export const revenueMeta = {
  currency: Type.String(),
  site: Type.String({
    description:
      'The host of the app’s site_domain without `www.`: ad statistics of this domain, with all its subdomains, or of this subdomain, belong to the app.',
  }),
  granted: Type.Boolean({
    description:
      'Whether the operator has granted your organization this site. Without it earnings, impressions and ecpm are 0.',
  }),
  watermark: {
    ...nullableTime,
    description: 'Up to when ad statistics are complete; null where nothing is known of that.',
  },
  restated: Type.Boolean({ description: 'Whether an ad server has corrected any day of the period.' }),
  rates: Type.Array(
    Type.Object({
      source: Type.String(),
      first_day: day('Of the earliest rate used.'),
      last_day: day('Of the latest rate used.'),
    }),
    { description: 'Where the rates used come from; none where nothing was converted.' },
  ),
  old_rates: Type.Array(
    Type.Object({
      currency: Type.String(),
      rate_day: day('Of its last rate.'),
      used_until: day('The last day that is converted with it.'),
    }),
    {
      description: `Currencies whose last rate was more than ${OLD_DAYS} days before a day that is converted with it.`,
    },
  ),
  left_out: Type.Array(Type.Object({ currency: Type.String(), days: Type.Integer({ minimum: 1 }) }), {
    description:
      'Currencies without a rate of the day or a day before it, and on how many days something was earned in them: that is in no figure.',
  }),
};

export const revenueSchema = Type.Object(
  {
    period_days: Type.Integer({ description: 'The days asked for.' }),
    revenue_by_day: Type.Array(Type.Object({ date: day('In UTC.'), ...figures }), {
      description: 'One entry a day of the period, oldest first.',
    }),
    totals: Type.Object(figures, {
      description: 'Of the period; earnings are added up before they are rounded.',
    }),
    meta: Type.Object(revenueMeta),
  },
  {
    title: 'Revenue',
    examples: [
      {
        period_days: 1,
        revenue_by_day: [
          {
            date: '2026-01-31',
            notifications_sent: 471_720,
            clicks: 18_868,
            impressions: 52_114,
            earnings: 86.513_402,
            ecpm: 1.660_079,
          },
        ],
        totals: {
          notifications_sent: 471_720,
          clicks: 18_868,
          impressions: 52_114,
          earnings: 86.513_402,
          ecpm: 1.660_079,
        },
        meta: {
          currency: 'EUR',
          site: 'news.example.com',
          granted: true,
          watermark: '2026-01-31T23:00:00+00:00',
          restated: false,
          rates: [{ source: 'ECB', first_day: '2026-01-30', last_day: '2026-01-30' }],
          old_rates: [],
          left_out: [],
        },
      },
    ],
  },
);
export type RevenueResource = Static<typeof revenueSchema>;

/** From stored figures to displayed ones. */
export const exactFigures = <Kept extends RevenueFigures<string>>(kept: Kept) => ({
  ...kept,
  earnings: rawJSON(kept.earnings),
  ecpm: rawJSON(kept.ecpm),
});
