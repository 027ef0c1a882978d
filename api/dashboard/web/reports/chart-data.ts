import type { Point } from '../charts/series.ts';
import { todayIn } from './periods.ts';
import { type Dimension, isTime, type Metric } from './report.ts';
import type { MadeReport, ReportAnswer } from './result.ts';
import type { Row } from './rows.ts';
import { isUnfinished, timesBetween } from './times.ts';
import { valueName } from './value-name.ts';

/** A chart's data: a point for each key, a value for each series. */
export type ChartData =
  | {
      readonly kind: 'lines';
      readonly time: Time;
      /** A name that people read, and the key of its values. */
      readonly series: readonly { readonly key: string; readonly name: string }[];
      readonly points: readonly Point[];
    }
  | { readonly kind: 'bars'; readonly rows: readonly { readonly name: string; readonly value: number }[] };

export type Time = 'day' | 'month' | 'year';

export const MOST_SERIES = 6;
export const MOST_BARS = 15;

/** Null where the report has too many dimensions to be drawn without adding rows up: an eCPM cannot be added. */
export function chartDataOf(
  report: MadeReport,
  metric: Metric,
  nowMs: number = Date.now(),
): ChartData | null {
  const { draft, answer } = report;
  const [first, second, ...others] = draft.dimensions.toSorted(
    (a, b) => Number(isTime(b)) - Number(isTime(a)),
  );
  if (first === undefined || others.length > 0) return null;
  if (!isTime(first)) return second === undefined ? bars(answer.data, first, metric) : null;
  if (second !== undefined && isTime(second)) return null;
  return lines(report, { time: first as Time, key: second ?? null, metric }, nowMs);
}

const figureOf = (row: Row, metric: Metric): number => Number(row[metric] ?? 0);
const textOf = (row: Row, key: string): string => String(row[key] ?? '') || '–';

const bars = (rows: readonly Row[], key: Dimension, metric: Metric): ChartData => ({
  kind: 'bars',
  rows: rows
    .map((row) => ({ name: valueName(key, String(row[key] ?? '')), value: figureOf(row, metric) }))
    .toSorted((a, b) => b.value - a.value)
    .slice(0, MOST_BARS),
});

interface Lines {
  readonly time: Time;
  /** Whose values are a line each; null: one line for all. */
  readonly key: Dimension | null;
  readonly metric: Metric;
}

/** A point for each day of the period, also for those without a row; the names with the highest values, a line each. */
function lines({ answer }: MadeReport, { time, key, metric }: Lines, nowMs: number): ChartData {
  const { data, meta } = answer;
  const nameOf = (row: Row): string => (key === null ? metric : textOf(row, key));
  const highest = new Map<string, number>();
  for (const row of data) {
    highest.set(nameOf(row), Math.max(highest.get(nameOf(row)) ?? 0, figureOf(row, metric)));
  }
  const series = [...highest]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MOST_SERIES)
    .map(([name], index) => ({ key: `series${index}`, name }));
  const keys = new Map(series.map((each) => [each.name, each.key]));
  const points = timePoints(time, meta, nowMs);
  for (const row of data) {
    const [at, name] = [textOf(row, time), keys.get(nameOf(row))];
    const point = points.get(at);
    if (point !== undefined && name !== undefined)
      points.set(at, { ...point, [name]: figureOf(row, metric) });
  }
  return { kind: 'lines', time, series, points: [...points.values()] };
}

/** A point for each time of a report, in their order. */
export function timePoints(time: Time, meta: ReportAnswer['meta'], nowMs: number): Map<string, Point> {
  const today = todayIn(meta.timezone, nowMs);
  return new Map(
    timesBetween(time, meta.start_date, meta.end_date).map((at) => [
      at,
      { at, isUnfinished: isUnfinished(at, today, meta.complete_until) },
    ]),
  );
}
