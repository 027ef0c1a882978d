import type { AppId, DeliveryId } from '../../contract/ids.ts';
import type { ClickHouse } from './clickhouse.ts';
import { inPieces } from './in-pieces.ts';

/**
 * Readers' reactions to a notification, each counted once per kind however often and late the browser reports
 * it. A click or a close without a beacon of its display counts as a display: it was seen. A reader who clicked
 * did not close it. So `clicked + closed <= displayed`, whichever beacons were lost.
 */
export interface Reactions {
  readonly displayed: number;
  readonly clicked: number;
  readonly closed: number;
}

export interface DeliveryReactions extends Reactions {
  /** Claims that no browser's secret proves, each once; never among the above. */
  readonly unproven: Reactions;
}

export interface ReactionReads {
  /** Of one delivery. */
  deliveryReactions(appId: AppId, deliveryId: DeliveryId): Promise<DeliveryReactions>;
  /** Proven readers whose browser had shown it before then, each once; of the events that are still kept. */
  seenBefore(appId: AppId, deliveryId: DeliveryId, before: Date): Promise<number>;
  /**
   * Proven readers by the hour after `from`, from 0, in which each first clicked; of the events that are still kept, and of
   * the first `hours`. An hour without a click is left out; what a browser dates before is in the first.
   */
  clicksByHour(
    appId: AppId,
    deliveryId: DeliveryId,
    from: Date,
    hours: number,
  ): Promise<ReadonlyMap<number, number>>;
  /**
   * Proven readers who clicked a delivery of the apps, by hour in UTC, each once an hour; of the events that are still
   * kept. Both days (`YYYY-MM-DD`) are included. Of more than `limit` lines those of the newest deliveries.
   */
  hourlyVisits(
    appIds: readonly AppId[],
    firstDay: string,
    lastDay: string,
    limit: number,
  ): Promise<readonly Visits[]>;
  /** As `hourlyVisits` by day, of all that was ever clicked; the hour is null. */
  dailyVisits(
    appIds: readonly AppId[],
    firstDay: string,
    lastDay: string,
    limit: number,
  ): Promise<readonly Visits[]>;
  /** Of each delivery with events on that day (UTC, `YYYY-MM-DD`) or later; of more than `limit` the newest. */
  reactionsSince(
    appId: AppId,
    firstDay: string,
    limit: number,
  ): Promise<ReadonlyMap<DeliveryId, DeliveryReactions>>;
}

/** Readers who came by a delivery in an hour, or on a day. */
export interface Visits {
  readonly id: DeliveryId;
  readonly date: string;
  /** In UTC, from 0. */
  readonly hour: number | null;
  readonly visits: number;
}

const HOUR_MS = 3_600_000;

export const noReactions: DeliveryReactions = Object.freeze({
  displayed: 0,
  clicked: 0,
  closed: 0,
  unproven: Object.freeze({ displayed: 0, clicked: 0, closed: 0 }),
});

/**
 * Reads the bitmaps of three kinds: 0.4 MB and 2 ms a delivery to a million readers, half of whom saw it. So it
 * is read for one delivery, or for an app's period once in some minutes; lists of deliveries do without.
 */
