import { type Static, Type } from 'typebox';
import { MOST_MUTES } from '../../../engine/adapters/postgres/explained/mutes.ts';
import { dayNumber } from '../../../engine/contract/days.ts';
import { withExplainers, withRules } from '../../../engine/kit/http/rules.ts';
import { explainPeriod } from '../../report/explain-dates.ts';
import { MAX_MONTHS } from '../../report/period.ts';
import {
  common,
  currencyField,
  date,
  dayField,
  dayPairField,
  domainField,
  exact,
  moneyAnswers,
  moneyMetaFields,
  nameField,
  readAnswers,
  reasonField,
  success,
  writeAnswers,
  writtenBy,
  zoneField,
} from '../fields.ts';
import { DEFAULT_AMOUNT, LEAST_WEEKS, MOST_A_DAY, MOST_DAYS, PARTS, WEEKS } from './rules.ts';

const MOST_AMOUNT = 1_000_000_000;

const notTooLong = {
  field: 'selectedDate',
  words: `must be at most ${MOST_DAYS} days`,
  holds: ({ selectedDate }: Readonly<Record<string, unknown>>) => {
    const [from, to]: readonly unknown[] = Array.isArray(selectedDate) ? selectedDate : [];
    if (typeof from !== 'string' || typeof to !== 'string') return true;
    const [first, last] = [dayNumber(from), dayNumber(to)];
    return first === null || last === null || last - first < MOST_DAYS;
  },
};

export const anomalyRequest = withRules(
  withExplainers(
    Type.Object(
      {
        currency: currencyField,
        selectedDate: Type.Optional(
          dayPairField(`[start, end], both included; yesterday when left out. At most ${MOST_DAYS} days.`),
        ),
        timezone: zoneField,
        source_days: Type.Optional(Type.Boolean({ description: 'As in a report. Default: false.' })),
        min_amount: Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: MOST_AMOUNT,
            description: `The least that a day is from its median, in the currency. Default: ${DEFAULT_AMOUNT}.`,
          }),
        ),
      },
      {
        title: 'AnomalyRequest',
        additionalProperties: false,
        examples: [{ currency: 'EUR', selectedDate: ['2026-01-31', '2026-01-31'] }],
      },
    ),
    { selectedDate: explainPeriod(MAX_MONTHS) },
  ),
  [notTooLong],
);
export type AnomalyRequest = Static<typeof anomalyRequest>;

const series = {
  domain: Type.String(),
  product: Type.String({ description: 'Empty: not stated.' }),
  country: Type.String({ description: 'Empty: not stated.' }),
};
const part = Type.Object({
  dimension: Type.Enum(['subdomain', 'media_type', 'device', 'os', 'ad_unit'], { type: 'string' }),
  value: Type.String({ description: 'Empty: not stated.' }),
  earnings: exact('Of the day.'),
  usual: exact('The median of the same weekdays.'),
  difference: exact('From it.'),
});
const anomaly = Type.Object(
  {
    day: date,
    ...series,
    earnings: exact('Of the day, rounded once, to 6 places.'),
    usual: exact('The median of the same weekdays before it.'),
    low: exact('The lower end of the band of usual values.'),
    high: exact('Its upper end.'),
    difference: exact('The size in money: `earnings` less `usual`.'),
    impressions: Type.Integer(),
    usual_impressions: Type.Integer({ description: 'The median of the same weekdays, rounded down.' }),
    history: Type.Array(Type.Object({ day: date, earnings: exact('Of that day.') }), {
      description: `The same weekdays that it is compared with, oldest first: ${LEAST_WEEKS} to ${WEEKS}.`,
    }),
    parts: Type.Array(part, {
      description: `Where it comes from, one level down: at most ${PARTS}, the largest difference first. A dimension with one value alone explains nothing and is left out. Parts of different dimensions overlap.`,
    }),
  },
  { title: 'Anomaly' },
);
const anomalyExample = {
  day: '2026-01-31',
  ...{ domain: 'news.example', product: 'standard display', country: 'DE' },
  ...{ earnings: 12.5, usual: 84.2, low: 71.05, high: 97.35, difference: -71.7 },
  ...{ impressions: 61_000, usual_impressions: 64_500 },
  history: [{ day: '2026-01-24', earnings: 84.2 }],
  parts: [{ dimension: 'device', value: 'mobile', earnings: 1.1, usual: 70.4, difference: -69.3 }],
};
const anomalies = Type.Object(
  {
    status: success,
    data: Type.Array(anomaly, { description: 'By day, and each day’s by their size in money.' }),
    meta: Type.Object({
      count: Type.Integer({ minimum: 0, description: 'Rows in `data`.' }),
      start_date: date,
      end_date: date,
      currency: Type.String(),
      timezone: Type.String(),
      judged_days: Type.Array(
        Type.Object({
          day: date,
          found: Type.Integer({
            minimum: 0,
            description: `Unusual series; at most ${MOST_A_DAY} are shown.`,
          }),
          muted: Type.Integer({ minimum: 0, description: 'Further ones that your organization muted.' }),
          without_history: Type.Integer({
            minimum: 0,
            description: `Series with rows that day and fewer than ${LEAST_WEEKS} such weekdays before it: nothing is said of them.`,
          }),
          without_history_earnings: exact('What these earned that day.'),
        }),
        { description: 'Days with rows, ascending.' },
      ),
      days_without_rows: Type.Array(date, {
        description:
          'Days of the question on which the token sees no row at all: nothing is said of them. Such days of the weeks before are left out of the comparison.',
      }),
      ...moneyMetaFields,
    }),
  },
  {
    title: 'Anomalies',
    examples: [
      {
        status: 'success',
        data: [anomalyExample],
        meta: {
          ...{ count: 1, start_date: '2026-01-31', end_date: '2026-01-31', currency: 'EUR', timezone: 'UTC' },
          judged_days: [
            { day: '2026-01-31', found: 1, muted: 0, without_history: 2, without_history_earnings: 0.4 },
          ],
          ...{ days_without_rows: [], old_rates: [], rates: [], source_days: [], left_out: [] },
        },
      },
    ],
  },
);

