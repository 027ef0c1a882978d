import type { ImportRecords } from '../../../engine/kit/command-line/file/records.ts';
import type { FileSaid } from './import-file.ts';
import type { ReadingOptions } from './options.ts';
import type { Input } from './spool.ts';
import type { StoredTexts } from './values/clean.ts';
import type { Style } from './values/survey.ts';

export interface ImportOptions extends ReadingOptions {
  readonly source: string;
  readonly kind: 'append' | 'restate';
  /** Of a restatement: the days that it replaces, whatever the files have of them; null: those of their rows. */
  readonly onlyDays: readonly string[] | null;
  readonly completeUntil: Date | null;
  /** What it says of its days; null: nothing. */
  readonly says: 'complete' | 'final' | null;
  readonly mayChangeFinal: boolean;
  /** Who imports: the account of the machine. */
  readonly madeBy: string;
  readonly maxBad: number;
  readonly rejects: string | undefined;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** A file on its way into a load. */
export interface Part {
  readonly input: Input;
  readonly content: string;
  readonly reading: string;
  sent: number;
  lines: ImportRecords['counts'] | null;
  said: FileSaid | null;
  /** Null until a value is met that needs it. */
  style: Style | null;
  needsSurvey: boolean;
  /** Of a dry run: its first rows. */
  readonly first: ShownRow[];
}

/** A row of a file as it would count. */
export interface ShownRow {
  readonly line: number;
  readonly stored: StoredTexts;
}

/** Of each file, in a dry run. */
export const ROWS_SHOWN = 5;
