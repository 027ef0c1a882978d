import fc from 'fast-check';
import { plusDays } from './calendar.ts';
import {
  type CountKey,
  countKeys,
  type OracleRate,
  type OracleRow,
  type textKeys,
  type World,
} from './world.ts';

/**
 * Random data around days where calendars are awkward: changes of the clock, by an hour and by half of one, ends
 * of months, 29 February, the turn of the year. Few words and small numbers, so that rows meet.
 */
export const awkwardDays = [
  '2026-03-29',
  '2026-10-04',
  '2026-11-01',
  '2024-02-29',
  '2025-02-28',
  '2025-12-31',
  '2026-04-30',
];

export const words: Readonly<Record<(typeof textKeys)[number] | 'wholesaler', readonly string[]>> = {
  product: ['standard display', 'instream video', ''],
  domain: ['a.example', 'b.example', 'news.example', 'xn--bcher-kva.example'],
  subdomain: ['', 'www.a.example', 'm.xn--bcher-kva.example'],
  media_type: ['display', 'video', 'native'],
  device: ['desktop', 'mobile', 'tablet'],
  os: ['iOS', 'ios', 'Android'],
  ad_unit: ['/1/top', '/1/Top', '100%_wide', "it's", 'back\\slash', '{p0:String}'],
  country: ['DE', 'FR', 'IN', ''],
  deal_id: ['', 'd-1', '"d-2"'],
  deal_name: ['', 'Sommer ☀ Büro', '日本 deal'],
  deal_type: ['open auction', 'deal', 'proposal'],
  wholesaler: ['', 'w1', 'w2'],
};
export const sources = ['', 'gam', 'xandr'] as const;

const HOUR_MS = 3_600_000;
const smallCount = fc.integer({ min: 0, max: 5 }).map(BigInt);
const count = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0n) },
  { weight: 5, arbitrary: smallCount },
  { weight: 2, arbitrary: fc.bigInt(0n, 999_999n) },
  { weight: 1, arbitrary: fc.bigInt(0n, 999_999_999_999_999n) },
);

/**
 * Units of 10^-8. Above zero they end in 0 and below in 1, and of these are fewer than ten: then nothing adds up
 * to zero, and money without a rate is missed in every shape of the sum.
 */
const gain = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0n) },
  // Halves of the last digit shown, which rounding decides.
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 40 }).map((halves) => BigInt(halves) * 50n) },
  { weight: 4, arbitrary: fc.bigInt(0n, 99_999n).map((cents) => cents * 1_000_000n) },
  { weight: 2, arbitrary: fc.bigInt(0n, 10n ** 12n).map((units) => units * 10n) },
  { weight: 1, arbitrary: fc.bigInt(0n, 99_999_999_999_999_999n).map((units) => units * 10n) },
);
const loss = fc.oneof(fc.bigInt(0n, 10n), fc.bigInt(0n, 10n ** 11n)).map((units) => -(units * 10n + 1n));
const MAX_LOSSES = 9;

const currency = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom('EUR', 'USD') },
  { weight: 4, arbitrary: fc.constantFrom('GBP', 'JPY') },
  { weight: 1, arbitrary: fc.constant('SEK') },
);

const rowAround = (day: string, earnings: fc.Arbitrary<bigint>): fc.Arbitrary<OracleRow> =>
  fc
    .record({
      days: fc.oneof(
        { weight: 8, arbitrary: fc.integer({ min: -9, max: 4 }) },
        fc.constantFrom(-365, -366, -31, 40),
      ),
      hour: fc.integer({ min: 0, max: 23 }),
      load: fc.integer({ min: 0, max: 6 }),
      source: fc.constantFrom(...sources),
      texts: fc.record(textArbitraries),
      counts: fc.record(
        Object.fromEntries(countKeys.map((key) => [key, count])) as Record<CountKey, typeof count>,
      ),
      earnings,
      currency,
    })
    .map(({ days, hour, ...row }) => ({
      ...row,
      atMs: Date.parse(`${plusDays(day, days)}T00:00:00Z`) + hour * HOUR_MS,
    }));

const textArbitraries = Object.fromEntries(
  Object.entries(words).map(([key, values]) => [key, fc.constantFrom(...values)]),
) as Record<keyof typeof words, fc.Arbitrary<string>>;

const perEur = fc.oneof(
  fc.bigInt(10n ** 16n, 3n * 10n ** 18n),
  fc.constantFrom(10n ** 18n, 3n * 10n ** 18n, 157_330_000_000_000_000_000n),
);

/** Of SEK none; of the others usually one long before, sometimes none before the data. */
const ratesAround = (day: string): fc.Arbitrary<OracleRate[]> => {
  const rate = (code: string, days: fc.Arbitrary<number>) =>
    fc.record({ day: days.map((offset) => plusDays(day, offset)), currency: fc.constant(code), perEur });
  const ofCurrency = (code: string) =>
    fc
      .tuple(
        fc.array(rate(code, fc.constant(-500)), { minLength: 0, maxLength: 1 }),
        fc.array(rate(code, fc.constant(-500)), { minLength: 1, maxLength: 1 }),
        fc.uniqueArray(rate(code, fc.integer({ min: -9, max: 5 })), {
          maxLength: 5,
          selector: (one) => one.day,
        }),
        fc.integer({ min: 0, max: 5 }),
      )
      .map(([maybe, always, own, dice]) => [...(dice === 0 ? maybe : always), ...own]);
  return fc.tuple(...['USD', 'GBP', 'JPY'].map(ofCurrency)).map((lists) => lists.flat());
};

const ledgerAround = (day: string): fc.Arbitrary<World['ledger']> =>
  fc.record({
    maxLoad: fc.constantFrom(6, 6, 6, 4),
    hidden: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 1 }),
    superseded: fc.array(
      fc
        .record({
          source: fc.constantFrom(...sources),
          from: fc.integer({ min: -4, max: 3 }),
          days: fc.integer({ min: 0, max: 2 }),
          below: fc.integer({ min: 1, max: 6 }),
        })
        .map(({ source, from, days, below }) => ({
          source,
          firstDay: plusDays(day, from),
          lastDay: plusDays(day, from + days),
          below,
        })),
      { maxLength: 1 },
    ),
  });

export const worldAround = (day: string): fc.Arbitrary<World> =>
  fc
    .record({
      gains: fc.array(rowAround(day, gain), { maxLength: 60 }),
      losses: fc.array(rowAround(day, loss), { maxLength: MAX_LOSSES }),
      rates: ratesAround(day),
      ledger: ledgerAround(day),
    })
    .map(({ gains, losses, rates, ledger }) => ({ rows: [...gains, ...losses], rates, ledger }));
