import { formatMoney, formatNumber, formatSigned } from '../format/format.ts';
import type { OldRate } from '../format/rate-sources.ts';
import { t } from '../texts/t.ts';
import { millionthsOf, shownOf } from './exact.ts';
import { type Dimension, isMetric, isMoney, type Metric, type ReportDraft } from './report.ts';
import type { LackingDays, Row } from './rows.ts';
import { valueName } from './value-name.ts';

/** The reporting API's JSON answer. */
export interface ReportAnswer {
  readonly data: readonly Row[];
  readonly meta: {
    readonly count: number;
    readonly total_count: number;
    readonly start_date: string;
    readonly end_date: string;
    readonly currency: string;
    readonly timezone: string;
    readonly complete_until: string | null;
    readonly restated: boolean;
    readonly days?: readonly { readonly state: 'open' | 'complete' | 'final' | null }[];
    readonly rates: readonly { readonly source: string }[];
    readonly old_rates: readonly OldRate[];
    readonly source_days?: readonly { readonly source: string; readonly timezone: string }[];
    readonly left_out: readonly { readonly currency: string }[];
    readonly filter_values?: readonly {
      readonly dimension: Dimension;
      readonly value: string;
      readonly read_as: string | null;
    }[];
    readonly compared_to?: { readonly start_date: string; readonly end_date: string };
    readonly totals?: Row;
  };
}

/** Most rows that the page asks for: it shows them in pages, a file has all. */
export const MOST_ROWS = 1_000;

/** A report with its request: the form may have changed since. */
export interface MadeReport {
  readonly draft: ReportDraft;
  readonly answer: ReportAnswer;
  /** Of a pivot: the rows of the earlier days, moved onto those of the report. Null: none are compared, or not yet. */
  readonly earlier?: { readonly rows: readonly Row[] } | 'too-many' | null;
  /** Days without a row; null: not known. */
  readonly lacking?: LackingDays | null;
}

/** A figure beside the one of the period compared with. */
export interface Change {
  /** Percent; null: from nothing there is no percentage. */
  readonly percent: number | null;
  readonly now: number;
  /** In words. */
  readonly before: string;
  /** By how much, in words. */
  readonly difference: string;
}

export interface ResultColumn {
  readonly key: Dimension | Metric;
  readonly header: string;
  readonly numeric: boolean;
  /** A cell in words. */
  readonly text: (row: Row) => string;
  /** Null where nothing is compared. */
  readonly change: (row: Row) => Change | null;
}

/** A column for each dimension and metric. */
export function columnsOf({ draft, answer }: MadeReport): ResultColumn[] {
  const { currency } = answer.meta;
  return [
    ...draft.dimensions.map(dimensionColumn),
    ...draft.metrics.map((metric) => metricColumn(metric, currency, draft.compare !== '')),
  ];
}

const dimensionColumn = (key: Dimension): ResultColumn => ({
  key,
  header: t.reports.fields[key],
  numeric: false,
  text: (row) => valueName(key, String(row[key] ?? '')),
  change: () => null,
});

function metricColumn(metric: Metric, currency: string, isCompared: boolean): ResultColumn {
  const format = metricFormat(metric, currency);
  return {
    key: metric,
    header: t.reports.fields[metric],
    numeric: true,
    text: (row) => format(Number(row[metric] ?? 0)),
    change: (row) => {
      if (!isCompared) return null;
      const change = row[`${metric}_change`];
      const [now, before] = [valueIn(row, metric), valueIn(row, `${metric}_previous`)];
      return {
        percent: typeof change === 'number' ? change : null,
        now: shownOf(now, metric),
        before: format(shownOf(before, metric)),
        difference: formatSigned(shownOf(now - before, metric), format),
      };
    },
  };
}

const valueIn = (row: Row, field: string): bigint => {
  const text = String(row[field] ?? 0);
  return /^(earnings|ecpm)/.test(field) ? millionthsOf(text) : BigInt(text);
};

export const metricFormat = (metric: Metric, currency: string): ((value: number) => string) =>
  isMoney(metric) ? (value) => formatMoney(value, currency) : formatNumber;

/** Whether all rows are here, so that they are sorted here, too. */
export const isWhole = ({ answer: { meta } }: Pick<MadeReport, 'answer'>): boolean =>
  meta.count >= meta.total_count;

/** The same rows in another order, as the reporting API has it: texts by their letters’ numbers. */
export function sorted(made: MadeReport, sortBy: Dimension | Metric, direction: 'asc' | 'desc'): MadeReport {
  const sign = direction === 'asc' ? 1 : -1;
  const compare = (a: Row, b: Row): number =>
    isMetric(sortBy)
      ? Number(a[sortBy] ?? 0) - Number(b[sortBy] ?? 0)
      : compareTexts(String(a[sortBy] ?? ''), String(b[sortBy] ?? ''));
  const data = made.answer.data.toSorted((a, b) => sign * compare(a, b));
  return { draft: { ...made.draft, sortBy, direction }, answer: { ...made.answer, data } };
}

export const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
