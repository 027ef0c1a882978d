import { formatMoney, formatNumber, formatPercent } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { type Dimension, isMoney, type Metric, type ReportDraft } from './report.ts';

export type Row = Readonly<Record<string, string | number | null>>;

/** The reporting API's JSON answer. */
export interface ReportAnswer {
  readonly data: readonly Row[];
  readonly meta: {
    readonly count: number;
    readonly total_count: number;
    readonly start_date: string;
    readonly end_date: string;
    readonly currency: string;
    readonly complete_until: string | null;
    readonly restated: boolean;
    readonly rates: readonly { readonly source: string }[];
    readonly left_out: readonly { readonly currency: string }[];
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
}

export interface ResultColumn {
  readonly key: string;
  readonly header: string;
  readonly numeric: boolean;
  /** A cell in words. */
  readonly text: (row: Row) => string;
}

/** A column for each dimension and metric; beside a period compared with, three for a metric. */
export function columnsOf({ draft, answer }: MadeReport): ResultColumn[] {
  const { currency } = answer.meta;
  return [
    ...draft.dimensions.map(dimensionColumn),
    ...draft.metrics.flatMap((metric) => metricColumns(metric, currency, draft.compare !== '')),
  ];
}

const dimensionColumn = (key: Dimension): ResultColumn => ({
  key,
  header: t.reports.fields[key],
  numeric: false,
  text: (row) => String(row[key] ?? '') || '–',
});

function metricColumns(metric: Metric, currency: string, isCompared: boolean): ResultColumn[] {
  const format = metricFormat(metric, currency);
  const name = t.reports.fields[metric];
  const figure = (key: string, header: string): ResultColumn => ({
    key,
    header,
    numeric: true,
    text: (row) => format(Number(row[key] ?? 0)),
  });
  if (!isCompared) return [figure(metric, name)];
  return [
    figure(metric, name),
    figure(`${metric}_previous`, t.reports.before(name)),
    {
      key: `${metric}_change`,
      header: t.reports.change(name),
      numeric: true,
      text: (row) => {
        const change = row[`${metric}_change`];
        // From nothing there is no percentage.
        if (typeof change !== 'number') return Number(row[metric] ?? 0) > 0 ? t.reports.isNew : '–';
        return `${change > 0 ? '+' : ''}${formatPercent(change)}`;
      },
    },
  ];
}

export const metricFormat = (metric: Metric, currency: string): ((value: number) => string) =>
  isMoney(metric) ? (value) => formatMoney(value, currency) : formatNumber;
