import type { Bitmap } from '../contract/bitmap.ts';
import type { BlockHistory } from '../contract/expected-clicks.ts';
import type { Audience } from '../contract/frozen-audience.ts';
import type { AppId, ShardId } from '../contract/ids.ts';
import type {
  BlockEnd,
  BlockMaps,
  Lease,
  LeasedShard,
  LeaseState,
  SettleEnding,
  TargetsRead,
  TargetsWanted,
} from '../contract/shard.ts';
import type { Answers, AppService, Budget, Reservation } from '../contract/standing.ts';
import type { Lane } from '../contract/topics.ts';
import type { BlockSent, SendBlock } from '../worker/protocol.ts';

/** How a shard is left for another attempt; without it, after an attempt at all that was left. */
export interface Suspension {
  /** Not all of it was tried, for a push service had to be left alone: that is not an attempt of the shard's. */
  readonly heldBack: boolean;
  /** Everyone of its round was reached (`contract/expected-clicks.ts`), and it goes on with this one. Left out: no. */
  readonly nextRound?: number;
  /** It waits for the budget of a push service, and is released when that has room, at the latest after the delay. */
  readonly budgeted?: boolean;
  /** The message for the publisher meanwhile; null: none. */
  readonly trouble: string | null;
}

/**
 * The database as dispatch needs it: `engine/adapters/postgres/dispatch/shard-store.ts` and `block-store.ts`. Every
 * method rejects when Postgres is unavailable, and whether it took effect is unknown then. Every write is fenced by the
 * lease's epoch: under a lost lease it changes nothing and says so. Times are in ms.
 */
export interface ShardStore {
  /** Null where the shard is settled, waiting, or leased elsewhere. Each lease is a new epoch, and counts an attempt. */
  lease(shardId: ShardId, owner: string, leaseMs: number): Promise<LeasedShard | null>;
  /** The lease then ends `leaseMs` from now. Safe to repeat. */
  renew(lease: Lease, leaseMs: number): Promise<LeaseState>;
  /** Leaves the shard for another attempt after `delayMs`, and ends the lease. @returns false: the lease was lost. */
  suspend(lease: Lease, delayMs: number, how?: Suspension): Promise<boolean>;
  /** Ends the lease, so that another engine continues at once; that counts as no attempt. Nothing where it was lost. */
  handBack(lease: Lease): Promise<void>;
  /** Ends the shard permanently, and with the delivery's last shard the delivery. A second call finds the lease lost. */
  settle(lease: Lease & { readonly lane: Lane }): Promise<SettleEnding>;
  /** Ends a shard of a cancelled delivery; its counts stay. @returns false: the lease was lost. */
  stop(lease: Lease): Promise<boolean>;
}

/** Rejects and fences as `ShardStore` does. A block is numbered within its app: `seq` divided by 1,024. */
export interface BlockStore {
  /** The subscribed targets as binary COPY; `only.among` leaves the others out, `only.tags` adds what texts differ by. */
  readTargets(appId: AppId, block: number, only?: TargetsWanted): Promise<TargetsRead>;
  /** The members of the audience as of now; `fixAudience` makes them final. */
  readAudience(appId: AppId, block: number, audience: Audience): Promise<Bitmap>;
  /** Of the blocks of the shard that were begun; of a lost lease none. */
  readMaps(lease: Lease): Promise<BlockMaps[]>;
  /**
   * Writes the block's first maps, the frequency cap included. Once for a block: a second call rejects, so ask
   * `readMaps` first. Null: the lease was lost.
   */
  fixAudience(shard: LeasedShard, block: number, audience: Bitmap): Promise<BlockMaps | null>;
  /** Of all subscriptions of a block. */
  readHistory(appId: AppId, block: number): Promise<BlockHistory>;
  /** Index into `pushServices` by `seq`, whether they are still subscribed or not. */
  readServices(appId: AppId, block: number, among: Bitmap): Promise<ReadonlyMap<number, number>>;
  /**
   * The maps, the counters and the outcomes for ClickHouse in one statement, and the lease renewed by `leaseMs`. Not
   * safe to repeat: it adds to counters. `lost`: nothing was written; `cancelled`: it was, and no further block is wanted.
   */
  endBlock(lease: Lease, end: BlockEnd, leaseMs: number): Promise<LeaseState>;
}

/**
 * The budgets of apps that push services limit, shared by all engines: `engine/adapters/postgres/dispatch/budget-store.ts`.
 * Rejects when Postgres is unavailable.
 */
export interface BudgetStore {
  /** Of all apps. */
  readBudgets(): Promise<readonly Budget[]>;
  /** The time of the next `targets`, in the order of the calls; unused time is lost. */
  reserve(of: AppService, lane: Lane, targets: number): Promise<Reservation>;
  /** Adds to the answers of this minute, by which the budget is judged. */
  noteAnswers(of: AppService, answers: Answers): Promise<void>;
}

/** The worker threads. Rejects with a `WorkerFailure`: `worker-lost` when the thread of the block died. */
export interface BlockSender {
  sendBlock(task: SendBlock): Promise<BlockSent>;
}
