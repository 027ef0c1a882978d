import type { Audience } from '../contract/audience.ts';
import type { Bitmap } from '../contract/bitmap.ts';
import type { AppId, ShardId } from '../contract/ids.ts';
import type { BlockEnd, BlockMaps, Lease, LeasedShard, LeaseState, SettleEnding } from '../contract/shard.ts';
import type { Lane } from '../contract/topics.ts';
import type { BlockSent, SendBlock } from '../worker/protocol.ts';

/** How a shard is left for another attempt; without it, after an attempt at all that was left. */
export interface Suspension {
  /** Not all of it was tried, for a push service had to be left alone: that is no attempt of the shard's. */
  readonly heldBack: boolean;
  /** Everyone of its round was reached (`contract/activity-rounds.ts`): the next one begins. Left out: no. */
  readonly nextRound?: boolean;
  /** What the publisher is told meanwhile; null: nothing. */
  readonly trouble: string | null;
}

/** What dispatch needs of the database: `engine/adapters/postgres/shard-store.ts` and `block-store.ts`. */
export interface ShardStore {
  lease(shardId: ShardId, owner: string, leaseMs: number): Promise<LeasedShard | null>;
  renew(lease: Lease, leaseMs: number): Promise<LeaseState>;
  suspend(lease: Lease, delayMs: number, how?: Suspension): Promise<boolean>;
  handBack(lease: Lease): Promise<void>;
  settle(lease: Lease & { readonly lane: Lane }): Promise<SettleEnding>;
  stop(lease: Lease): Promise<boolean>;
}

export interface MostActive {
  /** `seq`s of the block. */
  readonly order: Uint32Array<ArrayBuffer>;
  /** So many of them, from the first, were active since the time that was asked for. */
  readonly since: number;
}

export interface BlockStore {
  readTargets(appId: AppId, block: number, among?: Bitmap): Promise<Uint8Array<ArrayBuffer>>;
  readAudience(appId: AppId, block: number, audience: Audience): Promise<Bitmap>;
  readMaps(lease: Lease): Promise<BlockMaps[]>;
  fixAudience(shard: LeasedShard, block: number, audience: Bitmap): Promise<BlockMaps | null>;
  /** Who of a block was active most recently, first. */
  readMostActive(appId: AppId, block: number, sinceMs: number): Promise<MostActive>;
  /** Index into `pushServices` by `seq`, whether they are still subscribed or not. */
  readServices(appId: AppId, block: number, among: Bitmap): Promise<ReadonlyMap<number, number>>;
  endBlock(lease: Lease, end: BlockEnd, leaseMs: number): Promise<LeaseState>;
}

/** The worker threads. Rejects with an error named `WorkerLost` when the thread of the block died. */
export interface BlockSender {
  sendBlock(task: SendBlock): Promise<BlockSent>;
}
