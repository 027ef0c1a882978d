import { added, metricOf, type Summed, type Sums, sumsOf, taken } from './exact.ts';
import { type Dimension, isTime, type Metric } from './report.ts';
import { compareTexts } from './result.ts';
import type { Row } from './rows.ts';

/** A place of the table: what it sums, and what it summed in the earlier period; null where nothing is compared. */
export interface Cell {
  readonly now: Sums;
  readonly before: Sums | null;
}

export interface PivotColumn {
  /** Its value; null: the others together. */
  readonly value: string | null;
  /** How many values it holds. */
  readonly count: number;
}

export interface PivotLine {
  readonly value: string;
  /** One for each column. Null: no row is there. */
  readonly cells: readonly (Cell | null)[];
  readonly total: Cell;
}

export interface Pivot {
  readonly columns: readonly PivotColumn[];
  readonly lines: readonly PivotLine[];
  /** What the rows that were not loaded sum; null where all were. */
  readonly rest: Cell | null;
  readonly totals: { readonly cells: readonly (Cell | null)[]; readonly total: Cell };
}

export interface PivotSort {
  /** The rows' names, or the metric that is shown. */
  readonly by: 'name' | 'value';
  /** Of which column; empty: the total. */
  readonly column: string;
  readonly direction: 'asc' | 'desc';
}

export interface PivotQuestion {
  readonly rows: Dimension;
  readonly columns: Dimension;
  readonly metric: Metric;
  readonly summed: readonly Summed[];
  readonly sort: PivotSort;
  readonly mostColumns: number;
  readonly data: readonly Row[];
  /** Of the earlier period, their times moved onto this one's; null: nothing is compared. */
  readonly before: readonly Row[] | null;
  /** The report's own sums, where not all its rows are in `data`. */
  readonly whole: Row | null;
}

type Place = Map<string, Map<string, Sums>>;

/** Rows of two dimensions as a table: every figure is a sum of what stands in it, or is computed from such sums. */
export function pivotOf(question: PivotQuestion): Pivot {
  const { rows, columns, summed, data, before, whole, metric, sort } = question;
  const now = placed(data, rows, columns, summed);
  const earlier = before === null ? null : placed(before, rows, columns, summed);
  const columnsOf = groupedColumns(question, now, earlier);
  const names = new Set([...now.keys(), ...(earlier?.keys() ?? [])]);
  const lines = [...names].map((name) =>
    lineOf(
      name,
      columnsOf.values,
      now.get(name) ?? none,
      earlier === null ? null : (earlier.get(name) ?? none),
    ),
  );
  const shown = sumOfCells(lines.map(({ total }) => total)) ?? nothing(earlier !== null);
  const all = whole === null ? shown.now : sumsOf(whole, summed);
  return {
    columns: columnsOf.columns,
    lines: lines.toSorted(orderOf(sort, columnsOf.columns, metric)),
    rest: whole === null ? null : { now: taken(all, shown.now), before: null },
    totals: {
      cells: columnsOf.columns.map((_column, at) => sumOfCells(lines.map(({ cells }) => cells[at] ?? null))),
      total: { now: all, before: shown.before },
    },
  };
}

const none: ReadonlyMap<string, Sums> = new Map();
const nothing = (isCompared: boolean): Cell => ({ now: {}, before: isCompared ? {} : null });

/** Row → column → sums: rows of the same place, as those of several days, are added up. */
function placed(data: readonly Row[], rows: Dimension, columns: Dimension, summed: readonly Summed[]): Place {
  const place: Place = new Map();
  for (const row of data) {
    const [name, column] = [String(row[rows] ?? ''), String(row[columns] ?? '')];
    const line = place.get(name) ?? new Map<string, Sums>();
    const sums = sumsOf(row, summed);
    const there = line.get(column);
    line.set(column, there === undefined ? sums : added(there, sums));
    place.set(name, line);
  }
  return place;
}

interface Grouped {
  readonly columns: readonly PivotColumn[];
  /** The values of each column. */
  readonly values: readonly ReadonlySet<string>[];
}

/** Times in their order; of others those with the most, and the rest of them together. */
function groupedColumns(
  { columns, metric, mostColumns }: PivotQuestion,
  now: Place,
  earlier: Place | null,
): Grouped {
  const sums = new Map<string, Sums>();
  for (const line of earlier?.values() ?? []) for (const column of line.keys()) sums.set(column, {});
  for (const line of now.values())
    for (const [column, each] of line) sums.set(column, added(sums.get(column) ?? {}, each));
  const names = [...sums.keys()].toSorted(compareTexts);
  if (isTime(columns)) return grouped(names, []);
  const largest = names.toSorted((a, b) =>
    compareValues(metricOf(sums.get(b) ?? {}, metric), metricOf(sums.get(a) ?? {}, metric)),
  );
  // A column of one other would be as wide as that one itself.
  const most = largest.length <= mostColumns + 1 ? largest.length : mostColumns;
  return grouped(largest.slice(0, most), largest.slice(most));
}

const grouped = (own: readonly string[], others: readonly string[]): Grouped => ({
  columns: [
    ...own.map((value) => ({ value, count: 1 })),
    ...(others.length === 0 ? [] : [{ value: null, count: others.length }]),
  ],
  values: [...own.map((value) => new Set([value])), ...(others.length === 0 ? [] : [new Set(others)])],
});

function lineOf(
  value: string,
  columns: readonly ReadonlySet<string>[],
  now: ReadonlyMap<string, Sums>,
  before: ReadonlyMap<string, Sums> | null,
): PivotLine {
  const cells = columns.map((values): Cell | null => {
    const [here, there] = [within(now, values), before === null ? null : within(before, values)];
    if (here === null && there === null) return null;
    return { now: here ?? {}, before: before === null ? null : (there ?? {}) };
  });
  return { value, cells, total: sumOfCells(cells) ?? nothing(before !== null) };
}

/** Null where none of the values is there. */
function within(line: ReadonlyMap<string, Sums>, values: ReadonlySet<string>): Sums | null {
  let sum: Sums | null = null;
  for (const [value, sums] of line) if (values.has(value)) sum = sum === null ? sums : added(sum, sums);
  return sum;
}

/** Null where there are none. */
function sumOfCells(cells: readonly (Cell | null)[]): Cell | null {
  let sum: Cell | null = null;
  for (const cell of cells) {
    if (cell === null) continue;
    sum =
      sum === null
        ? cell
        : {
            now: added(sum.now, cell.now),
            before: sum.before === null || cell.before === null ? null : added(sum.before, cell.before),
          };
  }
  return sum;
}

const compareValues = (a: bigint, b: bigint): number => (a === b ? 0 : a < b ? -1 : 1);

/** A column that is not there is the total's order; equal ones are in the order of their names. */
function orderOf(sort: PivotSort, columns: readonly PivotColumn[], metric: Metric) {
  const sign = sort.direction === 'asc' ? 1 : -1;
  const at = sort.column === '' ? -1 : columns.findIndex(({ value }) => value === sort.column);
  const valueIn = (line: PivotLine): bigint =>
    metricOf((at === -1 ? line.total : line.cells[at])?.now ?? {}, metric);
  return (a: PivotLine, b: PivotLine): number => {
    const names = compareTexts(a.value, b.value);
    if (sort.by === 'name') return sign * names;
    return sign * compareValues(valueIn(a), valueIn(b)) || names;
  };
}
