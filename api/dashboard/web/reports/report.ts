import { type Days, daysOf, type Period } from './periods.ts';

export const dimensions = [
  'day',
  'month',
  'year',
  'domain',
  'subdomain',
  'product',
  'media_type',
  'device',
  'os',
  'country',
  'ad_unit',
  'deal_id',
  'deal_name',
  'deal_type',
] as const;
export type Dimension = (typeof dimensions)[number];

export const metrics = [
  'impressions',
  'earnings',
  'ecpm',
  'viewable',
  'first_quartile',
  'midpoint',
  'third_quartile',
  'complete',
] as const;
export type Metric = (typeof metrics)[number];

export const comparators = [
  'in',
  'nin',
  'is_any_of',
  'is_none_of',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
] as const;
export type Comparator = (typeof comparators)[number];

export const comparisons = ['gte', 'lte', 'gt', 'lt', 'eq', 'neq', 'between'] as const;
export type Comparison = (typeof comparisons)[number];

export const formats = ['csv', 'xlsx', 'parquet', 'ndjson', 'json'] as const;
export type Format = (typeof formats)[number];

export const isMetric = (key: string): key is Metric => metrics.some((each) => each === key);
export const isMoney = (metric: Metric): boolean => metric === 'earnings' || metric === 'ecpm';
const times: ReadonlySet<string> = new Set(['day', 'month', 'year']);
export const isTime = (dimension: string): boolean => times.has(dimension);

/** A filter while it is edited: the parts of a dimension and of a metric, side by side. */
export interface FilterDraft {
  readonly id: string;
  readonly value: Dimension | Metric;
  readonly comparator: Comparator;
  readonly selectedValues: readonly string[];
  readonly comparison: Comparison;
  readonly selectedValue: number | '';
  readonly secondValue: number | '';
}

export interface GroupDraft {
  readonly id: string;
  readonly filters: readonly FilterDraft[];
}

/** A report as the page holds it. */
export interface ReportDraft {
  readonly dimensions: readonly Dimension[];
  readonly metrics: readonly Metric[];
  readonly currency: 'EUR' | 'USD';
  /** Which days; empty: those of `from` and `to`. */
  readonly period: Period | '';
  /** `YYYY-MM-DD`, both included. */
  readonly from: string;
  readonly to: string;
  readonly compare: '' | 'previous_period' | 'previous_year';
  readonly sortBy: Dimension | Metric | '';
  readonly direction: 'asc' | 'desc';
  readonly groups: readonly GroupDraft[];
  /** Whose days they are. */
  readonly timezone: string;
  /** Whether days that an ad server delivers whole count as they are, in another zone, too. */
  readonly sourceDays: boolean;
}

/** The days that a draft means now. */
export const daysIn = ({ period, from, to, timezone }: ReportDraft): Days =>
  period === '' ? { from, to } : daysOf(period, timezone);

export const newReport = (): ReportDraft => ({
  dimensions: ['day'],
  metrics: ['impressions', 'earnings', 'ecpm'],
  currency: 'EUR',
  period: 'last-30',
  ...daysOf('last-30', 'UTC'),
  compare: '',
  sortBy: '',
  direction: 'desc',
  groups: [],
  timezone: 'UTC',
  sourceDays: false,
});

export const newFilter = (): FilterDraft => ({
  id: crypto.randomUUID(),
  value: 'domain',
  comparator: 'in',
  selectedValues: [],
  comparison: 'gte',
  selectedValue: '',
  secondValue: '',
});

export const newFilterGroup = (): GroupDraft => ({ id: crypto.randomUUID(), filters: [newFilter()] });

/** The body as the reporting API takes it. */
export function bodyOf(draft: ReportDraft): object {
  const selected: readonly string[] = [...draft.dimensions, ...draft.metrics];
  const { from, to } = daysIn(draft);
  return {
    dimensions: draft.dimensions,
    metrics: draft.metrics,
    currency: draft.currency,
    selectedDate: [from, to],
    ...(draft.timezone === 'UTC' ? {} : { timezone: draft.timezone }),
    ...(draft.sourceDays ? { source_days: true } : {}),
    ...(draft.groups.length === 0 ? {} : { filter_groups: draft.groups.map(groupOf) }),
    ...(draft.compare === '' ? {} : { compare_to: draft.compare }),
    ...(selected.includes(draft.sortBy) ? { sort: [{ by: draft.sortBy, direction: draft.direction }] } : {}),
  };
}

const groupOf = ({ filters }: GroupDraft): object => ({ operator: 'or', filters: filters.map(filterOf) });

function filterOf(filter: FilterDraft): object {
  const { value } = filter;
  if (!isMetric(value)) {
    return { value, type: 'dimension', comparator: filter.comparator, selectedValues: filter.selectedValues };
  }
  return {
    value,
    type: 'metric',
    comparison: filter.comparison,
    // An empty field is not 0: absent, the API asks for it.
    ...(filter.selectedValue === '' ? {} : { selectedValue: filter.selectedValue }),
    ...(filter.comparison === 'between' && filter.secondValue !== ''
      ? { secondValue: filter.secondValue }
      : {}),
  };
}
