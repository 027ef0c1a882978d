import type { DayEarnings } from '../../../engine/adapters/clickhouse/earnings.ts';
import { knownDay } from '../../../engine/contract/days.ts';
import { divideRounded, floorDivide, formatDecimal, parseDecimal } from '../../../engine/contract/decimal.ts';
import {
  createRateTable,
  type OldRate,
  RATE_PLACES,
  type Rate,
  type RateSource,
  type RateTable,
} from '../../../engine/contract/rate-table.ts';

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
const SHOWN_PLACES = 6;
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

/** Rounded once, half away from zero: in millionths. */
export const toMillionths = ({ units }: Amount): bigint => divideRounded(units, TO_SHOWN);
/** Rounded down: shares of a sum are never more than it. */
export const toMillionthsBelow = (units: bigint): bigint => floorDivide(units, TO_SHOWN);
export const millionthsText = (millionths: bigint): string => formatDecimal(millionths, SHOWN_PLACES);
export const earningsText = (amount: Amount): string => millionthsText(toMillionths(amount));

/** For a thousand impressions; 0 where there were none. */
export const ecpmText = ({ units, impressions }: Amount): string =>
  impressions === 0n
    ? '0'
    : formatDecimal(divideRounded(1_000n * units, impressions * TO_SHOWN), SHOWN_PLACES);

export interface Converted {
  /** By key, by default the day; one without a row is absent. */
  readonly days: ReadonlyMap<string, Amount>;
  /** By source, with the days that the rates are of. */
  readonly rates: readonly RateSource[];
  readonly oldRates: readonly OldRate[];
  /** Earnings in a currency without a rate, which are in no day; ascending by currency. */
  readonly leftOut: LeftOut[];
}

interface LeftOut {
  readonly currency: string;
  /** How many days have something in it that was left out. */
  readonly days: number;
}

/**
 * Every day with its own rate, as reports convert it. Rows that earned something in a currency without a rate are left
 * out, their impressions too, and named: one odd row must not hide a site. Rows that earned nothing need no rate.
 * @throws RateMissing where the requested currency has none, and another one has earnings.
 */
export function convertEarnings<Row extends DayEarnings>(
  rows: readonly Row[],
  rates: readonly Rate[],
  currency: string,
  keyOf: (row: Row) => string = ({ date }) => date,
): Converted {
  const table = createRateTable(rates, currency);
  const foreign = rows
    .filter((row) => row.earned && row.currency !== currency)
    .map((row) => ({ row, currency: row.currency, day: knownDay(row.date) }));
  const lacks = foreign.flatMap(({ row, day }) => {
    const lack = table.lack(row.currency, day);
    return lack === null ? [] : [{ row, lack }];
  });
  const forgotten = lacks.find(({ lack }) => lack.currency === currency);
  if (forgotten !== undefined) throw new RateMissing(currency, forgotten.row.date);

  const left = new Set(lacks.map(({ row }) => row));
  const days = new Map<string, Amount>();
  for (const row of rows) {
    if (left.has(row)) continue;
    const key = keyOf(row);
    days.set(key, addAmounts(days.get(key) ?? noAmount, amountOf(row, table, currency)));
  }
  const used = foreign.filter(
    ({ row }) => !left.has(row) && parseDecimal(row.earnings, EARNINGS_PLACES) !== 0n,
  );
  const oldRates = table.oldOf(used);
  return { days, rates: table.sourcesOf(used), oldRates, leftOut: leftOutOf([...left]) };
}

function amountOf(
  { date, currency: own, impressions, earnings, earned }: DayEarnings,
  table: RateTable,
  currency: string,
): Amount {
  const rate = !earned || own === currency ? '1' : table.rate(own, knownDay(date));
  return {
    impressions,
    units: parseDecimal(earnings, EARNINGS_PLACES) * parseDecimal(rate, RATE_PLACES),
  };
}

const leftOutOf = (rows: readonly DayEarnings[]): LeftOut[] =>
  [...Map.groupBy(rows, (row) => row.currency)]
    .map(([currency, own]) => ({ currency, days: new Set(own.map(({ date }) => date)).size }))
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
