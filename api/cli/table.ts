import { shown } from '../../engine/contract/shown.ts';

/** Lines of a table: columns as wide as they need to be, numbers to the right. */
export function tableOf(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => textOf(row[column]).length)),
  );
  const line = (cells: readonly (string | number | undefined)[]): string =>
    widths
      .map((width, column) => {
        const cell = cells[column];
        const right = typeof (rows[0]?.[column] ?? '') === 'number';
        return right ? textOf(cell).padStart(width) : textOf(cell).padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return [line(head), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)];
}

const textOf = (cell: string | number | undefined): string =>
  typeof cell === 'number' ? cell.toLocaleString('en-US') : shown(cell ?? '');
