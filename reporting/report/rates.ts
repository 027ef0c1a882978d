import type { Rate } from '../../engine/adapters/clickhouse/earnings.ts';
import { divideRounded, formatDecimal, parseDecimal } from '../../engine/contract/decimal.ts';
import { dayText, knownDay } from './days.ts';
import type { ReportPeriod } from './period.ts';
import type { ReportRequest } from './request.ts';
import { spansOf } from './spans.ts';

/** What amounts in other currencies are multiplied with. */
export interface RateTable {
  /** Where the rates came from and of which days they are, for `meta`. */
  readonly sources: readonly {
    readonly source: string;
    readonly first_day: string;
    readonly last_day: string;
  }[];
  /** Currencies that have a rate, the request's own not among them. */
  readonly currencies: readonly string[];
  /** An exact decimal of at most 18 places; `0` where there is no rate on or before the day (a number, UTC). */
  rate(currency: string, day: number): string;
}

const PLACES = 18;
const ONE = 10n ** BigInt(PLACES);

export const needsMoney = ({ metrics, filter_groups = [] }: ReportRequest): boolean =>
  [...metrics, ...filter_groups.flatMap(({ filters }) => filters.map(({ value }) => value))].some(
    (key) => key === 'earnings' || key === 'ecpm',
  );

/** The rates of days (`YYYY-MM-DD`, both ends included), and of each currency the last one before them. */
export type RatesOfDays = (firstDay: string, lastDay: string) => Promise<readonly Rate[]>;

/** The rates of the days that the report touches; none are read where it shows no money. */
export async function readRates(
  ratesOf: RatesOfDays,
  request: ReportRequest,
  period: ReportPeriod,
): Promise<RateTable> {
  if (!needsMoney(request)) return createRateTable([], request.currency);
  const found = await Promise.all(
    spansOf(period).map(({ first, last }) => ratesOf(dayText(first), dayText(last))),
  );
  return createRateTable(found.flat(), request.currency);
}

/** From `currency` to `target`, of a day: the last rates on or before it, divided and rounded half away from zero. */
export function createRateTable(given: readonly Rate[], target: string): RateTable {
  const steps = stepsOf(given);
  const perEur = (currency: string, day: number): bigint =>
    currency === 'EUR' ? ONE : (steps.get(currency)?.findLast((step) => step.day <= day)?.perEur ?? 0n);
  return {
    sources: sourcesOf(given),
    currencies: [...new Set([...steps.keys(), 'EUR'])].filter((currency) => currency !== target),
    rate: (currency, day) => {
      const [from, to] = [perEur(currency, day), perEur(target, day)];
      return from === 0n || to === 0n ? '0' : formatDecimal(divideRounded(to * ONE, from), PLACES);
    },
  };
}

interface Step {
  readonly day: number;
  readonly perEur: bigint;
}

function stepsOf(rates: readonly Rate[]): ReadonlyMap<string, readonly Step[]> {
  const steps = new Map<string, Step[]>();
  for (const { currency, day, perEur } of rates.toSorted((one, other) => (one.day < other.day ? -1 : 1))) {
    const known = steps.get(currency) ?? [];
    steps.set(currency, known);
    known.push({ day: knownDay(day), perEur: parseDecimal(perEur, PLACES) });
  }
  return steps;
}

function sourcesOf(rates: readonly Rate[]): RateTable['sources'] {
  const bySource = Map.groupBy(rates, ({ source }) => source);
  return [...bySource].map(([source, own]) => {
    const days = own.map(({ day }) => day).toSorted();
    return { source, first_day: days[0] ?? '', last_day: days.at(-1) ?? '' };
  });
}
