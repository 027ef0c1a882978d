import { currencies } from '../../../engine/contract/currencies.ts';
import type { ImportRecord } from '../../../engine/kit/command-line/file/records.ts';
import type { FileRecords } from './reading/records.ts';
import { writtenDate } from './values/date.ts';
import { isNothing, writtenNumber } from './values/number.ts';

/** Rows at the end of a file that may be its totals: AdSense has one of totals and one of averages. */
const HELD = 4;
/** Of one file, before its end. */
const MAX_MIDWAY = 1_000;

/** What networks call such a row, in lower case: `Total` Google Ad Manager and Criteo, `Totals` and `Averages` AdSense. */
const labels = new Set([
  ...['total', 'totals', 'grand total', 'grand totals', 'sum', 'average', 'averages', 'total:', 'overall'],
  ...['gesamt', 'gesamtsumme', 'summe', 'summen', 'insgesamt', 'gesamtwert', 'gesamtwerte', 'durchschnitt'],
  ...[
    'durchschnittswerte',
    'mittelwerte',
    'totaux',
    'moyenne',
    'moyennes',
    'totales',
    'promedio',
    'promedios',
  ],
]);

/** The rows of a file without its rows of totals, which are counted and kept as they are written. */
export function withoutTotals(records: FileRecords) {
  const totals: string[] = [];
  /** Files that were put together have totals between their parts. Those of a file of nothing else are bad rows. */
  function isMidway(record: ImportRecord): boolean {
    const [label = ''] = fieldsOf(record) ?? [];
    if (!isLabel(label) || !isTotals(record) || totals.length >= MAX_MIDWAY) return false;
    totals.push(record.raw);
    return true;
  }
  async function* read(): AsyncGenerator<ImportRecord[]> {
    let held: ImportRecord[] = [];
    let sum = 0;
    for await (const some of records) {
      const all = held.length === 0 ? some : [...held, ...some];
      held = all.slice(-HELD);
      if (all.length <= HELD) continue;
      const rows = all.slice(0, -HELD).filter((record) => !isMidway(record));
      sum += impressionsOf(rows, records);
      yield rows;
    }
    const named = held.filter((record) => !isTotals(record));
    const last = named.at(-1);
    const rows = named.slice(0, -1);
    const isSum = last !== undefined && isBareSum(last, sum + impressionsOf(rows, records), records);
    if (last !== undefined && !isSum) rows.push(last);
    totals.push(...held.filter((record) => !rows.includes(record)).map(({ raw }) => raw));
    if (rows.length > 0) yield rows;
  }
  return { records: read(), totals };
}

const fieldsOf = (record: ImportRecord): readonly string[] | null =>
  'value' in record && Array.isArray(record.value) ? (record.value as string[]) : null;

/** Counts have no decimals: their digits are the number, whatever groups them. */
const countOf = (cell: string): number => Number(/^\d+$/.test(cell) ? cell : cell.replaceAll(/\D/g, ''));

function placeOf(records: FileRecords): number {
  const header = records.header();
  return header === null
    ? -1
    : header.names.findIndex((name) => header.plan.fields.get(name) === 'impressions');
}

function impressionsOf(rows: readonly ImportRecord[], records: FileRecords): number {
  const place = placeOf(records);
  if (place === -1) return 0;
  return rows.reduce((sum, row) => sum + countOf(fieldsOf(row)?.[place] ?? ''), 0);
}

/** A last row without a text, without a day, and with the impressions of all rows before it: Criteo names no totals. */
function isBareSum(record: ImportRecord, sum: number, records: FileRecords): boolean {
  const fields = fieldsOf(record);
  const count = countOf(fields?.[placeOf(records)] ?? '');
  if (fields === null || sum === 0 || count !== sum) return false;
  return fields.every((cell) => isNothing(cell.trim()) || isFigure(cell.trim())) && !hasDay(fields, records);
}

function hasDay(fields: readonly string[], records: FileRecords): boolean {
  const header = records.header();
  return fields.some(
    (cell, index) => header?.plan.fields.get(header.names[index] ?? '') === 'at' && !isNothing(cell.trim()),
  );
}

/**
 * By its form, which no row of a day has: its first text is one of these words, no cell holds a date, and all others are
 * figures or empty. A row that lacks its day could not count in any case.
 */
export function isTotals(record: ImportRecord): boolean {
  if ('unreadable' in record) return false;
  const { value } = record;
  if (typeof value !== 'object' || value === null) return false;
  const cells = Object.values(value).map((cell) => (typeof cell === 'string' ? cell.trim() : ''));
  const filled = cells.filter((cell) => !isNothing(cell));
  const [label = '', ...figures] = filled;
  if (!isLabel(label)) return false;
  return figures.length > 0 && figures.every(isFigure);
}

const isLabel = (text: string): boolean => text.length <= 20 && labels.has(text.trim().toLowerCase());

const isFigure = (cell: string): boolean =>
  writtenNumber(cell) !== null ? !isDay(cell) : currencies.has(cell) || labels.has(cell.toLowerCase());

/** `20260314` is a number too: no total has a date. */
const isDay = (cell: string): boolean => /[-/]/.test(cell.slice(1)) && writtenDate(cell) !== null;
