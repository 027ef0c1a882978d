import { type ScaleLinear, scaleLinear } from 'd3-scale';
import { once } from '../format/once.ts';
import { locale } from '../texts/language.ts';

const shortDays = once(
  () => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
);

/** `2026-01-31` → `31 Jan`; the days of the API are days in UTC. */
export const shortDay = (day: string): string => shortDays().format(new Date(`${day}T00:00:00Z`));

const TICKS = 5;

export interface ValueAxis {
  /** From a value to pixels. */
  readonly scale: ScaleLinear<number, number>;
  readonly ticks: readonly number[];
}

/**
 * An axis from 0 to a round number above the values, with about five even ticks: between whole numbers only where values
 * are.
 * @param pixels where 0 is, and where its end is.
 */
export function valueAxis(values: readonly number[], pixels: readonly [number, number]): ValueAxis {
  const isWhole = values.every(Number.isInteger);
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const top = most === least ? 1 : most;
  const scale = scaleLinear([least, top], pixels).nice(TICKS);
  return { scale, ticks: scale.ticks(TICKS).filter((tick) => !isWhole || Number.isInteger(tick)) };
}

const LETTER_PX = 6.5;
const BETWEEN_PX = 16;

/** The room of the longest of some texts. */
export const widthOf = (texts: readonly string[]): number =>
  Math.ceil(Math.max(0, ...texts.map((text) => text.length)) * LETTER_PX);

/** The step from one label to the next that has room. @param stepPx from one place of a label to the next. */
export function labelStep(labels: readonly string[], stepPx: number): number {
  return Math.max(1, Math.ceil((widthOf(labels) + BETWEEN_PX) / stepPx));
}

const MOST_LINES = 2;

/** A name in lines of this room, cut after the last: where it is cut, show it in full beside. */
export function linesOf(name: string, px: number): readonly string[] {
  const most = Math.max(4, Math.floor(px / LETTER_PX));
  const lines: string[] = [''];
  for (const word of name.split(/\s+/).flatMap((each) => piecesOf(each, most))) {
    const last = lines.at(-1) ?? '';
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  if (lines.length <= MOST_LINES) return lines;
  const cut = lines[MOST_LINES - 1] ?? '';
  return [...lines.slice(0, MOST_LINES - 1), `${cut.slice(0, most - 1).trimEnd()}…`];
}

/** A word that is longer than a line. */
function piecesOf(word: string, most: number): string[] {
  const letters = [...word];
  const count = Math.max(1, Math.ceil(letters.length / most));
  return Array.from({ length: count }, (_, at) => letters.slice(at * most, (at + 1) * most).join(''));
}
