import { createSay } from '../command-options.ts';
import { tenths } from '../median.ts';
import type { Output } from '../report/report.ts';
import { showReport } from '../report/show.ts';
import { measureCap } from './measure.ts';

/** @returns the exit code. */
export async function runCapBench(rounds: number, blocks: number, output: Output): Promise<number> {
  const rows = await measureCap({ rounds, blocks, say: createSay(output) });
  const [one] = rows;
  await showReport(
    {
      title: 'npm run bench -- cap',
      lines: rows,
      tables: [
        {
          heads: ['rules', 'minimum µs a block', 'median µs', 'ratio of medians'],
          rows: rows.map(({ rules, minimum, median }) => [
            rules,
            tenths(minimum),
            tenths(median),
            median / (one?.median ?? Number.NaN),
          ]),
        },
      ],
      notes: [
        'The aim: three rules cost at most 10 % more than one. Elapsed time, with Postgres. One reading of the wishes serves a shard’s blocks for a second.',
      ],
      charts: [],
    },
    output,
  );
  return 0;
}
