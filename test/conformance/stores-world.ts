import type { CampaignStore } from '../../engine/campaigns/ports.ts';
import type { CampaignSettings } from '../../engine/contract/campaign.ts';
import type { ChromeGuard } from '../../engine/contract/chrome-guard.ts';
import type { DeliveryStatus } from '../../engine/contract/delivery.ts';
import type { AppId, DeliveryId, ShardId } from '../../engine/contract/ids.ts';
import type { Log } from '../../engine/contract/log.ts';
import type { ReaderWishes } from '../../engine/contract/reader-wishes.ts';
import type { FrequencyCap, UnengagedChrome } from '../../engine/contract/shard.ts';
import type { Lane } from '../../engine/contract/topics.ts';
import type { BlockStore, BudgetStore, ShardStore } from '../../engine/dispatch/ports.ts';
import type { PlanStore } from '../../engine/plan/plan-delivery.ts';
import type { ReleaseStore } from '../../engine/plan/release.ts';
import type { ScheduleStore } from '../../engine/plan/schedule.ts';
import type { StandingStore } from '../../engine/standing/ports.ts';

/** Shards of a lane that wait on the log at least, in every world. */
export const WINDOW = 2;

/** What the stores' test file brings, so that the same sentences can be asked of Postgres and of memory. */
export interface StoresHarness {
  /** Empty stores of its own for one test, with one app. */
  open(): Promise<StoresWorld>;
}

export interface StoresWorld {
  readonly appId: AppId;
  readonly plan: PlanStore;
  readonly shards: ShardStore;
  readonly blocks: BlockStore;
  readonly schedule: ScheduleStore;
  readonly campaigns: CampaignStore;
  readonly release: ReleaseStore;
  readonly budgets: BudgetStore;
  readonly standings: StandingStore;
  /** One step of a relay of everything but events; batches of 3 outcomes, at once. */
  relay(log: Pick<Log, 'publish'>): Promise<number>;
  /** Subscribes `seq` 0 up to, not including, `count`. */
  subscribe(count: number): Promise<void>;
  unsubscribe(seq: number): Promise<void>;
  /** Seen again, a minute after now: an older endpoint's end is not theirs. */
  comeBack(seq: number): Promise<void>;
  /** A proven click, this many days ago. */
  click(seq: number, daysAgo: number): Promise<void>;
  /** The browser of `seq` names another endpoint; seen now. */
  moveEndpoint(seq: number): Promise<void>;
  /** Those subscribed, ascending; and as many as the app counts. */
  subscribed(): Promise<{ readonly seqs: readonly number[]; readonly active: number }>;
  setCap(cap: FrequencyCap): Promise<void>;
  setGuard(guard: ChromeGuard): Promise<void>;
  /** The reader's browser, and how many days ago it was seen last. */
  setChrome(seq: number, chrome: UnengagedChrome['chrome'], seenDaysAgo: number): Promise<void>;
  /** What the reader of `seq` asked for; the reader is in UTC. */
  setWishes(seq: number, wishes: ReaderWishes): Promise<void>;
  /** Pending, or scheduled for this long from now; with no row in the outbox. */
  createDelivery(given?: {
    readonly scheduledInMs?: number;
    readonly rehearsal?: boolean;
    readonly lane?: Lane;
  }): Promise<DeliveryId>;
  cancel(deliveryId: DeliveryId): Promise<void>;
  /** Its first step is due. */
  createCampaign(settings: CampaignSettings): Promise<number>;
  cancelCampaign(id: number): Promise<void>;
  /** The browser of `seq` reports this zone; changed now. */
  travel(seq: number, zone: string): Promise<void>;
  /** Of a campaign, in the order of their creation. */
  deliveriesOf(id: number): Promise<readonly { readonly id: DeliveryId; readonly role: string }[]>;
  runsOf(id: number): Promise<readonly string[]>;
  /** Lets time pass for whatever is due at some time. */
  pass(ms: number): Promise<void>;
  delivery(id: DeliveryId): Promise<DeliveryState>;
  /** Of the delivery, in their order. */
  shardsOf(id: DeliveryId): Promise<readonly ShardState[]>;
  /** Topics of what waits in the outbox, in its order. */
  outbox(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface DeliveryState {
  readonly status: DeliveryStatus;
  readonly open: number;
  readonly total: number;
  readonly capped: number;
  readonly accepted: number;
  readonly failed: number;
  readonly message: string | null;
}

export interface ShardState {
  readonly id: ShardId;
  readonly state: string;
  readonly epoch: number;
  readonly attempts: number;
  readonly audience: number;
  readonly capped: number;
  readonly guarded: number;
  readonly wished: number;
  readonly accepted: number;
  readonly failed: number;
  readonly unknown: number;
}
