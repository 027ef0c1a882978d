import { createSay } from '../command-options.ts';
import type { Output, Report, Table } from '../report/report.ts';
import { showReport } from '../report/show.ts';
import { type ImportRow, measureImports } from './measure.ts';
import { measureParts, type PartRow } from './parts.ts';

/** @returns the exit code. */
export async function runImportBench(sizes: readonly number[], output: Output): Promise<number> {
  const say = createSay(output);
  const rows: ImportRow[] = [];
  for (const lines of sizes) rows.push(...(await measureImports(lines, say)));
  await showReport(reportOf(rows), output);
  return 0;
}

/** What of a line costs Postgres what. @returns the exit code. */
export async function runPartsBench(
  sizes: readonly number[],
  rounds: number,
  output: Output,
): Promise<number> {
  const say = createSay(output);
  const tables: Table[] = [];
  const found: (PartRow & { readonly lines: number })[] = [];
  for (const lines of sizes) {
    const rows = await measureParts(lines, rounds, say);
    found.push(...rows.map((row) => ({ ...row, lines })));
    tables.push({
      title: `${lines.toLocaleString('en')} lines, the median of ${rounds}`,
      heads: ['part', 'Postgres µs/line'],
      rows: rows.map(({ part, postgres_us_per_line }) => [part, postgres_us_per_line]),
    });
  }
  const title = 'npm run bench -- import --parts';
  await showReport({ title, lines: found, tables, notes: [], charts: [] }, output);
  return 0;
}

/** The most time that a million lines into an empty installation may take. */
const AIM_SECONDS_PER_MILLION = 150;

function reportOf(rows: readonly ImportRow[]): Report {
  const named = (of: (row: ImportRow) => number) =>
    rows.map((row) => ({
      name: `${row.lines.toLocaleString('en')} lines into ${row.into}`,
      value: of(row),
      own: true,
    }));
  return {
    title: 'npm run bench -- import',
    lines: rows,
    tables: [
      {
        heads: ['lines', 'into', 'seconds', 'lines/s', 'command µs/line', 'Postgres µs/line'],
        rows: rows.map((row) => [
          ...[row.lines, row.into, row.seconds, row.lines_per_second],
          ...[row.command_us_per_line, row.postgres_us_per_line],
        ]),
      },
    ],
    notes: [`The aim: a million lines into an empty installation within ${AIM_SECONDS_PER_MILLION} s.`],
    charts: [
      { kind: 'bars', title: 'Lines a second', unit: '/s', bars: named((row) => row.lines_per_second) },
    ],
  };
}
