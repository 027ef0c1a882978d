import type { Bitmap } from './bitmap.ts';
import type { Completed, Urgency } from './delivery.ts';
import type { Audience } from './frozen-audience.ts';
import type { AppId, DeliveryId, ShardId } from './ids.ts';
import type { ServiceCounts } from './service-counts.ts';
import type { Lane } from './topics.ts';
import type { Traceparent } from './trace-context.ts';
import type { Wording } from './wording.ts';

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

/** The current lease of a shard. Every write carries it; a write under a lost lease changes nothing. */
export interface Lease {
  readonly shardId: ShardId;
  readonly deliveryId: DeliveryId;
  readonly appId: AppId;
  readonly owner: string;
  readonly epoch: number;
}

/** The number of notifications that a reader of the app may see within a window of some minutes. */
export interface FrequencyCap {
  readonly windowMinutes: number;
  readonly maxNotifications: number;
}

/** A rule of the cap. All of an app's rules hold at once. */
export interface CapRule extends FrequencyCap {
  /** Null: everyone. */
  readonly concerns: UnengagedChrome | null;
}

/** Readers on Chrome who neither visited nor clicked for some days: Chrome's guard (`chrome-guard.ts`). */
export interface UnengagedChrome {
  readonly chrome: 'android' | 'desktop';
  readonly forDays: number;
}

/**
 * Whose wishes a delivery heeds. A correction and a test go to everyone; breaking news comes at night, and is counted
 * and held back by the other wishes like anything else.
 */
export type WishesHeeded = 'all' | 'all-but-quiet-hours' | 'none';

/** A leased shard, with everything needed to send it. */
export interface LeasedShard extends Lease {
  readonly lane: Lane;
  readonly blocks: readonly number[];
  /** Of the store's own log, when the delivery was planned: copies of the store that have come so far have its targets. */
  readonly planPosition: string | null;
  /** The audience, frozen when the delivery was planned; null: every subscribed one. */
  readonly audience: Audience | null;
  /** The app's, as they are when the shard is leased, without those that the delivery ignores. Mostly none. */
  readonly capRules: readonly CapRule[];
  /** It waited for a budget: the targets of limited push services are what is left of it. */
  readonly budgeted: boolean;
  /** Of its readers. Where the app has none as the shard is leased, no block looks for any. */
  readonly wishes: WishesHeeded;
  /** The delivery was cancelled after this shard was released: nothing more may be sent. */
  readonly cancelled: boolean;
  /** 1 the first time; a lease taken over from a dead engine counts too. Numbers the outcomes. */
  readonly attempt: number;
  /** How far it went through the audience while its app was throttled (`expected-clicks.ts`); 0: not at all. */
  readonly activityRound: number;
  /** Earlier leases that ended without a report: as far as is known, no attempts at its targets. */
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
  /** Null: everyone gets `plaintext`. */
  readonly wording: Wording | null;
  /** The app's own site: the VAPID contact where the operator names none. */
  readonly siteDomain: string;
  /** Runs everything except the push services: no one receives it, and no statistic counts it. */
  readonly rehearsal: boolean;
  readonly vapidPublicKey: string;
  readonly vapidPrivateKey: string;
  /** Of the pair above, which is the app's active one; subscriptions name the pair they are bound to by number. */
  readonly vapidKeyNumber: number;
  /** Pairs of before a rotation that subscriptions may still be bound to: at most a few, mostly none. */
  readonly formerVapidKeys: readonly VapidKeyPair[];
}

/** Which targets of a block, and what of them. */
export interface TargetsWanted {
  readonly among?: Bitmap | undefined;
  /** Keys of tags: each row then ends with the reader's language (text) and the values (text, a JSON array). */
  readonly tags?: readonly string[] | undefined;
  /**
   * A copy of the store that has come so far may answer. For a block that has no maps yet alone: a target of its maps
   * that a copy does not have would count as one that left.
   */
  readonly planPosition?: string | null | undefined;
}

export interface TargetsRead {
  /** Binary COPY. */
  readonly rows: Uint8Array<ArrayBuffer>;
  /** When what a copy answered was true; null: now. */
  readonly asOfMs: number | null;
}

/** Both base64url. */
export interface VapidKeyPair {
  readonly number: number;
  readonly publicKey: string;
  readonly privateKey: string;
}

/** The three maps of a block of one delivery. Settled: accepted, failed permanently, or held back by the cap. */
export interface BlockMaps {
  readonly block: number;
  readonly audience: Bitmap;
  readonly accepted: Bitmap;
  readonly settled: Bitmap;
  /** The subscriptions whose endpoints accepted an earlier delivery, as of reading. Absent: none. */
  readonly acceptedBefore?: Bitmap;
}

/** An endpoint that failed for a reason of its own. */
export interface Strike {
  readonly seq: number;
  /** For people: the push service's reason, or why no connection was possible. */
  readonly reason: string;
}

/**
 * The number of deliveries in a row that an endpoint may fail by its own fault before its subscription is
 * unsubscribed. A browser that subscribes again comes back.
 */
export const STRIKES_TO_RETIRE = 3;

/** Everything that one attempt at a block changed: the content of its transaction. */
export interface BlockEnd {
  readonly maps: BlockMaps;
  readonly newlyAccepted: number;
  readonly newlyFailed: number;
  /** Requests that were sent and never answered: each may become a duplicate. */
  readonly unknown: number;
  /** `seq` of the subscriptions whose push service answered gone. */
  readonly gone: readonly number[];
  /** When the targets were read: a subscription that got another endpoint since is not gone. */
  readonly readAtMs: number;
  /** Bits of the block whose endpoints accepted for the first time, or again after a strike. Absent: none. */
  readonly newlyKnown?: Bitmap;
  /** Endpoints at fault themselves: after `STRIKES_TO_RETIRE` deliveries in a row they retire. Left out: none. */
  readonly invalid?: readonly Strike[];
  /** Why targets failed permanently: text → count, few entries. */
  readonly reasons: Readonly<Record<string, number>>;
  /** `packBlockOutcomes`; null where nothing was attempted. */
  readonly packedOutcomes: Uint8Array | null;
  /** The outcomes are of a welcome. Left out: of any other delivery. */
  readonly welcome?: true;
  /** By push service; left out: nothing came of it anywhere. */
  readonly services?: ServiceCounts;
  /** The span that sent the block. Left out: it is not traced. */
  readonly traceparent?: Traceparent;
}

/**
 * The result of a write under a lease. `cancelled`: the lease held and the write was made, but the delivery is
 * cancelled by now.
 */
export type LeaseState = 'held' | 'cancelled' | 'lost';

/** How the end of a shard ended: `completed` where it was its delivery's last. */
export type SettleEnding =
  | { readonly kind: 'settled' }
  | { readonly kind: 'completed'; readonly delivery: Completed }
  | { readonly kind: 'lease-lost' };
