import type { ImportRecords } from '../../../engine/command-line/file/records.ts';
import { linesRead, number } from '../../../engine/command-line/file/report.ts';
import type { ImportCounts } from './run-import.ts';
import type { UnknownField } from './unknown-fields.ts';

export interface Summary {
  readonly app: string;
  readonly counts: ImportCounts;
  readonly elapsedMs: number;
  /** Where they are looked for. */
  readonly unknownFields?: readonly UnknownField[];
  /** Where the file's own lines are counted. */
  readonly read?: ImportRecords['counts'];
  /** Where it can be stopped: the rest of the file was not read. */
  readonly stopped?: boolean;
}

export function printSummary(
  { app, counts, unknownFields, read, stopped, elapsedMs }: Summary,
  asJson: boolean,
): void {
  if (asJson) {
    const more = { unknown_fields: unknownFields, stopped, elapsed_ms: Math.round(elapsedMs) };
    const file = read === undefined ? {} : { file_lines: read.lines, passed_over: read.passedOver };
    console.log(JSON.stringify({ app, ...counts, ...file, ...more }));
    return;
  }
  const stored = number(counts.inserted + counts.updated);
  console.log(
    `${stored} of ${number(counts.lines)} lines are in ${app}: ${number(counts.inserted)} new, ` +
      `${number(counts.updated)} updated, ${number(counts.refused)} refused, in ${(elapsedMs / 1_000).toFixed(1)} s.`,
  );
  if (read !== undefined && !stopped)
    console.log(linesRead(read, counts.inserted + counts.updated, counts.refused));
  for (const { name, lines, likely } of unknownFields ?? []) {
    const hint = likely === null ? '' : `: did you mean ${likely}?`;
    console.log(`The field "${name}" is not known and was passed over on ${number(lines)} lines${hint}`);
  }
  if (stopped)
    console.log('Stopped. The rest of the file is not in: run the same command again, nothing doubles.');
}
