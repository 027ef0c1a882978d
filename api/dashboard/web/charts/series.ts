import type { Unit } from './units.ts';

/** One measure of a chart. */
export interface Series {
  /** Its field of the points. */
  readonly name: string;
  /** For people. */
  readonly label: string;
  readonly color: string;
  readonly unit: Unit;
  /** Of a range: the field of its lower end, where `name` is that of its upper end. */
  readonly from?: string;
}

/** What a chart draws at one place: its name, and the values of the series. Null: none is known. */
export interface Point {
  readonly at: string;
  /** Its day or hour has not ended: what is known of it will grow. */
  readonly isUnfinished?: boolean;
  readonly [name: string]: string | number | boolean | null | undefined;
}

/** Null where it is not known. */
export const valueAt = (point: Point | undefined, { name }: Pick<Series, 'name'>): number | null => {
  const value = point?.[name];
  return typeof value === 'number' ? value : null;
};
