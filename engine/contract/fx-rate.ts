import { currencies } from './currencies.ts';
import { dayNumber } from './days.ts';

/** Units of a currency for one euro on a day, as the ECB publishes them. */
export interface FxRate {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** ISO 4217. */
  readonly currency: string;
  /** A decimal, as text: at most 12 digits before the point and 18 after it. */
  readonly perEur: string;
}

/** About 60 bytes each on the log. */
export const MAX_RATES_PER_BATCH = 5_000;

/** The euro itself began in 1999. */
const FIRST_DAY = '1999-01-01';
const DECIMAL = /^\d{1,12}(\.\d{1,18})?$/;
const IS_ZERO = /^[0.]*$/;

/** @returns the rate, or the reason why it is none. `today` is `YYYY-MM-DD` in UTC. */
export function parseFxRate(
  given: { day: string; currency: string; perEur: string },
  today: string,
): FxRate | string {
  const { day, perEur } = given;
  const currency = given.currency.toUpperCase();
  if (dayNumber(day) === null) return `"${day.slice(0, 20)}" is not a day (YYYY-MM-DD)`;
  if (day < FIRST_DAY) return `${day} is before ${FIRST_DAY}`;
  if (day > today) return `${day} lies in the future`;
  if (!currencies.has(currency)) return `"${given.currency.slice(0, 10)}" is not a currency of ISO 4217`;
  if (currency === 'EUR') return 'EUR has no rate: it is the base of the others';
  if (!DECIMAL.test(perEur)) return `"${perEur.slice(0, 40)}" is not a decimal above zero`;
  if (IS_ZERO.test(perEur)) return 'a rate of zero';
  return { day, currency, perEur };
}
