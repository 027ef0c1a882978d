import { type ScaleLinear, scaleLinear } from 'd3-scale';
import { once } from '../format/once.ts';
import { locale } from '../texts/language.ts';

const compact = once(() => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }));
const shortDays = once(
  () => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
);

/** `12K`: an axis has little room. */
export const compactNumber = (value: number): string => compact().format(value);

/** `2026-01-31` → `31 Jan`; the days of the API are days in UTC. */
export const shortDay = (day: string): string => shortDays().format(new Date(`${day}T00:00:00Z`));

const MOST_LETTERS = 21;
/** A bar's label. */
export const shortName = (name: string): string =>
  name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS - 1)}…` : name;

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

/** The step from one label to the next that has room. @param stepPx from one place of a label to the next. */
export function labelStep(labels: readonly string[], stepPx: number): number {
  const longest = Math.max(0, ...labels.map((label) => label.length));
  return Math.max(1, Math.ceil((longest * LETTER_PX + BETWEEN_PX) / stepPx));
}
