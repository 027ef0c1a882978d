import { DAYS_OF_A_SOURCE, readLedger, seenState } from '../../../engine/adapters/postgres/ad-ledger.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { DAY_MS, dayText } from '../../../engine/contract/days.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { OldRate } from '../../../engine/contract/rate-table.ts';
import { timestampOrNull } from '../../http/fields.ts';
import type { AnalyticsPort } from '../../ports/analytics.ts';
import type { Site } from '../../shared/revenue/site.ts';
import {
  type Amount,
  addAmounts,
  convertEarnings,
  earningsText,
  ecpmText,
  noAmount,
} from './convert-earnings.ts';
import { noFigures, sumByDay } from './delivery-figures.ts';
import { fillDays, type Period } from './period.ts';
import type { Currency, RevenueFigures } from './revenue-schema.ts';

interface RevenueAsked {
  readonly site: Site;
  /** False: the earnings of this site are not the caller's to see, and are not read. */
  readonly granted: boolean;
  readonly currency: Currency;
}

/** As it is kept: exact decimals as texts, which a reader of JSON would make doubles of. */
export interface KeptRevenue {
  readonly period_days: number;
  readonly revenue_by_day: readonly (RevenueFigures<string> & { readonly date: string })[];
  readonly totals: RevenueFigures<string>;
  readonly meta: {
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
  };
}

/** @throws AnalyticsAway where ClickHouse is unavailable, RateMissing where nothing can be converted. */
export function createReadRevenue(sql: Sql, analytics: AnalyticsPort) {
  async function readSite(period: Period, { site, currency }: RevenueAsked) {
    const range = { firstDay: period.firstDay, lastDay: period.days.at(-1) ?? period.firstDay };
    const ledger = await readLedger(sql, range);
    const question = { ...site, ...range, ledger };
    const rows = await analytics.siteEarnings(question);
    const earned = new Set(rows.map((row) => row.currency));
    const foreign = earned.size > (earned.has(currency) ? 1 : 0);
    const named = foreign ? [...earned.add(currency)].filter((name) => name !== 'EUR') : [];
    const rates = await analytics.rates(named, range.firstDay, range.lastDay);
    const since = dayText(Math.floor(Date.now() / DAY_MS) - DAYS_OF_A_SOURCE);
    const state = seenState(ledger, await analytics.siteSources(question, since));
    return {
      ...convertEarnings(rows, rates, currency),
      watermark: timestampOrNull(state.completeUntil),
      restated: state.restated,
    };
  }

  return async function readRevenue(appId: AppId, period: Period, asked: RevenueAsked): Promise<KeptRevenue> {
    const clicks = await analytics.clicksSince(appId, period.firstDay);
    const [figures, earned] = await Promise.all([
      sumByDay(sql, appId, period, clicks),
      asked.granted ? readSite(period, asked) : nothingEarned,
    ]);
    const days = fillDays(period, figures, noFigures).map(({ date, accepted, clicks }) => ({
      date,
      sent: accepted,
      clicks,
      amount: earned.days.get(date) ?? noAmount,
    }));
    const { watermark, restated, rates, oldRates, leftOut } = earned;
    return {
      period_days: period.days.length,
      revenue_by_day: days.map(({ date, ...day }) => ({ date, ...figuresOf(day) })),
      totals: figuresOf({
        sent: days.reduce((sum, day) => sum + day.sent, 0),
        clicks: days.reduce((sum, day) => sum + day.clicks, 0),
        amount: days.map(({ amount }) => amount).reduce(addAmounts, noAmount),
      }),
      meta: {
        currency: asked.currency,
        site: asked.site.name,
        granted: asked.granted,
        watermark,
        restated,
        rates,
        old_rates: oldRates,
        left_out: leftOut,
      },
    };
  };
}

const nothingEarned = {
  days: new Map<string, Amount>(),
  watermark: null,
  restated: false,
  rates: [],
  oldRates: [],
  leftOut: [],
};

interface Figures {
  readonly sent: number;
  readonly clicks: number;
  readonly amount: Amount;
}

const figuresOf = ({ sent, clicks, amount }: Figures): RevenueFigures<string> => ({
  notifications_sent: sent,
  clicks,
  impressions: Number(amount.impressions),
  earnings: earningsText(amount),
  ecpm: ecpmText(amount),
});
