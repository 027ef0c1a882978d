import {
  type Dimension,
  dimensionKeys,
  dimensions,
  isTimeDimension,
  type Metric,
  metricKeys,
  metrics,
} from '../report/keys.ts';
import type { SqlType } from './values.ts';

/** The one table: a row is a combination of all dimensions on a day, with its metrics. */
export const TABLE = 'ad_statistics';

export interface TableColumn {
  readonly name: Dimension | Metric;
  readonly type: SqlType;
  readonly description: string;
}

const metricTypes: Readonly<Partial<Record<Metric, SqlType>>> = { earnings: 'numeric', ecpm: 'numeric' };

export const tableColumns: readonly TableColumn[] = [
  ...dimensionKeys.map((name) => ({
    name,
    type: name === 'day' ? ('date' as const) : ('text' as const),
    description: dimensions[name],
  })),
  ...metricKeys.map((name) => ({
    name,
    type: metricTypes[name] ?? ('int8' as const),
    description: metrics[name],
  })),
];

const types = new Map<string, SqlType>(tableColumns.map(({ name, type }) => [name, type]));
export const columnType = (name: string): SqlType | null => types.get(name) ?? null;

export const isDimension = (name: string): name is Dimension => Object.hasOwn(dimensions, name);
export const isMetric = (name: string): name is Metric => Object.hasOwn(metrics, name);
export const isTime = (name: string): boolean => isDimension(name) && isTimeDimension(name);

/** Of a row: `month` and `year` follow from `day`. */
export const rowDimensions: readonly Dimension[] = dimensionKeys.filter(
  (key) => key === 'day' || !isTimeDimension(key),
);