export const anomaliesSchema = {
  ...common,
  operationId: 'findAnomalies',
  summary: 'Find unusual earnings',
  description: `Each domain × product × country, and each day of it, against its own same weekdays of the ${WEEKS} weeks before: outside of the median ± 5 median absolute deviations (at least a tenth of the median). At most ${MOST_A_DAY} a day, the largest in money first. A series without a row on a day earned 0.`,
  body: anomalyRequest,
  response: { 200: anomalies, ...moneyAnswers },
};

const mute = Type.Object(
  {
    ...series,
    until: date,
    reason: Type.String(),
    muted_by: writtenBy,
    muted_at: Type.String({ format: 'date-time' }),
  },
  { title: 'AnomalyMute' },
);
const muteExample = {
  ...{ domain: 'news.example', product: 'standard display', country: 'DE' },
  ...{ until: '2026-02-28', reason: 'Relaunch', muted_by: 'Ada', muted_at: '2026-02-01T09:00:00.000Z' },
};

export const mutesSchema = {
  ...common,
  operationId: 'listAnomalyMutes',
  summary: 'List muted series',
  description: 'Those of your organization of which the token sees rows of the last 92 days.',
  response: {
    200: Type.Object(
      { status: success, data: Type.Array(mute) },
      { title: 'AnomalyMutes', examples: [{ status: 'success', data: [muteExample] }] },
    ),
    ...readAnswers,
  },
};

export const muteRequest = Type.Object(
  {
    domain: domainField,
    product: nameField('As a row has it; empty: not stated.'),
    country: nameField('As a row has it; empty: not stated.'),
    until: Type.Union([dayField('The last day that is muted.'), Type.Null()], {
      description: 'The last day that is muted; null ends it.',
    }),
    reason: Type.Optional(reasonField('Why.')),
  },
  {
    title: 'AnomalyMuteRequest',
    additionalProperties: false,
    examples: [
      {
        domain: 'news.example',
        product: 'standard display',
        country: 'DE',
        until: '2026-02-28',
        reason: 'Relaunch',
      },
    ],
  },
);
export type MuteRequest = Static<typeof muteRequest>;

export const muteSchema = {
  ...common,
  operationId: 'muteAnomalies',
  summary: 'Mute a series',
  description: `Its unusual days, up to and with one, are not shown to anybody of your organization; \`meta\` counts them. An organization has ${MOST_MUTES.toLocaleString('en-US')} muted series at most.`,
  body: muteRequest,
  response: {
    200: Type.Object(
      { status: success, data: Type.Union([mute, Type.Null()]) },
      { title: 'AnomalyMuteAnswer', examples: [{ status: 'success', data: muteExample }] },
    ),
    ...writeAnswers,
  },
};
