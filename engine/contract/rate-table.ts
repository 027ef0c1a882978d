import { dayText, knownDay } from './days.ts';
import { divideRounded, formatDecimal, parseDecimal } from './decimal.ts';
import { fixedRates } from './fixed-rates.ts';

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
  /** Of the currencies that these are converted from and to, those whose rate was old by then; ascending. */
  oldOf(used: readonly CurrencyDay[]): readonly OldRate[];
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

/** A currency whose last rate was more than `OLD_DAYS` before a day on which it was needed. */
export interface OldRate {
  readonly currency: string;
  /** Of that rate. */
  readonly rate_day: string;
  /** The last day that is converted with it. */
  readonly used_until: string;
}

/** Longer than any run of holidays on which a central bank publishes nothing. */
export const OLD_DAYS = 10;

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
  const firstDay = Math.min(
    ...[...steps.values()].map((own) => own.find(({ isFixed }) => !isFixed)?.day ?? Number.POSITIVE_INFINITY),
  );
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
    oldOf: (used) =>
      oldRates(
        used.flatMap(({ currency, day }) =>
          [currency, target].map((code) => ({ code, day, step: stepOf(code, day) })),
        ),
      ),
  };
}

interface Used {
  readonly code: string;
  readonly day: number;
  readonly step: Step | undefined;
}

/** Of each currency the rate that was the oldest when it was used. */
function oldRates(used: readonly Used[]): OldRate[] {
  const oldest = new Map<string, { readonly age: number; readonly rate: OldRate }>();
  for (const { code, day, step } of used) {
    if (step === undefined || step.isFixed || day - step.day <= OLD_DAYS) continue;
    const age = day - step.day;
    if (age > (oldest.get(code)?.age ?? 0))
      oldest.set(code, {
        age,
        rate: { currency: code, rate_day: dayText(step.day), used_until: dayText(day) },
      });
  }
  return [...oldest.values()]
    .map(({ rate }) => rate)
    .toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
}

interface Step {
  readonly day: number;
  readonly perEur: bigint;
  readonly source: string;
  /** Known without an import: it is never old, and says nothing of what was imported. */
  readonly isFixed: boolean;
}

/** What is fixed holds from its day on, whatever was imported for later ones. */
function stepsOf(rates: readonly Rate[]): ReadonlyMap<string, readonly Step[]> {
  const steps = new Map<string, Step[]>();
  const add = ({ currency, day, perEur, source }: Rate, isFixed: boolean): void => {
    const known = steps.get(currency) ?? [];
    steps.set(currency, known);
    known.push({ day: knownDay(day), perEur: parseDecimal(perEur, RATE_PLACES), source, isFixed });
  };
  const fixedOn = new Map<string, string>(fixedRates.map(({ currency, day }) => [currency, day]));
  for (const rate of rates.toSorted((one, other) => (one.day < other.day ? -1 : 1)))
    if (rate.day < (fixedOn.get(rate.currency) ?? NEVER)) add(rate, false);
  for (const rate of fixedRates) add(rate, true);
  return steps;
}
/** After every day. */
const NEVER = '9999-12-31';

function sourcesOf(steps: readonly Step[]): RateSource[] {
  const bySource = Map.groupBy(steps, ({ source }) => source);
  return [...bySource]
    .map(([source, own]) => {
      const days = own.map(({ day }) => day);
      return { source, first_day: dayText(Math.min(...days)), last_day: dayText(Math.max(...days)) };
    })
    .toSorted((one, other) => (one.source < other.source ? -1 : 1));
}
