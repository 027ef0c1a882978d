import { shown, shownJson, shownLines } from '../../contract/shown.ts';

/*
 * Everything that a command prints goes through here. Nearly all of it holds texts of strangers: names of readers,
 * answers of servers, lines of files, messages of errors. A terminal obeys what it is sent, so nothing is sent as it is.
 */

/** Prints a line, or several; what is inside of one starts no other. */
export const print = (lines: string | readonly string[]): void => void process.stdout.write(textOf(lines));

/** The same where it is not a result: a note, progress, an error. */
export const printNote = (lines: string | readonly string[]): void =>
  void process.stderr.write(textOf(lines));

/** Prints exactly this value, as JSON. */
export const printJson = (value: unknown, indent = 0): void =>
  void process.stdout.write(`${shownJson(value, indent)}\n`);

export const printNoteJson = (value: unknown): void => void process.stderr.write(`${shownJson(value)}\n`);

/** Columns of the terminal that results are printed to; undefined where that is none. */
export const terminalWidth = (): number | undefined =>
  process.stdout.isTTY ? process.stdout.columns : undefined;

const textOf = (lines: string | readonly string[]): string =>
  (typeof lines === 'string' ? [lines] : lines).map((line) => `${shown(line)}\n`).join('');

/** One result, for programs or for people. */
export const say = (asJson: boolean | undefined, value: unknown, lines: string | readonly string[]): void =>
  asJson === true ? printJson(value) : print(lines);

/** Before a line that is printed while a bar is drawn: it would continue the bar. */
export function clearBar(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
}

/** A stream of rows of ours, each already as it may be shown; it stays open. */
export const rowsOut = (): NodeJS.WritableStream => process.stdout;

/** Cells of a line that programs take apart by its tabs. */
export const printCells = (cells: readonly unknown[]): void =>
  void process.stdout.write(`${cells.map((cell) => shown(String(cell))).join('\t')}\n`);

/** Commander's own words, which quote what was typed. */
export const commanderOutput = {
  writeOut: (text: string): void => void process.stdout.write(shownLines(text)),
  writeErr: (text: string): void => void process.stderr.write(shownLines(text)),
} as const;
