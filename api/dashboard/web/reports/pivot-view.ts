import { csvOf, type ExactCell } from '../charts/csv.ts';
import { formatSigned } from '../format/format.ts';
import { figureOf, metricOf, percentOf, shownOf, summedOf } from './exact.ts';
import { type Cell, type Pivot, type PivotColumn, type PivotSort, pivotOf } from './pivot.ts';
import { type Dimension, isTime, type Metric, pivotIn, type ReportDraft, shownMetric } from './report.ts';
import { isWhole, type MadeReport, metricFormat } from './result.ts';

/** More would be a table that one has to search in. */
const MOST_COLUMNS = 8;

export interface PivotView {
  readonly rows: Dimension;
  readonly columns: Dimension;
  readonly metric: Metric;
  readonly pivot: Pivot;
  readonly isCompared: boolean;
}

/** A pivot of a report; null: it is a list. */
export function pivotViewOf({ draft, answer, earlier = null }: MadeReport): PivotView | null {
  const [dimensions, metric] = [pivotIn(draft), shownMetric(draft)];
  if (dimensions === null || metric === undefined) return null;
  const before = earlier === null || earlier === 'too-many' ? null : earlier.rows;
  const pivot = pivotOf({
    ...dimensions,
    ...{ metric, summed: summedOf(draft.metrics), mostColumns: MOST_COLUMNS, data: answer.data, before },
    sort: sortOf(draft, dimensions.rows),
    whole: isWhole({ answer }) ? null : (answer.meta.totals ?? null),
  });
  return { ...dimensions, metric, pivot, isCompared: before !== null };
}

/** As it was chosen; otherwise times in their order, and of others the largest total first. */
export function sortOf({ sortBy, sortColumn, direction }: ReportDraft, rows: Dimension): PivotSort {
  if (sortBy === rows) return { by: 'name', column: '', direction };
  if (sortBy === '' && isTime(rows)) return { by: 'name', column: '', direction: 'asc' };
  return { by: 'value', column: sortColumn, direction };
}

/** A cell in words. */
export interface CellWords {
  readonly text: string;
  /** Null: nothing is compared. */
  readonly change: {
    readonly now: number;
    readonly percent: number | null;
    readonly before: string;
    readonly difference: string;
  } | null;
}

export function cellWords({ now, before }: Cell, metric: Metric, currency: string): CellWords {
  const format = metricFormat(metric, currency);
  const value = metricOf(now, metric);
  const text = format(shownOf(value, metric));
  if (before === null) return { text, change: null };
  const earlier = metricOf(before, metric);
  const difference = value - earlier;
  return {
    text,
    change: {
      now: shownOf(value, metric),
      percent: percentOf(value, earlier),
      before: format(shownOf(earlier, metric)),
      difference: formatSigned(shownOf(difference, metric), format),
    },
  };
}

export interface CsvNames {
  readonly rows: string;
  readonly total: string;
  readonly rest: string;
  /** The names of a column, and in a comparison those of its further figures. */
  readonly columnOf: (column: PivotColumn) => string;
  readonly figures: readonly [before: string, difference: string, percent: string];
}

/** For a spreadsheet: figures in full, without a currency's sign. With a comparison, four for each cell. */
export function pivotCsv({ pivot, metric, isCompared }: PivotView, names: CsvNames): string {
  const headers = [...pivot.columns.map(names.columnOf), names.total].flatMap((name) => [
    name,
    ...(isCompared ? names.figures.map((figure) => `${name} (${figure})`) : []),
  ]);
  const line = (name: string, cells: readonly (Cell | null)[]): ExactCell[] => [
    name,
    ...cells.flatMap((cell) => figuresOf(cell, metric, isCompared)),
  ];
  const none = pivot.columns.map(() => null);
  return csvOf(
    [names.rows, ...headers],
    [
      ...pivot.lines.map(({ value, cells, total }) => line(value, [...cells, total])),
      ...(pivot.rest === null ? [] : [line(names.rest, [...none, pivot.rest])]),
      line(names.total, [...pivot.totals.cells, pivot.totals.total]),
    ],
  );
}

function figuresOf(cell: Cell | null, metric: Metric, isCompared: boolean): ExactCell[] {
  if (cell === null) return isCompared ? ['', '', '', ''] : [''];
  const now = metricOf(cell.now, metric);
  const here = { decimal: figureOf(now, metric) };
  if (!isCompared) return [here];
  if (cell.before === null) return [here, '', '', ''];
  const before = metricOf(cell.before, metric);
  const percent = percentOf(now, before);
  return [
    here,
    { decimal: figureOf(before, metric) },
    { decimal: figureOf(now - before, metric) },
    percent ?? '',
  ];
}
