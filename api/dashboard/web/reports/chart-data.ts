import { isTime, type Metric } from './report.ts';
import type { MadeReport, Row } from './result.ts';

/** A chart's data: a point for each key, a value for each series. */
export interface ChartData {
  readonly kind: 'lines' | 'bars';
  /** A name that people read, and the key of its values. */
  readonly series: readonly { readonly key: string; readonly name: string }[];
  readonly points: readonly (Readonly<Record<string, string | number>> & { readonly at: string })[];
}

const MOST_SERIES = 6;
const MOST_BARS = 15;

/** Null where the report has too many dimensions to be drawn without adding rows up: an eCPM cannot be added. */
export function chartDataOf({ draft, answer }: MadeReport, metric: Metric): ChartData | null {
  const [first, second, ...others] = draft.dimensions.toSorted(
    (a, b) => Number(isTime(b)) - Number(isTime(a)),
  );
  if (first === undefined || others.length > 0) return null;
  if (second === undefined) {
    return isTime(first) ? oneLine(answer.data, first, metric) : bars(answer.data, first, metric);
  }
  return isTime(first) && !isTime(second) ? lines(answer.data, first, second, metric) : null;
}

const figureOf = (row: Row, metric: Metric): number => Number(row[metric] ?? 0);
const textOf = (row: Row, key: string): string => String(row[key] ?? '') || '–';

function oneLine(rows: readonly Row[], time: string, metric: Metric): ChartData {
  const points = rows
    .map((row) => ({ at: textOf(row, time), [metric]: figureOf(row, metric) }))
    .toSorted((a, b) => (a.at < b.at ? -1 : 1));
  return { kind: 'lines', series: [{ key: metric, name: metric }], points };
}

function bars(rows: readonly Row[], key: string, metric: Metric): ChartData {
  const points = rows
    .map((row) => ({ at: textOf(row, key), [metric]: figureOf(row, metric) }))
    .toSorted((a, b) => Number(b[metric]) - Number(a[metric]))
    .slice(0, MOST_BARS);
  return { kind: 'bars', series: [{ key: metric, name: metric }], points };
}

/** The names with the highest values, a line each. */
function lines(rows: readonly Row[], time: string, key: string, metric: Metric): ChartData {
  const highest = new Map<string, number>();
  for (const row of rows) {
    const name = textOf(row, key);
    highest.set(name, Math.max(highest.get(name) ?? 0, figureOf(row, metric)));
  }
  const shown = [...highest]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MOST_SERIES)
    .map(([name], index) => ({ key: `series${index}`, name }));
  const keys = new Map(shown.map((each) => [each.name, each.key]));
  const points = new Map<string, Record<string, number>>();
  for (const row of rows) {
    const series = keys.get(textOf(row, key));
    if (series === undefined) continue;
    const at = textOf(row, time);
    points.set(at, { ...points.get(at), [series]: figureOf(row, metric) });
  }
  return {
    kind: 'lines',
    series: shown,
    points: [...points].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([at, values]) => ({ ...values, at })),
  };
}
