import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { AnalyticsPort } from '../../ports/analytics.ts';
import { type Amount, addAmounts, earningsText, ecpmText, noAmount } from './convert-earnings.ts';
import { noFigures, sumByDay } from './delivery-figures.ts';
import { fillDays, type Period } from './period.ts';
import type { RevenueFigures } from './revenue-schema.ts';
import { type KeptMeta, keptMeta, nothingEarned, readSite, type SiteAsked } from './site-earnings.ts';

/** As it is kept: exact decimals as texts, which a reader of JSON would make doubles of. */
export interface KeptRevenue {
  readonly period_days: number;
  readonly revenue_by_day: readonly (RevenueFigures<string> & { readonly date: string })[];
  readonly totals: RevenueFigures<string>;
  readonly meta: KeptMeta;
}

/** @throws AnalyticsAway where ClickHouse is unavailable, RateMissing where nothing can be converted. */
export function createReadRevenue(sql: Sql, analytics: AnalyticsPort) {
  return async function readRevenue(appId: AppId, period: Period, asked: SiteAsked): Promise<KeptRevenue> {
    const clicks = await analytics.clicksSince(appId, period.firstDay);
    const [figures, earned] = await Promise.all([
      sumByDay(sql, appId, period, clicks),
      asked.granted
        ? readSite({ sql, analytics, asked, period, rowsOf: analytics.siteEarnings })
        : nothingEarned,
    ]);
    const days = fillDays(period, figures, noFigures).map(({ date, accepted, clicks }) => ({
      date,
      sent: accepted,
      clicks,
      amount: earned.days.get(date) ?? noAmount,
    }));
    return {
      period_days: period.days.length,
      revenue_by_day: days.map(({ date, ...day }) => ({ date, ...figuresOf(day) })),
      totals: figuresOf({
        sent: days.reduce((sum, day) => sum + day.sent, 0),
        clicks: days.reduce((sum, day) => sum + day.clicks, 0),
        amount: days.map(({ amount }) => amount).reduce(addAmounts, noAmount),
      }),
      meta: keptMeta(asked, earned),
    };
  };
}

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
