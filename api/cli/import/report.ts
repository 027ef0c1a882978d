import { counted } from '../../../engine/contract/counted.ts';
import type { ImportRecords } from '../../../engine/kit/command-line/file/records.ts';
import { linesRead } from '../../../engine/kit/command-line/file/report.ts';
import { number } from '../../../engine/kit/command-line/numbers.ts';
import { print, printJson } from '../../../engine/kit/command-line/terminal.ts';
import { type Loss, printedLosses } from './losses.ts';
import type { TakenPair } from './old-pair.ts';
import type { ImportCounts } from './run-import.ts';
import { PLAIN, sourceOf } from './sources/sources.ts';
import type { UnknownField } from './unknown-fields.ts';

export interface Summary {
  readonly app: string;
  readonly counts: ImportCounts;
  readonly elapsedMs: number;
  /** Whose export it is. */
  readonly from?: string;
  /** Nothing was written. */
  readonly isDry?: boolean;
  /** The pair that was given, and what the app does with it; null: none was. */
  readonly vapid?: (TakenPair & { readonly publicKey: string }) | null;
  /** Refused lines by reason. */
  readonly lost?: readonly Loss[];
  /** Fields that lines went in without, by reason. */
  readonly left?: readonly Loss[];
  /** Where they are looked for. */
  readonly unknownFields?: readonly UnknownField[];
  /** Where the file's own lines are counted. */
  readonly read?: ImportRecords['counts'];
  /** Where it can be stopped: the rest of the file was not read. */
  readonly stopped?: boolean;
}

export function printSummary(summary: Summary, asJson: boolean): void {
  const { app, counts, unknownFields, read, stopped, elapsedMs, isDry, from = PLAIN } = summary;
  if (asJson) {
    printJson(jsonOf(summary));
    return;
  }
  const stored = number(counts.inserted + counts.updated);
  print(
    `${stored} of ${counted(counts.lines, 'line')} ${isDry ? 'would be' : 'are'} in ${app}: ${number(counts.inserted)} new, ` +
      `${number(counts.updated)} updated, ${number(counts.refused)} refused, in ${(elapsedMs / 1_000).toFixed(1)} s.`,
  );
  if (read !== undefined && !stopped)
    print(linesRead(read, counts.inserted + counts.updated, counts.refused));
  for (const line of vapidLines(summary)) print(line);
  if (from !== PLAIN) printLosses(summary);
  for (const { name, lines, likely } of unknownFields ?? []) {
    const hint = likely === null ? '' : `: did you mean ${likely}?`;
    const what = from === PLAIN ? 'is not known and' : 'has no place here and';
    print(`The field "${name}" ${what} was ignored on ${counted(lines, 'line')}${hint}`);
  }
  if (stopped)
    print(
      'Stopped: the rest of the file is not imported. Run the same command again; imported rows are only updated.',
    );
  if (isDry) print('This was a dry run: nothing was written.');
}

function vapidLines({ app, vapid, isDry }: Summary): string[] {
  if (vapid === undefined || vapid === null) return [];
  if (!vapid.isNew)
    return [`${app} has the VAPID key ${vapid.publicKey} already, as its ${vapid.state} one.`];
  const takes = isDry ? 'would take' : 'has taken';
  if (vapid.state === 'active') return [`${app} ${takes} the VAPID key ${vapid.publicKey} as its own.`];
  return [
    `${app} ${takes} the VAPID key ${vapid.publicKey} beside its own: readers move to its own as they come to the site.`,
  ];
}

function printLosses({ from = PLAIN, lost = [], left = [] }: Summary): void {
  const title = sourceOf(from)?.title ?? from;
  if (lost.length > 0) print(`Lines of ${title} that cannot be moved:`);
  for (const line of printedLosses(lost)) print(line);
  if (left.length > 0) print('Lines that are moved without a field:');
  for (const line of printedLosses(left)) print(line);
}

function jsonOf({ app, counts, read, unknownFields, stopped, elapsedMs, ...foreign }: Summary): object {
  const more = { unknown_fields: unknownFields, stopped, elapsed_ms: Math.round(elapsedMs) };
  const file = read === undefined ? {} : { file_lines: read.lines, passed_over: read.passedOver };
  const { from, isDry, lost, left } = foreign;
  const ofForeign = from === undefined ? {} : { from, dry_run: isDry, vapid: vapidOf(foreign) };
  const losses = from === undefined || from === PLAIN ? {} : { cannot_be_moved: lost, moved_without: left };
  return { app, ...counts, ...file, ...ofForeign, ...losses, ...more };
}

const vapidOf = ({ vapid }: Pick<Summary, 'vapid'>): object | null =>
  vapid === undefined || vapid === null
    ? null
    : { public_key: vapid.publicKey, state: vapid.state, is_new: vapid.isNew };

/** The file of `--report`, with the reasons of the plain form too. */
export const reportOf = (summary: Summary): object => ({
  ...jsonOf(summary),
  cannot_be_moved: summary.lost,
  moved_without: summary.left,
});
