import { dayText, knownDay } from './days.ts';
import { divideRounded, formatDecimal, parseDecimal } from './decimal.ts';

/** Units of the currency for one euro, from that day on until the next. */
export interface Rate {
  readonly currency: string;
  readonly day: string;
  /** An exact decimal of at most 18 places. */
  readonly perEur: string;
  readonly source: string;
}

/** The rates for amounts in other currencies. */
export interface RateTable {
  /** Currencies that have a rate, the request's own not among them. */
  readonly currencies: readonly string[];
  /** An exact decimal of at most 18 places; `0` where there is no rate on or before the day (a number, UTC). */
  rate(currency: string, day: number): string;
  /** Why there is none; null: there is one. */
  lack(currency: string, day: number): RateLack | null;
  /** Where the rates of these came from and of which days they are, for `meta`. */
  sourcesOf(used: readonly CurrencyDay[]): readonly RateSource[];
}

/**
 * `one`: this currency has no rate on that day or before, and others have. `all`: there are no rates, or none
 * of the report's currency.
 */
export interface RateLack {
  readonly of: 'one' | 'all';
  readonly currency: string;
}

export interface RateSource {
  readonly source: string;
  readonly first_day: string;
  readonly last_day: string;
}

/** A currency in which something was earned on a day (a number, UTC). */
export interface CurrencyDay {
  readonly currency: string;
  readonly day: number;
}

/** Decimal places of a rate. */
export const RATE_PLACES = 18;
const ONE = 10n ** BigInt(RATE_PLACES);

/** From `currency` to `target`, of a day: the last rates on or before it, divided and rounded half away from zero. */
export function createRateTable(given: readonly Rate[], target: string): RateTable {
  const steps = stepsOf(given);
  const stepOf = (currency: string, day: number): Step | undefined =>
    steps.get(currency)?.findLast((step) => step.day <= day);
  const perEur = (currency: string, day: number): bigint =>
    currency === 'EUR' ? ONE : (stepOf(currency, day)?.perEur ?? 0n);
  const firstDay = Math.min(...[...steps.values()].map(([first]) => first?.day ?? Number.POSITIVE_INFINITY));
  return {
    currencies: [...new Set([...steps.keys(), 'EUR'])].filter((currency) => currency !== target),
    rate: (currency, day) => {
      const [from, to] = [perEur(currency, day), perEur(target, day)];
      return from === 0n || to === 0n ? '0' : formatDecimal(divideRounded(to * ONE, from), RATE_PLACES);
    },
    lack: (currency, day) => {
      if (perEur(target, day) === 0n) return { of: 'all', currency: target };
      if (perEur(currency, day) !== 0n) return null;
      return { of: day < firstDay ? 'all' : 'one', currency };
    },
    sourcesOf: (used) => {
      const found = used.flatMap(({ currency, day }) => [stepOf(currency, day), stepOf(target, day)]);
      return sourcesOf([...new Set(found.filter((step) => step !== undefined))]);
    },
  };
}

interface Step {
  readonly day: number;
  readonly perEur: bigint;
  readonly source: string;
}

function stepsOf(rates: readonly Rate[]): ReadonlyMap<string, readonly Step[]> {
  const steps = new Map<string, Step[]>();
  for (const rate of rates.toSorted((one, other) => (one.day < other.day ? -1 : 1))) {
    const { currency, day, perEur, source } = rate;
    const known = steps.get(currency) ?? [];
    steps.set(currency, known);
    known.push({ day: knownDay(day), perEur: parseDecimal(perEur, RATE_PLACES), source });
  }
  return steps;
}

function sourcesOf(steps: readonly Step[]): RateSource[] {
  const bySource = Map.groupBy(steps, ({ source }) => source);
  return [...bySource]
    .map(([source, own]) => {
      const days = own.map(({ day }) => day);
      return { source, first_day: dayText(Math.min(...days)), last_day: dayText(Math.max(...days)) };
    })
    .toSorted((one, other) => (one.source < other.source ? -1 : 1));
}
