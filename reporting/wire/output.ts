import type { Node } from 'libpg-query';
import { dayNumber } from '../../engine/contract/days.ts';
import { evaluate, type Scope } from './evaluate.ts';
import type { Shape } from './plan.ts';
import { isAggregate, isRowCount, metricOf } from './query.ts';
import { partsOf } from './sql.ts';
import { isMetric, isTime } from './table.ts';
import { type Grain, timeValue } from './time-conditions.ts';
import { exactOf, type Value } from './values.ts';

/** A row of the report by its names, its numbers as the texts that were written. */
export type ReportRow = Readonly<Record<string, string>>;

/** @returns what makes one row of the answer; of null, the totals of no rows. */
export function outputOf(shape: Shape, scope: Scope): (row: ReportRow | null, rows: number) => Value[] {
  const outputs = shape.targets.map(({ node }) => {
    // Most columns are computed from nothing.
    const name = isAggregate(node) ? (isRowCount(node) ? null : metricOf(node)) : ownColumn(node);
    return name === null || isTime(name) ? node : name;
  });
  return (row, rows) => {
    const day = row === null ? null : dayOf(row, shape.grain);
    const rowScope: Scope = { ...scope, valueOf: (node) => valueIn(row, day, rows, node) };
    return outputs.map((output) =>
      typeof output === 'string' ? fieldOf(row, output) : evaluate(output, rowScope),
    );
  };
}

const ownColumn = (node: Node): string | null => partsOf(node)?.at(-1) ?? null;

function valueIn(row: ReportRow | null, day: number | null, rows: number, node: Node): Value | undefined {
  if (isRowCount(node)) return rows;
  if (isAggregate(node)) return fieldOf(row, metricOf(node));
  const name = ownColumn(node);
  if (name === null) return undefined;
  return (day === null ? undefined : timeValue(node, day)) ?? fieldOf(row, name);
}

function fieldOf(row: ReportRow | null, name: string): Value {
  const text = row?.[name];
  if (text === undefined) return null;
  return isMetric(name) ? exactOf(text) : text;
}

function dayOf(row: ReportRow, grain: Grain | null): number | null {
  if (grain === null) return null;
  const text = row[grain] ?? '';
  return dayNumber(`${text}-01-01`.slice(0, 10));
}
