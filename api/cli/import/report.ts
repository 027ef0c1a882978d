import { createWriteStream } from 'node:fs';
import { SingleBar } from 'cli-progress';
import { CliError } from '../endings.ts';
import type { ImportRecords } from './records.ts';
import type { ImportCounts, Refusal } from './run-import.ts';
import type { UnknownField } from './unknown-fields.ts';

/** Refused lines that are shown; all of them are in the file of `--rejects`. */
const MAX_SHOWN = 20;
const LINES_BETWEEN_REPORTS = 100_000;

const number = (value: number): string => value.toLocaleString('en-US');

/** Progress on stderr: a bar on a terminal, else a line now and then. `readBytes` tells how far the file is read. */
export function createProgress(totalBytes: number, readBytes: () => number, verb = 'Importing') {
  const bar = process.stderr.isTTY && totalBytes > 0 ? startBar(totalBytes, verb) : null;
  let reported = 0;
  return {
    show: (counts: Partial<ImportCounts> & Pick<ImportCounts, 'lines' | 'refused'>): void => {
      bar?.update(readBytes(), { lines: number(counts.lines) });
      if (bar !== null || counts.lines - reported < LINES_BETWEEN_REPORTS) return;
      reported = counts.lines;
      console.error(`${number(counts.lines)} lines, ${number(counts.refused)} refused`);
    },
    stop: (): void => bar?.stop(),
  };
}

function startBar(totalBytes: number, verb: string): SingleBar {
  const bar = new SingleBar({
    format: `${verb} [{bar}] {percentage} % | {lines} lines | {eta_formatted} left`,
    stream: process.stderr,
    hideCursor: true,
  });
  bar.start(totalBytes, 0, { lines: '0' });
  return bar;
}

/** Refused lines: the first few to stderr, all of them to a file of JSON lines where one is named. */
export async function createRejects(file: string | undefined, place: (refusal: Refusal) => string = atLine) {
  const stream = file === undefined ? null : await openForWriting(file);
  let refused = 0;
  return {
    add: async (refusal: Refusal): Promise<void> => {
      refused++;
      if (refused <= MAX_SHOWN) console.error(`${place(refusal)}: ${refusal.reason}`);
      if (stream !== null && !stream.write(`${JSON.stringify(refusal)}\n`)) await drained(stream);
    },
    close: async (): Promise<void> => {
      if (refused > MAX_SHOWN)
        console.error(`… and ${number(refused - MAX_SHOWN)} more refused lines${hint(file)}`);
      if (stream !== null) await new Promise<void>((resolve) => stream.end(resolve));
    },
  };
}

const atLine = ({ line }: Refusal): string => `line ${line}`;

const hint = (file: string | undefined): string =>
  file === undefined ? ' (--rejects FILE writes all of them)' : `, all in ${file}`;

type WriteStream = ReturnType<typeof createWriteStream>;

function openForWriting(file: string): Promise<WriteStream> {
  const stream = createWriteStream(file);
  return new Promise((resolve, reject) => {
    stream.once('open', () => resolve(stream));
    stream.once('error', (error) => reject(new CliError(`cannot write ${file}: ${error.message}`)));
  });
}

const drained = (stream: WriteStream): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.once('drain', resolve);
    stream.once('error', reject);
  });

/** Adds up for whoever checks it: where no field holds line ends, rows and lines are the same. */
export function linesRead(
  { lines, passedOver }: ImportRecords['counts'],
  taken: number,
  setAside: number,
): string {
  const spanned = lines - passedOver;
  const span = spanned === taken + setAside ? '' : ` (${number(spanned)} lines)`;
  return (
    `${number(lines)} lines read: ${number(taken)} rows in + ${number(setAside)} set aside${span} + ` +
    `${number(passedOver)} header and blank lines.`
  );
}

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
