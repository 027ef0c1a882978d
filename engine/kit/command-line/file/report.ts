import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { SingleBar } from 'cli-progress';
import { counted } from '../../../contract/counted.ts';
import { CliError } from '../endings.ts';
import { number } from '../numbers.ts';
import { clearBar, printNote } from '../terminal.ts';
import type { ImportRecords } from './records.ts';
import { refuseInput } from './source.ts';

export interface Refusal {
  /** Where several are read. */
  readonly file?: string;
  readonly line: number;
  readonly reason: string;
  readonly raw: unknown;
}

/** Refused lines that are shown; all of them are in the file of `--rejects`. */
const MAX_SHOWN = 20;
/** Beyond it, other reasons are not counted: a file may be of another kind altogether. */
const MAX_REASONS = 20;
const LINES_BETWEEN_REPORTS = 100_000;

/**
 * Progress on stderr: a bar on a terminal, otherwise a line now and then. `readBytes` returns the position in the
 * file. Of lines that are read ahead, `parsed` counts those too: the bar stands where the written ones end.
 */
export function createProgress(totalBytes: number, readBytes: () => number, verb = 'Importing') {
  const bar = process.stderr.isTTY && totalBytes > 0 ? startBar(totalBytes, verb) : null;
  let reported = 0;
  return {
    show: (counts: { readonly lines: number; readonly refused: number }, parsed = counts.lines): void => {
      const share = parsed === 0 ? 0 : counts.lines / parsed;
      bar?.update(Math.round(readBytes() * share), { lines: number(counts.lines) });
      if (bar !== null || counts.lines - reported < LINES_BETWEEN_REPORTS) return;
      reported = counts.lines;
      printNote(`${counted(counts.lines, 'line')}, ${number(counts.refused)} refused`);
    },
    stop: (): void => bar?.stop(),
  };
}

function startBar(totalBytes: number, verb: string): SingleBar {
  const bar = new SingleBar({
    format: `${verb} [{bar}] {percentage}% | {lines} lines | {eta_formatted} left`,
    stream: process.stderr,
    hideCursor: true,
  });
  bar.start(totalBytes, 0, { lines: '0' });
  return bar;
}

/**
 * Refused lines: the first few to stderr, all of them to a file of JSON lines where one is named.
 * @param inputs files that are read; `-` is standard input.
 * @throws CliError where that file is one of them, or cannot be opened.
 */
export async function createRejects(
  file: string | undefined,
  inputs: readonly string[],
  position: (refusal: Refusal) => string = atLine,
) {
  if (file !== undefined) await refuseInput(file, inputs);
  const output = file === undefined ? null : await openForWriting(file);
  const byReason = new Map<string, number>();
  let refused = 0;
  return {
    add: async (refusal: Refusal): Promise<void> => {
      refused++;
      const { reason } = refusal;
      if (byReason.has(reason) || byReason.size < MAX_REASONS)
        byReason.set(reason, (byReason.get(reason) ?? 0) + 1);
      if (refused <= MAX_SHOWN) {
        clearBar();
        printNote(`${position(refusal)}: ${reason}`);
      }
      await output?.write(`${JSON.stringify(refusal)}\n`);
    },
    close: async (): Promise<void> => {
      if (refused > MAX_SHOWN) {
        printNote(`… and ${counted(refused - MAX_SHOWN, 'more refused line')}${hint(file)}`);
        printNote(['Refused lines by reason:', ...listed(byReason)]);
      }
      await output?.close();
    },
  };
}

const listed = (byReason: ReadonlyMap<string, number>): string[] =>
  [...byReason]
    .toSorted(([, one], [, other]) => other - one)
    .map(([reason, lines]) => `  ${number(lines)}: ${reason}`);

const atLine = ({ line }: Refusal): string => `line ${line}`;

const hint = (file: string | undefined): string =>
  file === undefined ? ' (--rejects FILE writes all of them)' : `, all in ${file}`;

/** @throws CliError where it cannot be opened, or written to: a full disk. */
async function openForWriting(file: string) {
  const refuse = (error: unknown): never => {
    throw new CliError(`cannot write ${file}: ${(error as Error).message}`);
  };
  // Lines of subscriptions hold keys of readers.
  const stream = createWriteStream(file, { mode: 0o600 });
  await once(stream, 'open').catch(refuse);
  let failed: Error | null = null;
  stream.on('error', (error) => {
    failed = error;
  });
  return {
    write: async (text: string): Promise<void> => {
      if (failed !== null) refuse(failed);
      if (!stream.write(text)) await once(stream, 'drain').catch(refuse);
    },
    close: async (): Promise<void> => {
      await new Promise<void>((resolve) => stream.end(() => resolve()));
      if (failed !== null) refuse(failed);
    },
  };
}

/** Totals that a user can check; where no field holds line ends, rows and lines are the same. */
export function linesRead(
  { lines, passedOver }: ImportRecords['counts'],
  taken: number,
  setAside: number,
  totals = 0,
): string {
  const spanned = lines - passedOver - totals;
  const sums = totals === 0 ? '' : ` + ${counted(totals, 'row')} of totals`;
  const span = spanned === taken + setAside ? '' : ` (${counted(spanned, 'line')})`;
  return (
    `${counted(lines, 'line')} read: ${counted(taken, 'row')} in + ${number(setAside)} set aside${span}${sums} + ` +
    `${counted(passedOver, 'header or blank line', 'header and blank lines')}.`
  );
}
