import type { DayEarnings, Rate } from '../../../engine/adapters/clickhouse/earnings.ts';
import { divideRounded, formatDecimal, parseDecimal } from '../../../engine/contract/decimal.ts';

/** No rate of the currency asked for on that day or before. */
export class RateMissing extends Error {
  readonly currency: string;
  readonly day: string;
  constructor(currency: string, day: string) {
    super(`there is no rate of ${currency} on or before ${day}`);
    this.name = 'RateMissing';
    this.currency = currency;
    this.day = day;
  }
}

const EARNINGS_PLACES = 8;
const RATE_PLACES = 18;
const SHOWN_PLACES = 6;
const ONE = 10n ** BigInt(RATE_PLACES);
/** From an exact amount, with the decimal places of earnings and of a rate, to the displayed one. */
const TO_SHOWN = 10n ** BigInt(EARNINGS_PLACES + RATE_PLACES - SHOWN_PLACES);

/** An exact sum: of this many impressions, in units of 10^-26 of the requested currency. */
export interface Amount {
  readonly impressions: bigint;
  readonly units: bigint;
}

export const noAmount: Amount = Object.freeze({ impressions: 0n, units: 0n });

export const addAmounts = (a: Amount, b: Amount): Amount => ({
  impressions: a.impressions + b.impressions,
  units: a.units + b.units,
});

/** Rounded once, half away from zero, to 6 places. */
export const earningsText = ({ units }: Amount): string =>
  formatDecimal(divideRounded(units, TO_SHOWN), SHOWN_PLACES);

/** For a thousand impressions; 0 where there were none. */
export const ecpmText = ({ units, impressions }: Amount): string =>
  impressions === 0n
    ? '0'
    : formatDecimal(divideRounded(1_000n * units, impressions * TO_SHOWN), SHOWN_PLACES);

interface UsedRates {
  readonly source: string;
  readonly first_day: string;
  readonly last_day: string;
}

interface Converted {
  /** By day; one without a row is absent. */
  readonly days: ReadonlyMap<string, Amount>;
  /** By source, with the days that the rates are of. */
  readonly rates: UsedRates[];
  /** Earnings in a currency without a rate, which are in no day; ascending by currency. */
  readonly leftOut: LeftOut[];
}

interface LeftOut {
  readonly currency: string;
  /** How many days have something in it that was left out. */
  readonly days: number;
}

/**
 * Every day with its own rate, `per_eur` of the requested currency over `per_eur` of the row's, rounded half
 * away from zero to 18 places; 1 where they are the same. A day without a rate takes the last one before it.
 * Earnings in a currency without any are left out, impressions too, and named: one odd row must not hide a
 * site.
 * @throws RateMissing where the requested currency has none, and another one has earnings.
 */
export function convertEarnings(
  rows: readonly DayEarnings[],
  rates: readonly Rate[],
  currency: string,
): Converted {
  const days = new Map<string, Amount>();
  const used = new Set<Rate>();
  const byCurrency = Map.groupBy(rates, (rate) => rate.currency);

  function perEur(name: string, day: string): bigint | null {
    if (name === 'EUR') return ONE;
    const rate = byCurrency.get(name)?.findLast((each) => each.day <= day);
    if (rate === undefined) return null;
    used.add(rate);
    return parseDecimal(rate.perEur, RATE_PLACES);
  }
  function rateOn(day: string, earned: string): bigint | null {
    const asked = perEur(currency, day);
    if (asked === null) throw new RateMissing(currency, day);
    const own = perEur(earned, day);
    return own === null ? null : divideRounded(asked * ONE, own);
  }

  const leftOut = new Map<string, number>();
  for (const { date, currency: earned, impressions, earnings } of rows) {
    const amount = parseDecimal(earnings, EARNINGS_PLACES);
    const rate = amount === 0n || earned === currency ? ONE : rateOn(date, earned);
    if (rate === null) leftOut.set(earned, (leftOut.get(earned) ?? 0) + 1);
    else days.set(date, addAmounts(days.get(date) ?? noAmount, { impressions, units: amount * rate }));
  }
  return {
    days,
    rates: bySource([...used]),
    leftOut: Array.from(leftOut, ([name, count]) => ({ currency: name, days: count })).toSorted((a, b) =>
      a.currency < b.currency ? -1 : 1,
    ),
  };
}

function bySource(rates: readonly Rate[]): UsedRates[] {
  const groups = Map.groupBy(rates, ({ source }) => source);
  return [...groups]
    .map(([source, group]) => {
      const days = group.map(({ day }) => day).toSorted();
      return { source, first_day: days[0] ?? '', last_day: days.at(-1) ?? '' };
    })
    .toSorted((a, b) => (a.source < b.source ? -1 : 1));
}
