import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { fetchLighthouse } from './lighthouse.ts';
import type { MeasureOptions, PageRow } from './row.ts';

export interface PagesBenchOptions extends MeasureOptions {
  readonly json: boolean;
}

const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
const config = fileURLToPath(new URL('vitest.config.ts', import.meta.url));

/** A row for each page as it is measured. @returns the exit code: 1 where a page could not be measured. */
export async function runPagesBench({ json, ...options }: PagesBenchOptions): Promise<number> {
  const say = json ? () => {} : (text: string) => console.error(`  ${text}`);
  await fetchLighthouse(say);
  say('a world that fills every page is made');
  // Vitest, because what the pages stand on is that of the tests.
  const measuring = spawn(process.execPath, [vitest, 'run', '--config', config], {
    env: { ...process.env, BROADSIDE_PAGES_BENCH: JSON.stringify(options satisfies MeasureOptions) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(measuring, 'exit');
  const rows: PageRow[] = [];
  for await (const line of createInterface(measuring.stdout)) {
    if (!line.startsWith('{')) continue;
    const row = JSON.parse(line) as PageRow;
    rows.push(row);
    if (json) console.log(line);
    else printRow(row, rows.length === 1);
  }
  const [code] = await ended;
  if (!json && rows.length > 0) printSum(rows);
  return code === 0 ? 0 : 1;
}

function printRow(row: PageRow, isFirst: boolean): void {
  if (isFirst) {
    console.log(
      '\n| page | score | blocked ms | first paint ms | largest paint ms | speed index ms | shift |',
    );
    console.log('|---|---:|---:|---:|---:|---:|---:|');
  }
  const times = [row.total_blocking_ms, row.first_paint_ms, row.largest_paint_ms, row.speed_index_ms];
  const figures = [row.score, ...times.map((ms) => ms.toLocaleString('en')), row.layout_shift];
  console.log(`| ${row.page} | ${figures.join(' | ')} |`);
}

function printSum(rows: readonly PageRow[]): void {
  const scores = rows.map(({ score }) => score).toSorted((a, b) => a - b);
  const good = scores.filter((score) => score >= 95).length;
  console.log(`\n${good} of ${rows.length} pages have 95 or more; the lowest has ${scores[0]}.\n`);
}
