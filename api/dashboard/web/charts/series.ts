/** One measure of a chart. */
export interface Series {
  /** Its field of the points. */
  readonly name: string;
  /** For people. */
  readonly label: string;
  readonly color: string;
}

/** What a chart draws at one place: its name, and the values of the series. Null: none is known. */
export interface Point {
  readonly at: string;
  readonly [name: string]: string | number | null | undefined;
}

/** Null where it is not known. */
export const valueAt = (point: Point | undefined, { name }: Series): number | null => {
  const value = point?.[name];
  return typeof value === 'number' ? value : null;
};
