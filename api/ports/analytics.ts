import type { RecordedAttempt } from '../../engine/adapters/clickhouse/analytics.ts';
import type { Earnings } from '../../engine/adapters/clickhouse/earnings.ts';
import type { PersonAttempt, PersonEvent, RowsFrom } from '../../engine/adapters/clickhouse/person-reads.ts';
import type { ReachedReads } from '../../engine/adapters/clickhouse/reached.ts';
import type { DeliveryReactions, Visits } from '../../engine/adapters/clickhouse/reactions.ts';
import type { Ended, ServiceCost, ServiceDay } from '../../engine/adapters/clickhouse/service-days.ts';
import type { AppId, DeliveryId } from '../../engine/contract/ids.ts';

/** Of a delivery: nearly all clicks come within two days. */
export const HOURS_OF_CLICKS = 48;

/** Of visits, in one answer: five deliveries an hour, each clicked in 48 hours, are 180,000 in a month. */
export const MOST_VISITS = 200_000;

/** The figures cannot be had now: 503 where an answer is nothing without them. */
export class AnalyticsAway extends Error {
  constructor(cause: unknown) {
    super('ClickHouse is away', { cause });
    this.name = 'AnalyticsAway';
  }
}

/**
 * The API's queries to ClickHouse. Every call has a short deadline of its own, and rejects with
 * `AnalyticsAway`: callers decide whether to answer without these figures.
 *
 * A click is one subscriber who clicked one delivery, however often.
 */
export interface AnalyticsPort extends Earnings, ReachedReads {
  /** Clicks of each delivery; one without clicks may be missing. At most 100 deliveries a call. */
  deliveryClicks(appId: AppId, deliveryIds: readonly DeliveryId[]): Promise<ReadonlyMap<DeliveryId, number>>;
  /**
   * Clicks of each delivery that was clicked on that day (UTC, `YYYY-MM-DD`) or later, counted from that day
   * on; the newest 100,000 where there are more.
   */
  clicksSince(appId: AppId, firstDay: string): Promise<ReadonlyMap<DeliveryId, number>>;
  /** Readers' reactions to one delivery, each once a kind: for a single delivery, never for a list. */
  deliveryReactions(appId: AppId, deliveryId: DeliveryId): Promise<DeliveryReactions>;
  /** Readers whose browser had shown it before then, each once, of the events that are still kept. */
  seenBefore(appId: AppId, deliveryId: DeliveryId, before: Date): Promise<number>;
  /** Readers by the hour after `from`, from 0, in which each first clicked; of the first two days. */
  clicksByHour(appId: AppId, deliveryId: DeliveryId, from: Date): Promise<ReadonlyMap<number, number>>;
  /** Readers who came by a delivery of the apps, each once an hour and delivery, both days included. At most 200,001 lines. */
  hourlyVisits(appIds: readonly AppId[], firstDay: string, lastDay: string): Promise<readonly Visits[]>;
  /** As `hourlyVisits` by day; also where single clicks are past their retention. */
  dailyVisits(appIds: readonly AppId[], firstDay: string, lastDay: string): Promise<readonly Visits[]>;
  /** As `clicksSince`, of every kind of event. */
  reactionsSince(appId: AppId, firstDay: string): Promise<ReadonlyMap<DeliveryId, DeliveryReactions>>;
  /** Messages by day and push service, both days included; one without any is missing. */
  serviceDays(appId: AppId, firstDay: string, lastDay: string): Promise<readonly ServiceDay[]>;
  /** What a delivery took at each push service; one that was asked for nothing is missing. */
  serviceCosts(appId: AppId, deliveryId: DeliveryId): Promise<readonly ServiceCost[]>;
  /** Messages of each delivery from that number on, over all its days; the newest 100,000. Null: of none. */
  endedFrom(appId: AppId, firstDelivery: DeliveryId | null): Promise<ReadonlyMap<DeliveryId, Ended>>;
  /** How many deliveries each subscription clicked; one without any may be missing. At most 1,000 a call. */
  subscriptionClicks(appId: AppId, seqs: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** The attempts for one subscription of a delivery, in the order of time; the first 100. */
  attemptsOf(appId: AppId, deliveryId: DeliveryId, seq: number): Promise<readonly RecordedAttempt[]>;
  /** What ClickHouse has of some of a person's subscriptions, from one place on. At most 1,000 a call. */
  personAttempts(appId: AppId, seqs: readonly number[], from: RowsFrom): Promise<readonly PersonAttempt[]>;
  personEvents(appId: AppId, seqs: readonly number[], from: RowsFrom): Promise<readonly PersonEvent[]>;
  /** For how many days at least attempts are kept; null: permanently. */
  attemptsKeptDays(): Promise<number | null>;
}