export function createReactionReads({ client }: ClickHouse): ReactionReads {
  async function read(condition: string, query_params: Record<string, unknown>) {
    const query = `SELECT delivery_id AS id, ${countsOf('subscribers', '')}, ${countsOf('unproven', 'unproven_')}
      FROM events_by_day WHERE app_id = {app:UInt32} AND ${condition} GROUP BY delivery_id
      ORDER BY id DESC LIMIT {limit:UInt32}`;
    const answer = await client.query({ query, query_params, format: 'JSONEachRow' });
    const found = new Map<DeliveryId, DeliveryReactions>();
    for await (const rows of inPieces<ReactionRow>(answer))
      for (const row of rows) found.set(Number(row.id) as DeliveryId, reactionsOf(row));
    return found;
  }

  async function visits(
    select: string,
    params: { readonly apps: readonly AppId[]; readonly [name: string]: unknown },
  ): Promise<Visits[]> {
    const answer = await client.query({
      query: `${select} GROUP BY id, date, hour HAVING visits > 0 ORDER BY id DESC, date, hour LIMIT {limit:UInt32}`,
      query_params: params,
      format: 'JSONEachRow',
    });
    const found: Visits[] = [];
    for await (const rows of inPieces<VisitsRow>(answer))
      for (const row of rows)
        found.push({ ...row, id: Number(row.id) as DeliveryId, visits: Number(row.visits) });
    return found;
  }

  return {
    hourlyVisits: (apps, first, last, limit) =>
      visits(
        `SELECT delivery_id AS id, toString(toDate(at)) AS date, toHour(at) AS hour, groupBitmap(subscriber) AS visits
         FROM events WHERE app_id IN {apps:Array(UInt32)} AND type = 'clicked' AND proven AND NOT test
           AND at >= toDateTime64({first:String}, 3, 'UTC') AND at < toDateTime64(toDate({last:String}) + 1, 3, 'UTC')`,
        { apps, first, last, limit },
      ),
    dailyVisits: (apps, first, last, limit) =>
      visits(
        `SELECT delivery_id AS id, toString(day) AS date, NULL AS hour, groupBitmapMerge(events_by_day.subscribers) AS visits
         FROM events_by_day WHERE app_id IN {apps:Array(UInt32)} AND type = 'clicked'
           AND day BETWEEN toDate({first:String}) AND toDate({last:String})`,
        { apps, first, last, limit },
      ),
    deliveryReactions: async (app, delivery) => {
      const found = await read('delivery_id = {delivery:UInt64}', { app, delivery, limit: 1 });
      return found.get(delivery) ?? noReactions;
    },
    // By the single events: days are too coarse. A bitmap of two million readers takes some 30 ms.
    seenBefore: async (app, delivery, before) => {
      const answer = await client.query({
        query: `SELECT groupBitmap(subscriber) AS readers FROM events
          WHERE app_id = {app:UInt32} AND delivery_id = {delivery:UInt64} AND proven
            AND at < fromUnixTimestamp64Milli({before:Int64}, 'UTC')`,
        query_params: { app, delivery, before: before.getTime() },
        format: 'JSONEachRow',
      });
      const [row] = await answer.json<{ readers: string | number }>();
      return Number(row?.readers ?? 0);
    },
    clicksByHour: async (app, delivery, from, hours) => {
      const answer = await client.query({
        query: `SELECT intDiv(greatest(first - {from:Int64}, 0), ${HOUR_MS}) AS hour, count() AS clicks FROM (
            SELECT toUnixTimestamp64Milli(min(at)) AS first FROM events
            WHERE app_id = {app:UInt32} AND delivery_id = {delivery:UInt64} AND type = 'clicked' AND proven
            GROUP BY subscriber
          ) GROUP BY hour HAVING hour < {hours:UInt32} ORDER BY hour`,
        query_params: { app, delivery, from: from.getTime(), hours },
        format: 'JSONEachRow',
      });
      const found = await answer.json<{ hour: string | number; clicks: string | number }>();
      return new Map(found.map(({ hour, clicks }) => [Number(hour), Number(clicks)]));
    },
    reactionsSince: (app, first, limit) => read('day >= toDate({first:String})', { app, first, limit }),
  };
}

type VisitsRow = Omit<Visits, 'id' | 'visits'> & Readonly<Record<'id' | 'visits', string>>;

/** UInt64 comes as text in JSON. */
type ReactionRow = Readonly<Record<'id' | `${'' | 'unproven_'}${keyof Reactions}`, string | number>>;

const reactionsOf = (row: ReactionRow): DeliveryReactions => ({
  displayed: Number(row.displayed),
  clicked: Number(row.clicked),
  closed: Number(row.closed),
  unproven: {
    displayed: Number(row.unproven_displayed),
    clicked: Number(row.unproven_clicked),
    closed: Number(row.unproven_closed),
  },
});

const countsOf = (column: string, prefix: string): string => {
  const clicked = `groupBitmapMergeIf(events_by_day.${column}, type = 'clicked')`;
  return `groupBitmapMerge(events_by_day.${column}) AS ${prefix}displayed, ${clicked} AS ${prefix}clicked,
    groupBitmapMergeIf(events_by_day.${column}, type IN ('clicked', 'closed')) - ${clicked} AS ${prefix}closed`;
};
