import type { NamedReach } from '../contract/audience.ts';
import type { AppId, DeliveryId, OrganizationId } from '../contract/ids.ts';
import type { CountedDelivery, EarlyCorrection, Plan, Turn, UnfrozenDelivery } from '../contract/plan.ts';
import type { Lane } from '../contract/topics.ts';
import type { Traceparent } from '../contract/trace-context.ts';
import { packShards } from './pack-shards.ts';
import type { ReleaseStore } from './release.ts';

/** The database as planning needs it, see `engine/adapters/postgres/plan/plan-store.ts`. */
export interface PlanStore {
  /**
   * Of a lane's deliveries that wait on the log: the first one of an organization that was not served, or else was served the
   * longest ago. It is given to nobody else for a while, after which it is put onto the log again. Null: none waits, or `own`,
   * whose message would be used for it, is not seen to wait yet: no other message would find that one.
   * @param lane where `own` is gone: else its own lane counts, whose messages an older release put onto the other topic, too.
   * @param served organizations, the one that was served last at the end.
   */
  takeTurn(lane: Lane, served: readonly OrganizationId[], own: DeliveryId): Promise<Turn | null>;
  /**
   * Counts the audience by block. It takes up to a second, locks nothing and changes nothing. Null: the delivery was
   * planned before, cancelled or deleted.
   * @throws RangeError where its segment's rules cannot be read.
   */
  countAudience(deliveryId: DeliveryId): Promise<CountedDelivery | UnfrozenDelivery | EarlyCorrection | null>;
  /** Keeps whom a delivery reached for the planned one: bit `seq` of the app. The first one to write it decides. */
  freezeReach(deliveryId: DeliveryId, named: NamedReach, seqs: Uint8Array): Promise<void>;
  /** The delivery is put onto the log again in this number of seconds. */
  postpone(deliveryId: DeliveryId, seconds: number): Promise<void>;
  /**
   * In one transaction: a row per shard, each with a time of its own where the delivery is paced, and the delivery
   * in `processing`, or in `success` where it has no shard. False: it was planned, cancelled or deleted since it was
   * counted, and nothing is written.
   */
  writePlan(deliveryId: DeliveryId, plan: Plan): Promise<boolean>;
  /** Ends a delivery that cannot be planned, with the reason its publisher reads. */
  failDelivery(deliveryId: DeliveryId, reason: string): Promise<void>;
}

export type PlanEnding =
  | { readonly kind: 'planned'; readonly shards: number; readonly targets: number }
  /** Planned before (the message came again), cancelled, or deleted: nothing to do. */
  | { readonly kind: 'nothing-to-plan' }
  /** Its rules name whom another delivery reached, which cannot be read now. */
  | Postponed
  | Early;

interface Postponed {
  readonly kind: 'postponed';
  readonly deliveryId: DeliveryId;
  readonly cause: unknown;
}

/** It waits for the last messages of the delivery that it corrects. */
interface Early {
  readonly kind: 'early';
}

export type PlanDelivery = (deliveryId: DeliveryId, traceparent?: Traceparent | null) => Promise<PlanEnding>;

/**
 * Whom a delivery of the app reached: bit `seq`. From ClickHouse, for what browsers reported.
 * @param withUnknown also those whose message may have been sent before an engine died: who corrects it must not miss them.
 */
export type ReadReach = (appId: AppId, named: NamedReach, withUnknown: boolean) => Promise<Uint8Array>;

/** While ClickHouse is unavailable, only deliveries wait whose rules need it. */
const PLAN_AGAIN_SECONDS = 15;
/** What a cancelled delivery has in flight ends within a second, or with the lease of an engine that died. */
const CORRECT_AGAIN_SECONDS = 1;

/** A shard of a paced delivery goes out at once: it holds what the rate allows in this time. */
const PACED_SECONDS = 5;
const shardTargets = (ratePerMinute: number | null): number =>
  ratePerMinute === null ? Number.POSITIVE_INFINITY : (ratePerMinute * PACED_SECONDS) / 60;

/**
 * Counts, packs, writes, releases. A message that comes twice, to two engines at once, is planned once: the
 * transaction that writes decides. An engine that dies after it leaves the shards to the next check for due
 * work.
 */
export function createPlanDelivery(deps: {
  readonly store: PlanStore;
  readonly release: ReleaseStore;
  readonly readReach: ReadReach;
  readonly shardBlocks: number;
}): PlanDelivery {
  const { store, release, readReach } = deps;

  async function freeze(
    deliveryId: DeliveryId,
    { appId, unfrozen, isCorrection }: UnfrozenDelivery,
  ): Promise<void> {
    for (const named of unfrozen)
      await store.freezeReach(deliveryId, named, await readReach(appId, named, isCorrection));
  }

  async function postpone(deliveryId: DeliveryId, cause: unknown): Promise<Postponed> {
    await store.postpone(deliveryId, PLAN_AGAIN_SECONDS);
    return { kind: 'postponed', deliveryId, cause };
  }

  /** Counts once the reaches that the rules name are frozen. */
  async function countAudience(deliveryId: DeliveryId): Promise<CountedDelivery | Postponed | Early | null> {
    const counted = await store.countAudience(deliveryId);
    if (counted === null) return null;
    if ('corrects' in counted) {
      await store.postpone(deliveryId, CORRECT_AGAIN_SECONDS);
      return { kind: 'early' };
    }
    if (!('unfrozen' in counted)) return counted;
    try {
      await freeze(deliveryId, counted);
    } catch (error) {
      return postpone(deliveryId, error);
    }
    const again = await store.countAudience(deliveryId);
    if (again === null || 'counts' in again) return again;
    return postpone(deliveryId, new Error('the segment was changed meanwhile'));
  }

  return async function planDelivery(deliveryId, traceparent = null) {
    const counted = await countAudience(deliveryId);
    if (counted === null) return { kind: 'nothing-to-plan' };
    if ('kind' in counted) return counted;
    const { audience, counts, ratePerMinute, lane } = counted;
    const shards = packShards(counts, deps.shardBlocks, shardTargets(ratePerMinute));
    const written = await store.writePlan(deliveryId, { audience, shards, traceparent });
    if (!written) return { kind: 'nothing-to-plan' };
    if (shards.length > 0) await release.releaseFirst(lane, ratePerMinute !== null);
    const targets = shards.reduce((sum, shard) => sum + shard.targets, 0);
    return { kind: 'planned', shards: shards.length, targets };
  };
}
