import type { Audience } from './audience.ts';
import type { Bitmap } from './bitmap.ts';
import type { CompletedStatus, Urgency } from './delivery.ts';
import type { AppId, DeliveryId, ShardId } from './ids.ts';
import type { ServiceCounts } from './service-counts.ts';
import type { Lane } from './topics.ts';
import type { Traceparent } from './trace-context.ts';

/** How many targets of the audience a block holds, as the plan counted them. */
export interface BlockCount {
  readonly block: number;
  readonly targets: number;
}

/** A run of blocks, ascending, that will be one message on the log. */
export interface PlannedShard {
  readonly blocks: readonly number[];
  readonly targets: number;
}

/** Who works on a shard now. Every write carries it; a write under a lease that was lost changes nothing. */
export interface Lease {
  readonly shardId: ShardId;
  readonly deliveryId: DeliveryId;
  readonly appId: AppId;
  readonly owner: string;
  readonly epoch: number;
}

/** How many notifications an app wants a reader to see within any window of so many minutes. */
export interface FrequencyCap {
  readonly windowMinutes: number;
  readonly maxNotifications: number;
}

/** A shard under a lease, with what is needed to send it. */
export interface LeasedShard extends Lease {
  readonly lane: Lane;
  readonly blocks: readonly number[];
  /** Whom the delivery is for, frozen when it was planned; null: every subscribed one. */
  readonly audience: Audience | null;
  /** The app's, as it is when the shard is leased. Null: it has none, or the delivery ignores it. */
  readonly cap: FrequencyCap | null;
  /** The delivery was cancelled after this shard was released: nothing more may be sent. */
  readonly cancelled: boolean;
  /** 1 the first time; a lease taken over from a dead engine counts too. Numbers the outcomes. */
  readonly attempt: number;
  /** How far it went through the audience while its app was throttled (`activity-rounds.ts`); 0: not at all. */
  readonly activityRound: number;
  /** How many leases before this one ended without a word: no tries at its targets, as far as anybody knows. */
  readonly lostLeases: number;
  /** When the delivery was accepted, or a paced shard became due: its TTL counts from here. */
  readonly acceptedAtMs: number;
  readonly ttlSeconds: number;
  /** Nothing is sent from then on, and nothing is kept by a push service. Null: the TTL alone decides. */
  readonly expiresAtMs: number | null;
  /** How many targets of the delivery are handed to push services in a minute. Null: as fast as it goes. */
  readonly ratePerMinute: number | null;
  readonly urgency: Urgency;
  readonly topic: string | null;
  readonly plaintext: Uint8Array;
  /** The app's own site: what push services are told where the operator names no contact of their own. */
  readonly siteDomain: string;
  /** Goes through everything but a push service: nobody receives it, and no statistic counts it. */
  readonly rehearsal: boolean;
  readonly vapidPublicKey: string;
  readonly vapidPrivateKey: string;
  /** Of the pair above, which is the app's active one; subscriptions name the pair they are bound to by number. */
  readonly vapidKeyNumber: number;
  /** Pairs of before a rotation that subscriptions may still be bound to: at most a few, mostly none. */
  readonly formerVapidKeys: readonly VapidKeyPair[];
}

/** Both base64url. */
export interface VapidKeyPair {
  readonly number: number;
  readonly publicKey: string;
  readonly privateKey: string;
}

/** The three maps of a block of one delivery. Settled: accepted, failed for good, or held back by the cap. */
export interface BlockMaps {
  readonly block: number;
  readonly audience: Bitmap;
  readonly accepted: Bitmap;
  readonly settled: Bitmap;
  /** Whose endpoints accepted some delivery before, as they were when this was read. Left out: nobody's. */
  readonly acceptedBefore?: Bitmap;
}

/** An endpoint that did not take a delivery for a reason of its own. */
export interface Strike {
  readonly seq: number;
  /** For people: what the push service said, or why nobody could be connected to. */
  readonly reason: string;
}

/**
 * Deliveries in a row that an endpoint fails through its own fault before its subscription is unsubscribed. A browser
 * that subscribes anew comes back.
 */
export const STRIKES_TO_RETIRE = 3;

/** What one attempt at a block changed: everything its transaction writes. */
export interface BlockEnd {
  readonly maps: BlockMaps;
  readonly newlyAccepted: number;
  readonly newlyFailed: number;
  /** Requests whose body left and whose answer never came: each may become a second copy. */
  readonly unknown: number;
  /** `seq` of the subscriptions whose push service said they are gone. */
  readonly gone: readonly number[];
  /** When the targets were read: who came back with another endpoint since is not gone. */
  readonly readAtMs: number;
  /** Bits of the block whose endpoints accepted for the first time, or again after a strike. Left out: none. */
  readonly newlyKnown?: Bitmap;
  /** Endpoints at fault themselves: after `STRIKES_TO_RETIRE` deliveries in a row they retire. Left out: none. */
  readonly struck?: readonly Strike[];
  /** Why targets failed for good: text → count, few entries. */
  readonly reasons: Readonly<Record<string, number>>;
  /** `packBlockOutcomes`; null where nothing was attempted. */
  readonly packedOutcomes: Uint8Array | null;
  /** By push service; left out: nothing came of it anywhere. */
  readonly services?: ServiceCounts;
  /** The span that sent the block. Left out: it is not traced. */
  readonly traceparent?: Traceparent;
}

/** What a write under a lease found. `cancelled`: held and written, but the delivery is cancelled by now. */
export type LeaseState = 'held' | 'cancelled' | 'lost';

/** How the end of a shard ended: `completed` where it was its delivery's last. */
export type SettleEnding =
  | { readonly kind: 'settled' }
  | { readonly kind: 'completed'; readonly status: CompletedStatus }
  | { readonly kind: 'lease-lost' };
