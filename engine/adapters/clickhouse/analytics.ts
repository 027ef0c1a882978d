import type { AppId, DeliveryId } from '../../contract/ids.ts';
import type { Failure, Outcome } from '../../contract/outcome.ts';
import type { PushService } from '../../contract/push-service.ts';
import type { ClickHouse } from './clickhouse.ts';
import { inPieces } from './in-pieces.ts';
import { createPersonReads, type PersonReads } from './person-reads.ts';
import { createReachedReads, type ReachedReads } from './reached.ts';
import { createReactionReads, type ReactionReads } from './reactions.ts';
import { attemptsKeptDays } from './retention.ts';
import { createServiceDayReads, type ServiceDayReads } from './service-days.ts';

/**
 * Reads for dashboards. Every value is a parameter, and every read names its apps: none reads all apps.
 *
 * A click is one subscriber who clicked one delivery, counted once however often and wherever on the
 * notification, and proven by the browser's secret. Unproven ones are counted apart, once per claimed
 * subscriber.
 */
export interface Analytics extends ReactionReads, ReachedReads, ServiceDayReads, PersonReads {
  deliveryTotals(appId: AppId, deliveryId: DeliveryId): Promise<DeliveryTotals>;
  /** Clicks of these deliveries; one without any is left out. */
  deliveryClicks(appId: AppId, deliveryIds: readonly DeliveryId[]): Promise<ReadonlyMap<DeliveryId, number>>;
  /**
   * Clicks, on that day (UTC, `YYYY-MM-DD`) or later, of each delivery that has any. Of more than `limit`
   * deliveries the newest.
   */
  clicksSince(appId: AppId, firstDay: string, limit: number): Promise<ReadonlyMap<DeliveryId, number>>;
  /** How many deliveries each of these subscriptions clicked; one without any is left out. */
  subscriptionClicks(appId: AppId, seqs: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /**
   * The attempts for one subscription of a delivery, in the order of time; at most the first `limit`. Nothing
   * past its retention.
   */
  attemptsOf(appId: AppId, deliveryId: DeliveryId, seq: number, limit: number): Promise<RecordedAttempt[]>;
  /** For how many days attempts are kept at least; null: permanently. */
  attemptsKeptDays(): Promise<number | null>;
}

export interface RecordedAttempt {
  /** 1 the first time; 255 means 255 or more. */
  readonly attempt: number;
  readonly at: Date;
  readonly outcome: Outcome;
  readonly failure: Failure;
  /** 0 where no answer came. */
  readonly status: number;
  readonly pushService: PushService;
  readonly latencyMs: number;
}

export interface DeliveryTotals {
  /** Attempts by how they ended; an outcome that did not occur is absent. */
  readonly attempts: Readonly<Partial<Record<Outcome, number>>>;
  /**
   * Distinct subscribers whose push service accepted: a duplicate sent after a crash counts once, so never more
   * than `attempts.accepted`. Null where single attempts are past their retention, or not yet recorded.
   */
  readonly acceptedSubscribers: number | null;
}

/** UInt64 comes as text in JSON; counts stay far below 2^53. */
type Counts<Names extends string> = Readonly<Record<Names, string | number>>;

export function createAnalytics(clickhouse: ClickHouse): Analytics {
  const { client } = clickhouse;

  async function rows<Row>(query: string, query_params: Record<string, unknown>): Promise<Row[]> {
    const answer = await client.query({ query, query_params, format: 'JSONEachRow' });
    return answer.json<Row>();
  }

  async function counted<Id extends number>(
    query: string,
    params: Record<string, unknown>,
  ): Promise<ReadonlyMap<Id, number>> {
    const answer = await client.query({ query, query_params: params, format: 'JSONEachRow' });
    const found = new Map<Id, number>();
    for await (const some of inPieces<Counts<'id' | 'clicks'>>(answer))
      for (const { id, clicks } of some) found.set(Number(id) as Id, Number(clicks));
    return found;
  }

  return {
    ...createPersonReads(clickhouse),
    ...createReactionReads(clickhouse),
    ...createReachedReads(clickhouse),
    ...createServiceDayReads(clickhouse),
    deliveryTotals: async (appId, deliveryId) => {
      const found = await rows<RecordedRow>(
        `SELECT 'single' AS source, outcome, count() AS attempts, ${distinct} AS subscribers FROM outcomes
         WHERE app_id = {app:UInt32} AND delivery_id = {delivery:UInt64} GROUP BY outcome
         UNION ALL
         SELECT 'roll-up' AS source, outcome, sum(attempts) AS attempts, 0 AS subscribers FROM outcomes_by_day
         WHERE app_id = {app:UInt32} AND delivery_id = {delivery:UInt64} GROUP BY outcome`,
        { app: appId, delivery: deliveryId },
      );
      return totalsOf(found);
    },
    deliveryClicks: (appId, deliveryIds) =>
      counted(
        `SELECT id, subscribers AS clicks FROM (${clicksByDelivery('delivery_id IN {ids:Array(UInt64)}')})
         WHERE subscribers > 0`,
        { app: appId, ids: [...deliveryIds] },
      ),
    clicksSince: (appId, firstDay, limit) =>
      counted(
        `SELECT id, subscribers AS clicks FROM (${clicksByDelivery('day >= toDate({first:String})')})
         WHERE subscribers > 0 ORDER BY id DESC LIMIT {limit:UInt32}`,
        { app: appId, first: firstDay, limit },
      ),
    subscriptionClicks: (appId, seqs) =>
      counted(
        `SELECT seq AS id, uniqExact(delivery_id) AS clicks FROM clicks_by_subscriber
         WHERE app_id = {app:UInt32} AND seq IN {seqs:Array(UInt32)} GROUP BY seq`,
        { app: appId, seqs: [...seqs] },
      ),
    attemptsOf: async (appId, deliveryId, seq, limit) => {
      const found = await rows<AttemptRow>(
        `SELECT attempt, toUnixTimestamp64Milli(at) AS at_ms, outcome, failure, status, push_service, latency_ms
         FROM outcomes WHERE app_id = {app:UInt32} AND delivery_id = {delivery:UInt64} AND seq = {seq:UInt64}
         ORDER BY at, attempt LIMIT {limit:UInt32}`,
        { app: appId, delivery: deliveryId, seq, limit },
      );
      return found.map(({ at_ms, push_service, latency_ms, ...row }) => ({
        ...row,
        at: new Date(Number(at_ms)),
        pushService: push_service,
        latencyMs: latency_ms,
      }));
    },
    attemptsKeptDays: () => attemptsKeptDays(clickhouse),
  };
}

type AttemptRow = Pick<RecordedAttempt, 'attempt' | 'outcome' | 'failure' | 'status'> & {
  readonly at_ms: string | number;
  readonly push_service: PushService;
  readonly latency_ms: number;
};

type RecordedRow = { readonly source: 'single' | 'roll-up'; readonly outcome: Outcome } & Counts<
  'attempts' | 'subscribers'
>;

/**
 * All of it from one table: an insert reaches the two one after the other, and a read between them would count
 * more subscribers than attempts. Single attempts have both; the roll-up answers where it has more of them.
 */
function totalsOf(found: readonly RecordedRow[]): DeliveryTotals {
  const single = found.filter(({ source }) => source === 'single');
  const rollUp = found.filter(({ source }) => source === 'roll-up');
  const sum = (counted: readonly RecordedRow[]): number =>
    counted.reduce((all, { attempts }) => all + Number(attempts), 0);
  const isWhole = sum(single) >= sum(rollUp);
  const accepted = single.find(({ outcome }) => outcome === 'accepted');
  return {
    attempts: Object.fromEntries(
      (isWhole ? single : rollUp).map(({ outcome, attempts }) => [outcome, Number(attempts)]),
    ),
    acceptedSubscribers: isWhole ? Number(accepted?.subscribers ?? 0) : null,
  };
}

/** As a bitmap: a set of ten million numbers takes 500 MB. Those of deleted ones are few, and fill no bitmap. */
const distinct = `groupBitmapIf(toUInt32(seq), seq < 4294967296) + uniqExactIf(seq, seq >= 4294967296)`;

/** The union over the days first: a second click on another day is the same click. */
const clicksByDelivery = (condition: string): string =>
  `SELECT delivery_id AS id, groupBitmapMerge(events_by_day.subscribers) AS subscribers FROM events_by_day
   WHERE app_id = {app:UInt32} AND type = 'clicked' AND ${condition} GROUP BY delivery_id`;
