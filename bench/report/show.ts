import { writeFile } from 'node:fs/promises';
import { cellText, isNumeric } from './cells.ts';
import { page } from './page.ts';
import type { Output, Report, Table } from './report.ts';

/** Prints a report as Markdown or as JSON lines, and writes its page if requested. */
export async function showReport(report: Report, { json, out }: Output): Promise<void> {
  if (json) for (const line of report.lines) console.log(JSON.stringify(line));
  else {
    for (const table of report.tables) console.log(`\n${markdown(table)}`);
    for (const note of report.notes) console.log(`\n${note}`);
  }
  if (out === null) return;
  await writeFile(out, page(report, new Date()));
  if (!json) console.log(`\nThe page is ${out}.`);
}

export function markdown({ title, heads, rows }: Table): string {
  const numeric = heads.map((_, column) => isNumeric(rows, column));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    ...(title === undefined ? [] : [`**${title}**\n`]),
    line(heads),
    `|${numeric.map((right) => (right ? '---:' : '---')).join('|')}|`,
    ...rows.map((row) => line(row.map(cellText))),
  ].join('\n');
}
