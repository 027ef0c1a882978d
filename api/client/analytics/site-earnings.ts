import type { DayEarnings, EarningsQuestion } from '../../../engine/adapters/clickhouse/earnings.ts';
import { DAYS_OF_A_SOURCE, readLedger, seenState } from '../../../engine/adapters/postgres/ad-ledger.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { DAY_MS, dayText } from '../../../engine/contract/days.ts';
import type { OldRate } from '../../../engine/contract/rate-table.ts';
import { timestampOrNull } from '../../http/fields.ts';
import type { AnalyticsPort } from '../../ports/analytics.ts';
import type { Site } from '../../shared/revenue/site.ts';
import { type Amount, type Converted, convertEarnings } from './convert-earnings.ts';
import type { Period } from './period.ts';
import type { Currency } from './revenue-schema.ts';

export interface SiteAsked {
  readonly site: Site;
  /** False: the earnings of this site are not the caller's to see, and are not read. */
  readonly granted: boolean;
  readonly currency: Currency;
}

/** What a site earned, with what qualifies it. */
export interface SiteEarned extends Converted {
  readonly watermark: string | null;
  readonly restated: boolean;
}

/** As it is kept. */
export interface KeptMeta {
  readonly currency: Currency;
  readonly site: string;
  readonly granted: boolean;
  readonly watermark: string | null;
  readonly restated: boolean;
  readonly rates: readonly {
    readonly source: string;
    readonly first_day: string;
    readonly last_day: string;
  }[];
  readonly old_rates: readonly OldRate[];
  readonly left_out: readonly { readonly currency: string; readonly days: number }[];
}

interface SiteQuestion<Row> {
  readonly sql: Sql;
  readonly analytics: AnalyticsPort;
  readonly asked: SiteAsked;
  readonly period: Period;
  readonly rowsOf: (question: EarningsQuestion) => Promise<Row[]>;
  /** Of a row; left out: its day. */
  readonly keyOf?: (row: Row) => string;
}

/** @throws AnalyticsAway where ClickHouse is unavailable, RateMissing where nothing can be converted. */
export async function readSite<Row extends DayEarnings>(question: SiteQuestion<Row>): Promise<SiteEarned> {
  const { sql, analytics, asked, period, rowsOf, keyOf } = question;
  const { site, currency } = asked;
  const range = { firstDay: period.firstDay, lastDay: period.days.at(-1) ?? period.firstDay };
  const ledger = await readLedger(sql, range);
  const ofSite = { ...site, ...range, ledger };
  const rows = await rowsOf(ofSite);
  const earned = new Set(rows.map((row) => row.currency));
  const foreign = earned.size > (earned.has(currency) ? 1 : 0);
  const named = foreign ? [...earned.add(currency)].filter((name) => name !== 'EUR') : [];
  const rates = await analytics.rates(named, range.firstDay, range.lastDay);
  const since = dayText(Math.floor(Date.now() / DAY_MS) - DAYS_OF_A_SOURCE);
  const state = seenState(ledger, await analytics.siteSources(ofSite, since));
  return {
    ...convertEarnings(rows, rates, currency, keyOf),
    watermark: timestampOrNull(state.completeUntil),
    restated: state.restated,
  };
}

export const nothingEarned: SiteEarned = {
  days: new Map<string, Amount>(),
  watermark: null,
  restated: false,
  rates: [],
  oldRates: [],
  leftOut: [],
};

export const keptMeta = (
  { currency, site, granted }: SiteAsked,
  { watermark, restated, rates, oldRates, leftOut }: SiteEarned,
): KeptMeta => ({
  ...{ currency, site: site.name, granted, watermark, restated, rates },
  old_rates: oldRates,
  left_out: leftOut,
});
