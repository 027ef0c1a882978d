import type { Node } from 'libpg-query';
import { dayNumber } from '../../engine/contract/days.ts';
import { timeValue } from './days-that.ts';
import { evaluate, type Scope } from './evaluate.ts';
import type { Shape } from './plan.ts';
import { isAggregate, isRowCount, metricOf } from './query.ts';
import { partsOf } from './sql.ts';
import { isMetric, isTime } from './table.ts';
import type { Grain } from './time-conditions.ts';
import { exactOf, type Value } from './values.ts';

/** A row of the report, its numbers as the texts that were written, in the order of the report's columns. */
export type ReportRow = readonly (string | null)[];

/** Of one column of the answer; null: the totals of no rows. */
type Output = (row: ReportRow | null) => Value;

/** @returns what makes one row of the answer; of null, the totals of no rows. */
export function outputOf(
  shape: Shape,
  columns: readonly { readonly name: string }[],
  scope: Scope,
): (row: ReportRow | null, rows: number) => Value[] {
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  let rows = 0;
  const outputs = shape.targets.map(
    ({ node }) => asItIs(node, shape.grain, places) ?? computed(node, shape.grain, places, scope, () => rows),
  );
  return (row, count) => {
    rows = count;
    return outputs.map((output) => output(row));
  };
}

/** Digits of a day that are those of a coarser column. */
const lengths: Readonly<Record<string, number>> = { day: 10, month: 7, year: 4 };

/** Most columns are computed from nothing: their texts go through. */
function asItIs(node: Node, grain: Grain | null, places: ReadonlyMap<string, number>): Output | null {
  if (isRowCount(node)) return null;
  const name = (isAggregate(node) ? metricOf(node) : ownColumn(node)) ?? '';
  const place = places.get(name);
  if (place !== undefined) return (row) => row?.[place] ?? null;
  const finer = grain === null ? undefined : places.get(grain);
  const length = lengths[name];
  if (finer === undefined || length === undefined) return null;
  return (row) => row?.[finer]?.slice(0, length) ?? null;
}

function computed(
  node: Node,
  grain: Grain | null,
  places: ReadonlyMap<string, number>,
  scope: Scope,
  rows: () => number,
): Output {
  const fieldOf = (row: ReportRow | null, name: string): Value => {
    const text = row?.[places.get(name) ?? -1] ?? null;
    return text !== null && isMetric(name) ? exactOf(text) : text;
  };
  const day = grain === null ? undefined : places.get(grain);
  return (row) => {
    const date = day === undefined ? null : dayNumber(`${row?.[day] ?? ''}-01-01`.slice(0, 10));
    const known = (one: Node): Value | undefined => {
      if (isRowCount(one)) return rows();
      if (isAggregate(one)) return fieldOf(row, metricOf(one));
      const name = ownColumn(one);
      if (name === null) return undefined;
      return (date === null || !isTime(name) ? undefined : timeValue(one, date)) ?? fieldOf(row, name);
    };
    return evaluate(node, { ...scope, valueOf: known });
  };
}

const ownColumn = (node: Node): string | null => partsOf(node)?.at(-1) ?? null;
