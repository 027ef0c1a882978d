import { createSay } from '../command-options.ts';
import type { Output, Report } from '../report/report.ts';
import { showReport } from '../report/show.ts';
import { readBaseline, writeBaseline } from './baseline.ts';
import { BOUND, type Compared, compareRatios, isFailed, type Ratios } from './compare.ts';
import { type Source, sources } from './sources.ts';

export interface CheckOptions {
  readonly messages: number;
  readonly rounds: number;
  /** Makes the baseline instead of comparing with it. */
  readonly write: boolean;
  readonly baseline: string;
}

/** @returns the exit code: 1 where a ratio grew past the bound. */
export async function runCheck(
  options: CheckOptions,
  output: Output,
  measurements: readonly Source[] = sources,
): Promise<number> {
  const baseline = options.write ? null : await readBaseline(options.baseline);
  const ratios: Record<string, number> = {};
  for (const source of measurements)
    Object.assign(ratios, await source({ ...options, say: createSay(output) }));
  if (baseline === null) {
    await writeBaseline(options.baseline, { date: new Date().toISOString().slice(0, 10), ratios });
    await showReport(writtenReport(ratios, options.baseline), output);
    return 0;
  }
  const compared = compareRatios(baseline.ratios, ratios);
  await showReport(comparedReport(compared, baseline.date), output);
  return isFailed(compared) ? 1 : 0;
}

const percent = (share: number | null): string =>
  share === null ? '–' : `${share > 0 ? '+' : ''}${(100 * share).toFixed(1)} %`;

const title = 'npm run bench -- check';

const writtenReport = (ratios: Ratios, file: string): Report => ({
  title,
  lines: Object.entries(ratios).map(([name, now]) => ({ name, now, ending: 'written' })),
  tables: [{ heads: ['ratio', 'now'], rows: Object.entries(ratios) }],
  notes: [`The baseline is ${file}.`],
  charts: [],
});

function comparedReport(compared: readonly Compared[], date: string): Report {
  return {
    title,
    lines: compared,
    tables: [
      {
        heads: ['ratio', date, 'now', 'change', ''],
        rows: compared.map(({ name, before, now, change, ending }) => [
          name,
          before,
          now,
          percent(change),
          ending,
        ]),
      },
    ],
    notes: [
      isFailed(compared)
        ? `Failed: a ratio grew by more than ${100 * BOUND} %, or none could be compared.`
        : `All ratios are within ${100 * BOUND} % of the baseline, or better.`,
    ],
    charts: [],
  };
}
