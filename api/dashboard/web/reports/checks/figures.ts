import { formatChange, formatMoney } from '../../format/format.ts';

/** With its sign: `+€4.02`. */
export const differenceText = (value: number, currency: string): string =>
  `${value > 0 ? '+' : value < 0 ? '−' : ''}${formatMoney(Math.abs(value), currency)}`;

/** Nothing where there is no percentage of nothing. */
export const changeText = (percent: number | null): string =>
  percent === null ? '–' : formatChange(percent);
