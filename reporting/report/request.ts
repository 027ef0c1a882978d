import { type Static, type TProperties, Type } from 'typebox';
import { zoneName } from '../../engine/contract/time-zone.ts';
import { type Rule, withExplainers, withRules } from '../../engine/kit/http/rules.ts';
import { acrossFields } from './across-fields.ts';
import { explainCompareTo, explainPeriod, wayToJobs } from './explain-dates.ts';
import { explainFilterGroups } from './explain-filters.ts';
import { explainDimensions, explainMetrics, explainSort } from './explain-keys.ts';
import { filterGroups } from './filters.ts';
import { dimensionKeys, dimensions, metricKeys, metrics } from './keys.ts';
import { MAX_DIMENSIONS, MAX_METRICS, MAX_SORT } from './limits.ts';
import { MAX_JOB_MONTHS, MAX_MONTHS } from './period.ts';

const listOf = (words: Readonly<Record<string, string>>): string =>
  Object.entries(words)
    .map(([key, meaning]) => `\`${key}\`: ${meaning}`)
    .join('; ');

const dimensionList = Type.Array(Type.Enum(dimensionKeys, { type: 'string' }), {
  minItems: 1,
  maxItems: MAX_DIMENSIONS,
  description: `The dimensions that group rows, each once. ${listOf(dimensions)}.`,
});
const metricList = Type.Array(Type.Enum(metricKeys, { type: 'string' }), {
  minItems: 1,
  maxItems: MAX_METRICS,
  description: `The metrics of each row, each once. ${listOf(metrics)}.`,
});

const day = Type.String({ format: 'date' });
const dayPair = (description: string) =>
  Type.Unsafe<[string, string]>(Type.Array(day, { minItems: 2, maxItems: 2, description }));

const sort = Type.Array(
  Type.Object(
    {
      by: Type.Enum([...dimensionKeys, ...metricKeys], {
        type: 'string',
        description: 'A selected dimension or metric.',
      }),
      direction: Type.Optional(
        Type.Enum(['asc', 'desc'], { type: 'string', default: 'asc', description: 'Default: `asc`.' }),
      ),
    },
    { additionalProperties: false },
  ),
  {
    minItems: 1,
    maxItems: MAX_SORT,
    description:
      'Order of the rows: by the first entry, where that is equal by the next, and at the end by the ' +
      'dimensions as they are selected. Texts by their bytes, metrics by the values shown.',
  },
);

const compareTo = Type.Union(
  [
    Type.Enum(['previous_period', 'previous_year'], { type: 'string' }),
    dayPair('[start, end], of as many days as `selectedDate`.'),
  ],
  {
    description:
      'Another period beside the selected one: as many days right before it, the same dates a year earlier, or a ' +
      'pair of dates of the same length. A year earlier, 29 February has the 28th beside it where the period begins ' +
      'with it, and nothing where the 28th is in the period too; a 29 February of the year before does not count. Its days are moved onto those ' +
      'of the period, so that rows by `day` or `month` meet. Each row then has, for each metric, ' +
      '`<metric>_previous` and `<metric>_change` (percent, two decimals; null where the previous value is not ' +
      'above 0). The rows are those of the report itself, and which filter groups hold is decided by it.',
  },
);

const fields = {
  dimensions: dimensionList,
  metrics: metricList,
  currency: Type.Enum(['EUR', 'USD'], {
    type: 'string',
    description: 'Of `earnings` and `ecpm`. Amounts are converted with the rate of their own day in UTC.',
  }),
  selectedDate: Type.Optional(
    dayPair(
      '[start, end], both included; today when left out. The end is at most three months after the start; of a job, 24.',
    ),
  ),
  filter_groups: Type.Optional(filterGroups),
  timezone: Type.Optional(
    Type.Refine(
      Type.String({
        maxLength: 64,
        default: 'UTC',
        description: 'IANA name such as `Europe/Berlin`: where days, months and years begin. Default: UTC.',
      }),
      (name) => typeof name !== 'string' || zoneName(name) !== null,
      () => 'must be a timezone such as Europe/Berlin',
    ),
  ),
  source_days: Type.Optional(
    Type.Boolean({
      description:
        'Some ad servers deliver days without hours, each in its own timezone. A report in another one is refused; ' +
        'with true it counts their whole days as delivered, and `meta.source_days` names them. Default: false.',
    }),
  ),
  sort: Type.Optional(sort),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'The maximum number of rows; `meta.total_count` is the number of all.',
    }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'The number of rows to skip.',
    }),
  ),
  totals: Type.Optional(
    Type.Boolean({
      description: 'Adds `meta.totals`: the metrics over all rows, regardless of `limit` and `offset`.',
    }),
  ),
  compare_to: Type.Optional(compareTo),
  include: Type.Optional(
    Type.Array(Type.Enum(['sources'], { type: 'string' }), {
      maxItems: 1,
      description:
        'Adds where the figures come from: `sources` gives the loads of which the token sees rows on the days of the ' +
        'report (with the SHA-256 of their files) and the rate of each day. JSON has them as `meta.sources`, `xlsx` as ' +
        'a second sheet, `parquet` as `broadside.sources` in its metadata; `csv` and `ndjson` have a file beside them, ' +
        'in a ZIP with it or as the last part of a job.',
    }),
  ),
  format: Type.Optional(
    Type.Enum(['json', 'csv', 'ndjson', 'parquet', 'xlsx'], {
      type: 'string',
      default: 'json',
      description: 'Of the answer. Default: `json`, the only one that has `meta`.',
    }),
  ),
};

const example = {
  dimensions: ['day', 'domain'],
  metrics: ['impressions', 'earnings', 'ecpm'],
  currency: 'EUR',
  selectedDate: ['2026-01-01', '2026-01-31'],
  filter_groups: [
    {
      operator: 'or',
      filters: [
        { value: 'country', type: 'dimension', comparator: 'in', selectedValues: ['DE', 'AT'] },
        { value: 'impressions', type: 'metric', comparison: 'gte', selectedValue: 1000 },
      ],
    },
  ],
  sort: [{ by: 'earnings', direction: 'desc' }],
  limit: 100,
  totals: true,
};

/** What a body has beside a report. */
interface Beside<More extends TProperties> {
  readonly fields: More;
  readonly rules: readonly Rule[];
  readonly example: object;
}

/** All errors of a body are reported at once, each at its path. */
export function requestOf<More extends TProperties>(title: string, months: number, more: Beside<More>) {
  const schema = Type.Object(
    { ...fields, ...more.fields },
    { title, additionalProperties: false, examples: [more.example] },
  );
  const explainers = {
    dimensions: explainDimensions(dimensionList),
    metrics: explainMetrics(metricList),
    selectedDate: explainPeriod(months, months === MAX_MONTHS ? wayToJobs : ''),
    filter_groups: explainFilterGroups,
    sort: explainSort(sort),
    compare_to: explainCompareTo,
  };
  return withRules(withExplainers(schema, explainers), [...acrossFields, ...more.rules]);
}

const nothingBeside = { fields: {}, rules: [], example };
/** The body of `POST /reports/generate`. */
export const reportRequest = requestOf('ReportRequest', MAX_MONTHS, nothingBeside);
/** The body of `POST /reports/jobs`. */
export const jobRequest = requestOf('ReportJobRequest', MAX_JOB_MONTHS, nothingBeside);
export type ReportRequest = Static<typeof reportRequest>;
