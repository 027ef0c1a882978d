import type { HourEarnings } from '../../../../engine/adapters/clickhouse/earnings.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import { DAY_MS, dayText } from '../../../../engine/contract/days.ts';
import type { AppId, DeliveryId } from '../../../../engine/contract/ids.ts';
import { type AnalyticsPort, MOST_VISITS } from '../../../ports/analytics.ts';
import {
  type Amount,
  addAmounts,
  millionthsText,
  noAmount,
  toMillionths,
  toMillionthsBelow,
} from '../convert-earnings.ts';
import type { Period } from '../period.ts';
import { type KeptMeta, keptMeta, nothingEarned, readSite, type SiteAsked } from '../site-earnings.ts';
import { appsOfSite, findLinked, type LinkedDelivery, leadsTo } from './deliveries.ts';
import { placeOf, type Share, type ShareGrain, shareEarnings } from './share.ts';

/** Clicks of more deliveries and hours than one answer takes. */
export class TooManyVisits extends Error {}

export interface DeliveriesAsked extends SiteAsked {
  readonly perVisit: number | null;
  readonly limit: number;
}

interface Money<Text> {
  readonly impressions: number;
  readonly earnings: Text;
}

export interface DeliveryEarned<Text> extends Money<Text> {
  readonly id: DeliveryId;
  readonly identifier: string;
  readonly title: string;
  readonly date: string;
  readonly leads_to_site: boolean;
  readonly visits: number;
  readonly earnings_by_hour: Text;
  readonly grain: ShareGrain | null;
}

/** Exact decimals as texts. */
export interface KeptDeliveryRevenue {
  readonly period_days: number;
  readonly deliveries: readonly DeliveryEarned<string>[];
  readonly others: Money<string> & { readonly deliveries: number; readonly visits: number };
  readonly unassigned: Money<string>;
  readonly totals: Money<string>;
  readonly meta: KeptMeta & { readonly impressions_per_visit: number | null; readonly hours_since: string };
}

/** @throws AnalyticsAway, RateMissing, TooManyVisits. */
export function createReadDeliveryRevenue(sql: Sql, analytics: AnalyticsPort) {
  /** By hour while single clicks are kept, before that by day. */
  async function readVisits(apps: readonly AppId[], { days, firstDay }: Period, since: string) {
    const lastDay = days.at(-1) ?? firstDay;
    const [hourly, daily] = await Promise.all([
      since > lastDay ? [] : analytics.hourlyVisits(apps, later(since, firstDay), lastDay),
      since <= firstDay ? [] : analytics.dailyVisits(apps, firstDay, earlier(dayBefore(since), lastDay)),
    ]);
    if (hourly.length > MOST_VISITS || daily.length > MOST_VISITS) throw new TooManyVisits();
    return [...hourly, ...daily];
  }

  return async function readDeliveryRevenue(
    appId: AppId,
    period: Period,
    asked: DeliveriesAsked,
  ): Promise<KeptDeliveryRevenue> {
    const since = hoursSince(await analytics.attemptsKeptDays(), period);
    const keyOf = ({ date, hour }: HourEarnings): string => placeOf(date, date < since ? null : hour);
    const apps = await appsOfSite(sql, appId, asked.site);
    const [came, earned] = await Promise.all([
      readVisits(apps, period, since),
      asked.granted
        ? readSite({ sql, analytics, asked, period, rowsOf: analytics.siteHours, keyOf })
        : nothingEarned,
    ]);
    const linked = await findLinked(sql, apps, [...new Set(came.map(({ id }) => id))]);
    const toSite = new Set(linked.filter(({ url }) => leadsTo(asked.site, url)).map(({ id }) => id));
    const known = new Set(linked.map(({ id }) => id));
    const shares = await shareEarnings({
      earned: earned.days,
      visits: came.filter(({ id }) => toSite.has(id)),
      perVisit: asked.perVisit,
    });
    const elsewhere = await shareEarnings({
      earned: new Map(),
      visits: came.filter(({ id }) => known.has(id) && !toSite.has(id)),
      perVisit: null,
    });
    const own = linked
      .filter(({ app_id }) => app_id === appId)
      .flatMap((delivery) => {
        const isToSite = toSite.has(delivery.id);
        const share = (isToSite ? shares : elsewhere).get(delivery.id);
        return share === undefined ? [] : [{ delivery, share, isToSite }];
      })
      .toSorted(byEarnings);
    const total = [...earned.days.values()].reduce(addAmounts, noAmount);
    return {
      period_days: period.days.length,
      ...withRest(own, total, asked.limit),
      meta: { ...keptMeta(asked, earned), impressions_per_visit: asked.perVisit, hours_since: since },
    };
  };
}

interface OwnShare {
  readonly delivery: LinkedDelivery;
  readonly share: Share;
  readonly isToSite: boolean;
}

const byEarnings = (one: OwnShare, other: OwnShare): number =>
  Number(
    toMillionthsBelow(other.share.units) - toMillionthsBelow(one.share.units) ||
      BigInt(other.share.visits - one.share.visits) ||
      BigInt(other.delivery.id - one.delivery.id),
  );

/** What is listed, all others together and the rest are the total to the last digit. */
function withRest(own: readonly OwnShare[], total: Amount, limit: number) {
  const others = own.slice(limit);
  const sum = (of: readonly OwnShare[], measure: (share: Share) => bigint): bigint =>
    of.reduce((all, { share }) => all + measure(share), 0n);
  const [earnings, impressions] = [(share: Share) => toMillionthsBelow(share.units), impressionsOf];
  return {
    deliveries: own.slice(0, limit).map(displayed),
    others: {
      deliveries: others.length,
      visits: others.reduce((all, { share }) => all + share.visits, 0),
      ...moneyOf(sum(others, impressions), sum(others, earnings)),
    },
    unassigned: moneyOf(total.impressions - sum(own, impressions), toMillionths(total) - sum(own, earnings)),
    totals: moneyOf(total.impressions, toMillionths(total)),
  };
}

const impressionsOf = ({ impressions }: Share): bigint => impressions;

const displayed = ({ delivery, share, isToSite }: OwnShare): DeliveryEarned<string> => ({
  id: delivery.id,
  identifier: delivery.identifier,
  title: delivery.title,
  date: delivery.date,
  leads_to_site: isToSite,
  visits: share.visits,
  ...moneyOf(share.impressions, toMillionthsBelow(share.units)),
  earnings_by_hour: millionthsText(toMillionthsBelow(share.hourUnits)),
  grain: share.grain,
});

const moneyOf = (impressions: bigint, millionths: bigint): Money<string> => ({
  impressions: Number(impressions),
  earnings: millionthsText(millionths),
});

/** The first day all of whose clicks are kept singly. */
function hoursSince(keptDays: number | null, { firstDay }: Period): string {
  const today = Math.floor(Date.now() / DAY_MS);
  return keptDays === null ? firstDay : later(firstDay, dayText(today - keptDays + 1));
}

const later = (one: string, other: string): string => (one > other ? one : other);
const earlier = (one: string, other: string): string => (one < other ? one : other);
const dayBefore = (day: string): string => dayText(Date.parse(day) / DAY_MS - 1);
