import { shown } from '../../../engine/contract/shown.ts';

/**
 * RFC 4180. A cell's text is a stranger's: one that a spreadsheet would take for a formula gets an apostrophe, and
 * characters that a terminal would obey are written as in JSON.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = shown(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvLine = (cells: readonly unknown[]): string => `${cells.map(csvCell).join(',')}\n`;
