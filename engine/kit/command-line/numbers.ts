/** Numbers as the command line writes them: in English, as the dashboard does in English. */
const numbers = new Intl.NumberFormat('en-US');
const amounts = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 20 });
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const percents = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });
const finePercents = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 2 });
const smallShares = new Intl.NumberFormat('en-US', { style: 'percent', maximumSignificantDigits: 2 });

export const number = (value: number): string => numbers.format(value);

/** `1,234.50`, and no digit less than it has. @param exact a decimal as a text. */
export const amount = (exact: string): string => amounts.format(exact as Intl.StringNumericLiteral);

/** `1,234.50`: rounded to the cents that people read. */
export const money = (value: number): string => cents.format(value);

/** `39.9%`; below one percent with two decimals. @param value percent, 0–100. */
export const percentText = (value: number): string =>
  (Math.abs(value) < 1 ? finePercents : percents).format(value / 100);

/** Of shares far below one percent. */
export const smallShareText = (value: number): string => smallShares.format(value / 100);

const MOST_OF_A_PART = 99.9;
const LEAST = 0.01;

/** A part of a whole: only the whole is 100%, and only nothing is 0%. */
export function shareText(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (100 * part) / whole;
  if (part < whole && percent > MOST_OF_A_PART) return percentText(MOST_OF_A_PART);
  return part > 0 && percent < LEAST ? `< ${percentText(LEAST)}` : percentText(percent);
}

const MOST_LIKELY = 99.9;
const LEAST_LIKELY = 0.1;
/** A probability is never certain. @param value percent, 0–100. */
export function chanceText(value: number): string {
  if (value > MOST_LIKELY) return `> ${percentText(MOST_LIKELY)}`;
  return value < LEAST_LIKELY ? `< ${percentText(LEAST_LIKELY)}` : percentText(value);
}
