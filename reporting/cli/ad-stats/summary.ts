import { counted, pluralOf } from '../../../engine/contract/counted.ts';
import type { ImportRecords } from '../../../engine/kit/command-line/file/records.ts';
import { linesRead } from '../../../engine/kit/command-line/file/report.ts';
import type { FileSaid } from './import-file.ts';
import type { LoadEnding } from './import-load.ts';
import { strangeLines } from './values/strange.ts';

const number = (value: number): string => value.toLocaleString('en-US');

/** The result for a file, for people. */
export function endingLine(
  file: string,
  ending: Exclude<LoadEnding, { kind: 'refused' }>,
  elapsedMs: number,
  {
    kind,
    dryRun,
    source,
    lines,
    said,
    isEmptied,
  }: {
    readonly kind: 'append' | 'restate';
    readonly dryRun: boolean;
    readonly source: string;
    readonly lines: ImportRecords['counts'] | null;
    readonly said: FileSaid | null;
    /** No file of the command has a row, and so the days that --restate names have none. */
    readonly isEmptied: boolean;
  },
): string[] {
  if (ending.kind === 'known') {
    return [
      `${file} is in since ${ending.since.toISOString()} (load ${ending.load} of ${source}): nothing was done.`,
    ];
  }
  if (ending.kind === 'empty')
    return [
      `${file} has no rows: ${kind === 'restate' ? 'no day was replaced (--restate DAY empties one)' : 'nothing was added'}.`,
    ];
  const { rows, refused, days } = ending;
  const seconds = Math.max(elapsedMs / 1_000, 0.001);
  const pace = `in ${seconds.toFixed(1)} s (${number(Math.round(rows / seconds))} rows/s)`;
  const verb = dryRun
    ? 'would be imported'
    : kind === 'restate'
      ? 'replaced the earlier ones'
      : `${pluralOf(rows, 'was', 'were')} imported`;
  const bad = refused === 0 ? '' : `, ${counted(refused, 'bad row')} set aside`;
  const result = isEmptied
    ? `${file} has no rows: ${source} ${dryRun ? 'would have' : 'has'} none ${dryRun ? '' : 'now '}on ${daysOf(days)}.`
    : `${counted(rows, 'row')} of ${file} ${verb}: ${daysOf(days)}${bad}, ${pace}.`;
  const totals = said?.totals.length ?? 0;
  const leftOut = said?.leftOut ?? [];
  const unread = (said?.unread ?? []).slice(0, SHEETS_SHOWN).map((name) => `"${name}"`);
  return [
    result,
    ...(lines === null ? [] : [linesRead(lines, rows, refused, totals)]),
    ...(leftOut.length === 0 ? [] : [`Columns that no field is for: ${leftOut.join(', ')}.`]),
    ...(unread.length === 0 ? [] : [`Sheets that were not read (--sheet names one): ${unread.join(', ')}.`]),
    ...strangeLines(said?.strange ?? []),
  ];
}

const SHEETS_SHOWN = 10;

function daysOf(days: readonly string[]): string {
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined) return 'no day';
  return days.length === 1 ? `${first}` : `${number(days.length)} days, ${first} to ${last}`;
}
