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

/** Rows of `█▀▄` and spaces: what is drawn is dark, what is not is light. */
export interface Picture {
  readonly indent: string;
  readonly rows: readonly string[];
}

/** Foreground and background. Of the 256 colours, those that no theme changes; of the 16, black and bright white. */
const colours = {
  256: { onWhite: '\u001b[38;5;16;48;5;231m', onBlack: '\u001b[38;5;231;48;5;16m' },
  16: { onWhite: '\u001b[30;107m', onBlack: '\u001b[97;40m' },
} as const;
const PLAIN = '\u001b[0m';
const EIGHT_BITS = 8;
/**
 * Each by the background of its lower half: with room between two lines, that is what the terminal shows there. A drawn
 * block would leave a gap.
 */
const coloured: Readonly<Record<string, readonly [colour: 'onWhite' | 'onBlack', character: string]>> = {
  '█': ['onBlack', ' '],
  '▄': ['onBlack', '▀'],
  '▀': ['onWhite', '▀'],
  ' ': ['onWhite', ' '],
};
const inverted: Readonly<Record<string, string>> = { '█': ' ', ' ': '█', '▀': '▄', '▄': '▀' };

/**
 * Lines as `print` has them, and pictures that look alike in every terminal: dark on light, since not every camera reads
 * the inverse. Without colours (NO_COLOR) they are right where the background is dark, and inverted where it is light.
 */
export const printPage = (lines: readonly (string | Picture)[]): void =>
  void process.stdout.write(pageText(lines, process.stdout.isTTY ? process.stdout.getColorDepth() : 1));

/** @param colourBits of the terminal: 1 (none), 4, 8 or 24. */
export const pageText = (lines: readonly (string | Picture)[], colourBits: number): string =>
  lines.map((line) => (typeof line === 'string' ? textOf(line) : pictureText(line, colourBits))).join('');

function pictureText({ indent, rows }: Picture, colourBits: number): string {
  const codes = colours[colourBits >= EIGHT_BITS ? 256 : 16];
  const draw = colourBits > 1 ? (row: string) => colouredRow(row, codes) : invertedRow;
  return rows.map((row) => `${indent}${draw(row)}\n`).join('');
}

const invertedRow = (row: string): string =>
  row.replace(/./gu, (character) => inverted[character] ?? character);

function colouredRow(row: string, codes: (typeof colours)[keyof typeof colours]): string {
  let text = '';
  let current: string | null = null;
  for (const each of row) {
    const [colour, character] = coloured[each] ?? ['onWhite', each];
    text += (colour === current ? '' : codes[colour]) + character;
    current = colour;
  }
  return text + PLAIN;
}

/** Prints exactly this value, as JSON. */
export const printJson = (value: unknown, indent = 0): void =>
  void process.stdout.write(`${shownJson(value, indent)}\n`);

export const printNoteJson = (value: unknown): void => void process.stderr.write(`${shownJson(value)}\n`);

/**
 * Draws over the line that it drew before. Null where no terminal could: one that knows no colours (`TERM=dumb`) may show
 * the codes themselves.
 */
export const lineDrawer = (): ((line: string) => void) | null =>
  process.stdout.isTTY && process.stdout.getColorDepth() > 1 ? drawLine : null;

function drawLine(line: string): void {
  // Two lines of the terminal could not be drawn over.
  const text = shown(line).slice(0, Math.max(0, process.stdout.columns - 1));
  // The cursor stays at the begin, so that a line of the log is not appended to this one.
  process.stdout.write(`\r\u001b[K${text}\r`);
}

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
