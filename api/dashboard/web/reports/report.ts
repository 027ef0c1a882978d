import { type ComparedWith, comparedDays } from './compared.ts';
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

/** One step down into a report: what was pressed, and what was shown before. */
export interface TrailStep {
  readonly pressed: readonly { readonly dimension: Dimension; readonly value: string }[];
  readonly before: Pick<ReportDraft, 'dimensions' | 'columns' | 'period' | 'from' | 'to'>;
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
  readonly compare: '' | ComparedWith;
  readonly sortBy: Dimension | Metric | '';
  readonly direction: 'asc' | 'desc';
  readonly groups: readonly GroupDraft[];
  /** The dimension whose values are columns of a pivot; empty, or no dimension of the report: a list of rows. */
  readonly columns: Dimension | '';
  /** The metric that the chart and the cells of a pivot show; empty: earnings, or the first. */
  readonly metric: Metric | '';
  /** The value of the column that a pivot is sorted by; empty: its total. */
  readonly sortColumn: string;
  /** The way down to this report, outermost first. */
  readonly trail: readonly TrailStep[];
  /** Whose days they are. */
  readonly timezone: string;
  /** Whether days that an ad server delivers whole count as they are, in another zone, too. */
  readonly sourceDays: boolean;
}

/** The days that a draft means now. */
export const daysIn = ({
  period,
  from,
  to,
  timezone,
}: Pick<ReportDraft, 'period' | 'from' | 'to' | 'timezone'>): Days =>
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
  columns: '',
  metric: '',
  sortColumn: '',
  trail: [],
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

/** The two dimensions of a pivot; null: the report is a list. */
export function pivotIn({ dimensions: chosen, columns }: ReportDraft): {
  readonly rows: Dimension;
  readonly columns: Dimension;
} | null {
  const rows = chosen.find((each) => each !== columns);
  if (columns === '' || chosen.length !== 2 || rows === undefined || !chosen.includes(columns)) return null;
  return { rows, columns };
}

/** The metric that is shown where one is. */
export const shownMetric = ({ metrics: chosen, metric }: ReportDraft): Metric | undefined =>
  chosen.find((each) => each === metric) ?? chosen.find(isMoney) ?? chosen[0];

/** The body as the reporting API takes it. */
export function bodyOf(draft: ReportDraft): ReportBody {
  const selected: readonly string[] = [...draft.dimensions, ...draft.metrics];
  const { from, to } = daysIn(draft);
  const groups = groupsOf(draft);
  return {
    dimensions: draft.dimensions,
    metrics: draft.metrics,
    currency: draft.currency,
    selectedDate: [from, to],
    ...(draft.timezone === 'UTC' ? {} : { timezone: draft.timezone }),
    ...(draft.sourceDays ? { source_days: true } : {}),
    ...(groups.length === 0 ? {} : { filter_groups: groups }),
    ...(draft.compare === '' ? {} : { compare_to: compareTo(draft.compare, { from, to }) }),
    ...(selected.includes(draft.sortBy) ? { sort: [{ by: draft.sortBy, direction: draft.direction }] } : {}),
  };
}

/** Where the figures come from, where a file is to say so. */
export const includedWith = (hasSources: boolean): { readonly include?: readonly ['sources'] } =>
  hasSources ? { include: ['sources'] } : {};

export interface ReportBody {
  readonly dimensions: readonly Dimension[];
  readonly metrics: readonly Metric[];
  readonly currency: string;
  readonly selectedDate: readonly [string, string];
  readonly timezone?: string;
  readonly source_days?: boolean;
  readonly filter_groups?: readonly FilterGroup[];
  readonly compare_to?: string | readonly [string, string];
  readonly sort?: readonly { readonly by: string; readonly direction: string }[];
}

export interface FilterGroup {
  readonly operator: 'or';
  readonly filters: readonly FilterBody[];
}

interface FilterBody {
  readonly value: Dimension | Metric;
  readonly type: 'dimension' | 'metric';
  readonly comparator?: Comparator;
  readonly selectedValues?: readonly string[];
  readonly comparison?: Comparison;
  readonly selectedValue?: number;
  readonly secondValue?: number;
}

/** The API knows the same weekdays by their days. */
function compareTo(compare: ComparedWith, days: Days): string | readonly [string, string] {
  if (compare !== 'same_weekdays') return compare;
  const { from, to } = comparedDays(days, compare);
  return [from, to];
}

/** What was pressed on the way down must hold in each group, too. Times are the period's matter. */
function groupsOf({ groups, trail }: ReportDraft): FilterGroup[] {
  const pressed = trail
    .flatMap((step) => step.pressed)
    .filter(({ dimension }) => !isTime(dimension))
    .map(
      ({ dimension, value }): FilterBody => ({
        ...{ value: dimension, type: 'dimension', comparator: 'in' },
        selectedValues: [value],
      }),
    );
  const given = groups.map(({ filters }) => filters.map(filterOf));
  const all = given.length === 0 && pressed.length > 0 ? [[]] : given;
  return all.map((filters) => ({ operator: 'or', filters: [...filters, ...pressed] }));
}

function filterOf(filter: FilterDraft): FilterBody {
  const { value } = filter;
  if (!isMetric(value)) {
    return {
      ...{ value, type: 'dimension', comparator: filter.comparator },
      selectedValues: filter.selectedValues,
    };
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
