import type { Audience } from '../contract/audience.ts';
import type { Bitmap } from '../contract/bitmap.ts';
import type { AppId, ShardId } from '../contract/ids.ts';
import type { BlockEnd, BlockMaps, Lease, LeasedShard, LeaseState, SettleEnding } from '../contract/shard.ts';
import type { Lane } from '../contract/topics.ts';
import type { BlockSent, SendBlock } from '../worker/protocol.ts';

/** What dispatch needs of the database: `engine/adapters/postgres/shard-store.ts` and `block-store.ts`. */
export interface ShardStore {
  lease(shardId: ShardId, owner: string, leaseMs: number): Promise<LeasedShard | null>;
  renew(lease: Lease, leaseMs: number): Promise<LeaseState>;
  suspend(lease: Lease, delayMs: number): Promise<boolean>;
  handBack(lease: Lease): Promise<void>;
  settle(lease: Lease & { readonly lane: Lane }): Promise<SettleEnding>;
  stop(lease: Lease): Promise<boolean>;
}

export interface BlockStore {
  readTargets(appId: AppId, block: number, among?: Bitmap): Promise<Uint8Array<ArrayBuffer>>;
  readAudience(appId: AppId, block: number, audience: Audience): Promise<Bitmap>;
  readMaps(lease: Lease): Promise<BlockMaps[]>;
  fixAudience(lease: Lease, block: number, audience: Bitmap): Promise<boolean>;
  endBlock(lease: Lease, end: BlockEnd, leaseMs: number): Promise<LeaseState>;
}

/** The worker threads. Rejects with an error named `WorkerLost` when the thread of the block died. */
export interface BlockSender {
  sendBlock(task: SendBlock): Promise<BlockSent>;
}
