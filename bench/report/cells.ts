import type { Cell, Table } from './report.ts';

const EXACT_BELOW = 10;
const TENTHS_BELOW = 1_000;

/** As precise as it is worth reading: 0.28, 153.2, 6,672. */
export function cellText(cell: Cell): string {
  if (cell === null) return '–';
  if (typeof cell === 'string') return cell;
  const digits = Math.abs(cell) < EXACT_BELOW ? 2 : Math.abs(cell) < TENTHS_BELOW ? 1 : 0;
  return cell.toLocaleString('en', { maximumFractionDigits: digits });
}

/** A column of numbers, except for unknown ones. */
export const isNumeric = (rows: Table['rows'], column: number): boolean =>
  rows.some((row) => typeof row[column] === 'number') && rows.every((row) => typeof row[column] !== 'string');
