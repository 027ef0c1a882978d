export type Cell = string | number;
/** A decimal is written as it is: a double would lose digits of it, and a text would be marked as one. */
export type ExactCell = Cell | { readonly decimal: string };

/** A value that a spreadsheet would take for a formula is marked as text: people type the names of deliveries. */
const withoutFormula = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const cellOf = (cell: ExactCell): string =>
  typeof cell === 'object'
    ? cell.decimal
    : typeof cell === 'number'
      ? String(cell)
      : `"${withoutFormula(cell).replaceAll('"', '""')}"`;

/** RFC 4180, with headings. */
export const csvOf = (headers: readonly string[], rows: readonly (readonly ExactCell[])[]): string =>
  [headers, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');

/** How long the browser may take to begin with it. */
const KEPT_MS = 60_000;

/** Hands a file to the browser as a download. */
export function download(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}

export const downloadCsv = (
  name: string,
  headers: readonly string[],
  rows: readonly (readonly Cell[])[],
): void =>
  // With its mark, or Excel takes UTF-8 for something older.
  download(name, new Blob(['\uFEFF', csvOf(headers, rows)], { type: 'text/csv;charset=utf-8' }));
