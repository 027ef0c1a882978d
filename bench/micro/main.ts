import { writeFile } from 'node:fs/promises';
import { listCases } from './cases.ts';
import { chartPage } from './chart.ts';
import { type CaseRow, measureCases } from './measure.ts';

export interface MicroOptions {
  readonly rounds: number;
  readonly cryptoMbLibrary: string | null;
  readonly json: boolean;
  /** A page with charts is written here too; null: none. */
  readonly out: string | null;
}

export async function runMicro(options: MicroOptions): Promise<number> {
  const rows = measureCases(
    listCases(options.cryptoMbLibrary, (reason) => console.error(`  ${reason}`)),
    options.rounds,
  );
  if (options.json) for (const row of rows) console.log(JSON.stringify(row));
  else print(rows);
  if (options.out !== null) await writeFile(options.out, chartPage(rows, describeRun(options)));
  return 0;
}

const describeRun = ({ rounds }: MicroOptions): string =>
  `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, medians of ${rounds} alternating rounds, CPU time.`;

function print(rows: readonly CaseRow[]): void {
  console.log('| what | a | minimum µs | median µs | maximum µs | ratio |\n|---|---|---:|---:|---:|---:|');
  for (const { group, name, unit, minimum, median, maximum, ratio } of rows) {
    const figures = [minimum, median, maximum, ratio].map((value) => value.toFixed(2));
    console.log(`| ${group}: ${name} | ${unit} | ${figures.join(' | ')} |`);
  }
}
