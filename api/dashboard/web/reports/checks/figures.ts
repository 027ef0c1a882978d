import { formatChange, formatMoney, formatSigned } from '../../format/format.ts';

/** With its sign: `+€4.02`. */
export const differenceText = (value: number, currency: string): string =>
  formatSigned(value, (each) => formatMoney(each, currency));

/** Nothing where there is no percentage of nothing. */
export const changeText = (percent: number | null): string =>
  percent === null ? '–' : formatChange(percent);
