import type { Point } from '../charts/series.ts';
import { type ChartData, MOST_BARS, MOST_SERIES, type Time, timePoints } from './chart-data.ts';
import { metricOf, shownOf } from './exact.ts';
import type { Cell } from './pivot.ts';
import type { PivotView } from './pivot-view.ts';
import { isTime } from './report.ts';
import type { MadeReport } from './result.ts';
import { valueName } from './value-name.ts';

/** A pivot's chart: a line for each of a few columns or rows over time; otherwise a bar for each row's total. */
export function pivotChartOf(
  { pivot, rows, columns, metric }: PivotView,
  { answer: { meta } }: MadeReport,
  nowMs: number = Date.now(),
): ChartData | null {
  const figure = (cell: Cell | null | undefined): number =>
    cell == null ? 0 : shownOf(metricOf(cell.now, metric), metric);
  if (isTime(rows) && isTime(columns)) return null;
  if (!isTime(rows) && !isTime(columns)) {
    return {
      kind: 'bars',
      rows: pivot.lines
        .map(({ value, total }) => ({ name: valueName(rows, value), value: figure(total) }))
        .toSorted((a, b) => b.value - a.value)
        .slice(0, MOST_BARS),
    };
  }
  const [time, other] = isTime(rows) ? [rows, columns] : [columns, rows];
  const byTime = isTime(rows);
  const names = byTime
    ? pivot.columns.flatMap(({ value }) => (value === null ? [] : [value]))
    : pivot.lines.toSorted((a, b) => figure(b.total) - figure(a.total)).map(({ value }) => value);
  const series = names.slice(0, MOST_SERIES).map((value, at) => ({ value, key: `series${at}` }));
  const points = timePoints(time as Time, meta, nowMs);
  const put = (at: string, value: string, cell: Cell | null | undefined): void => {
    const [point, own] = [points.get(at), series.find((each) => each.value === value)];
    if (point !== undefined && own !== undefined && cell != null)
      points.set(at, { ...point, [own.key]: figure(cell) } as Point);
  };
  for (const line of pivot.lines)
    pivot.columns.forEach(({ value }, at) => {
      if (value === null) return;
      if (byTime) put(line.value, value, line.cells[at]);
      else put(value, line.value, line.cells[at]);
    });
  return {
    kind: 'lines',
    time: time as Time,
    series: series.map(({ key, value }) => ({ key, name: valueName(other, value) })),
    points: [...points.values()],
  };
}
