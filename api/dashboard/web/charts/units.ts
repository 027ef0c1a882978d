import { formatMoney, formatNumber, formatPercent } from '../format/format.ts';
import { once } from '../format/once.ts';
import { locale } from '../texts/language.ts';

/** How the values of a measure are written. */
export interface Unit {
  /** In full. */
  readonly value: (value: number) => string;
  /** At an axis, which has little room: `12K`. */
  readonly tick: (value: number) => string;
}

/** A tick is a few steps from zero, and a step is 1, 2 or 5 with zeros: its digits are these at most. */
const TICK_DIGITS = 4;

const ticksOf = (style: Intl.NumberFormatOptions): (() => Intl.NumberFormat) =>
  once(
    () =>
      new Intl.NumberFormat(locale, {
        ...style,
        notation: 'compact',
        minimumSignificantDigits: 1,
        maximumSignificantDigits: TICK_DIGITS,
      }),
  );
const counts = ticksOf({});
const percents = ticksOf({ style: 'percent' });

export const countUnit: Unit = { value: formatNumber, tick: (value) => counts().format(value) };

/** Of values from 0 to 100. */
export const percentUnit: Unit = { value: formatPercent, tick: (value) => percents().format(value / 100) };

/** @param currency `EUR` and the like. */
export function moneyUnit(currency: string): Unit {
  const amounts = ticksOf({ style: 'currency', currency });
  return { value: (value) => formatMoney(value, currency), tick: (value) => amounts().format(value) };
}
