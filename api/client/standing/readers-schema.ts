import { type Static, Type } from 'typebox';
import { nullable, timeField } from '../../http/fields.ts';
import { LEFT_WITHIN_HOURS } from '../deliveries/create/left-after.ts';
import { NEAR } from './near-limit.ts';
import { SITE_WEEKS } from './site-weeks.ts';
import { PUSHES } from './unsubscribed-after.ts';

const nearFields = {
  near: Type.Integer({ description: `Within ${NEAR} notifications of the limit.` }),
  at_limit: Type.Integer({
    description:
      'At the limit or beyond it: the guard holds the next notification back from them; without the guard it may cost the permission.',
  }),
};
const exactField = Type.Boolean({
  description: 'False: counted in 524,288 subscriptions spread evenly over the app, and scaled up.',
});

const browserSchema = Type.Object({
  browser: nullable<string>({ type: 'string', description: 'Null: not known.' }),
  subscribers: Type.Integer(),
  per_reader: Type.Number({ description: 'Notifications that push services accepted for one, on average.' }),
  most: Type.Integer({ description: 'For one of them, at most.' }),
});

const share = (description: string) => Type.Number({ description });
const shareOrNull = (description: string) => nullable<number>({ type: 'number', description });
const pushExample = {
  id: 118,
  identifier: 'dlv_4f0c2c1d',
  title: 'Morning',
  started_at: '2026-01-31T12:00:01+00:00',
  accepted: 116_011,
  unsubscribed: 87,
  percent: 0.075,
  percent_low: 0.061,
  percent_high: 0.092,
  open: true,
};
const pushSchema = Type.Object(
  {
    id: Type.Integer(),
    identifier: Type.String(),
    title: Type.String(),
    started_at: timeField,
    accepted: Type.Integer({ description: 'Readers it was accepted for.' }),
    unsubscribed: nullable<number>({
      type: 'integer',
      description: `Of them, those who left within ${LEFT_WITHIN_HOURS} hours of its start: a delivery’s \`unsubscribed_within_48_hours\`. Null where the app’s automatic deletion may have taken some of them.`,
    }),
    percent: shareOrNull('Of accepted.'),
    percent_low: shareOrNull('The lower end of its 95 % interval (Wilson).'),
    percent_high: shareOrNull('The upper end.'),
    open: Type.Boolean({ description: `The ${LEFT_WITHIN_HOURS} hours are not over.` }),
  },
  {
    title: 'UnsubscribedAfter',
    examples: [pushExample],
  },
);

const siteWeekExample = {
  since: '2026-01-25',
  hours: 5_212.4,
  pushes: 1_320_100,
  prompts: 4_031,
  pushes_per_hour: 253.26,
  prompts_per_hour: 0.77,
};
const siteWeekSchema = Type.Object(
  {
    since: Type.String({ format: 'date', description: 'Its first day, UTC.' }),
    hours: Type.Number({
      description:
        'That the site was in view of subscribed readers, as their browsers say: each no longer than was possible.',
    }),
    pushes: Type.Integer({ description: 'That push services accepted, by the day a delivery started.' }),
    prompts: Type.Integer({
      description: 'Readers who said yes to a prompt of the app, and whom the browser asked then.',
    }),
    pushes_per_hour: shareOrNull('For an hour on the site. Null: no time was reported.'),
    prompts_per_hour: shareOrNull('For an hour on the site.'),
  },
  { title: 'SiteWeek', examples: [siteWeekExample] },
);

export const standingReadersSchema = Type.Object(
  {
    counted_at: timeField,
    exact: exactField,
    week: Type.Array(browserSchema, {
      description: 'The last 7 days by browser, of those subscribed now; most subscribers first.',
    }),
    revocation: Type.Object(
      {
        subscribers: Type.Integer({ description: 'Subscribed, in all browsers.' }),
        ...nearFields,
        percent: share('At the limit or near it, of subscribers.'),
      },
      {
        description:
          'Readers whose permission Chrome may take away: without a visit or click, by the limits and days of the app’s guard, or of its defaults where it is off.',
      },
    ),
    pushes: Type.Array(pushSchema, {
      description: `The newest ${PUSHES} deliveries that reached anybody. Readers who left within ${LEFT_WITHIN_HOURS} hours of several count for each of them.`,
    }),
    permissions: Type.Object(
      {
        days: Type.Integer({ description: 'The last ones, today among them, in which it was found.' }),
        revoked: Type.Integer({ description: 'Readers who were found to have lost it, at a visit.' }),
        won_back: Type.Integer({ description: 'Of them, those who are subscribed again, or were since.' }),
        percent: shareOrNull('Won back, of revoked. Null: none was revoked.'),
      },
      {
        description: `Permissions that browsers took away by themselves. What a reader withdrew by hand while a page was open is none; readers who never came back are not known.`,
      },
    ),
    site_weeks: Type.Array(siteWeekSchema, {
      description: `The last ${SITE_WEEKS} weeks, which end today, the newest first.`,
    }),
  },
  {
    title: 'StandingOfReaders',
    examples: [
      {
        counted_at: '2026-01-31T12:00:00+00:00',
        exact: true,
        week: [
          { browser: 'Chrome', subscribers: 98_020, per_reader: 11.4, most: 31 },
          { browser: 'Safari', subscribers: 19_910, per_reader: 10.9, most: 21 },
        ],
        revocation: { subscribers: 117_930, near: 3_020, at_limit: 2_140, percent: 4.38 },
        pushes: [pushExample],
        permissions: { days: 90, revoked: 412, won_back: 97, percent: 23.54 },
        site_weeks: [siteWeekExample],
      },
    ],
  },
);
export type StandingOfReaders = Static<typeof standingReadersSchema>;

export const nearLimitSchema = Type.Object(
  {
    ...nearFields,
    exact: exactField,
    guarded: Type.Boolean({ description: 'The app’s guard is on.' }),
  },
  {
    title: 'NearLimit',
    examples: [{ near: 3_020, at_limit: 2_140, exact: true, guarded: true }],
  },
);
