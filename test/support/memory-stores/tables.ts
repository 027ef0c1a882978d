import type { Bitmap } from '../../../engine/contract/bitmap.ts';
import type {
  CampaignPart,
  CampaignProgress,
  CampaignSettings,
  CampaignStatus,
  FeedItemStatus,
} from '../../../engine/contract/campaign.ts';
import type { ChromeGuard } from '../../../engine/contract/chrome-guard.ts';
import type { DeliveryStatus } from '../../../engine/contract/delivery.ts';
import type { Audience } from '../../../engine/contract/frozen-audience.ts';
import type { AppId, DeliveryId, ShardId } from '../../../engine/contract/ids.ts';
import type { ReaderWishes } from '../../../engine/contract/reader-wishes.ts';
import type { FrequencyCap, UnengagedChrome } from '../../../engine/contract/shard.ts';
import type { AnswersInMinute, AppService, Limited } from '../../../engine/contract/standing.ts';
import type { Lane, Topic, TopicValue } from '../../../engine/contract/topics.ts';
import type { Wording } from '../../../engine/contract/wording.ts';

/**
 * Postgres' state of deliveries, in memory: a test double for the simulation, held to Postgres by
 * `test/conformance/stores.ts`. Rows are never changed but replaced, so callers can compare; one synchronous
 * function is one transaction.
 */
export interface Tables {
  readonly subscriptions: Table<string, SubscriptionRow>;
  readonly deliveries: Table<DeliveryId, DeliveryRow>;
  readonly campaigns: Table<number, CampaignRow>;
  /** `<campaign>/<key>` → when it was seen last. */
  readonly feedKeys: Table<string, number>;
  /** `<campaign>/<role>`. */
  readonly feedItems: Table<string, FeedItemRow>;
  /** `<delivery>/<reachKey>` → bit `seq` of the app. */
  readonly frozenReaches: Table<string, Uint8Array>;
  readonly shards: Table<ShardId, ShardRow>;
  readonly blocks: Table<string, BlockRow>;
  readonly outbox: Table<number, OutboxRow>;
  /** By app and block: whose endpoints accepted before. */
  readonly acceptedEndpoints: Table<string, Bitmap>;
  readonly failingEndpoints: Table<string, FailingEndpoint>;
  /** Subscribed ones of each app, as the statements count them. */
  readonly active: Table<AppId, number>;
  readonly caps: Table<AppId, FrequencyCap>;
  readonly guards: Table<AppId, ChromeGuard>;
  /** By `subscriptionKey`. */
  readonly wishes: Table<string, ReaderWishes>;
  /** When the next target of a paced delivery may be sent. */
  readonly paces: Table<DeliveryId, number>;
  /** `<app>/<service>`: of apps that a push service limits. */
  readonly standings: Table<string, StandingRow>;
  /** `<app>/<service>/<minute>`. */
  readonly answerMinutes: Table<string, AppService & AnswersInMinute>;
  /** The database's own time, in milliseconds since 1970. */
  now(): number;
  /** Raised by every row that is written or deleted: equal numbers mean that nothing changed. */
  writes(): number;
  nextId(): number;
}

export interface SubscriptionRow {
  readonly appId: AppId;
  readonly seq: number;
  readonly endpoint: string;
  readonly subscribed: boolean;
  readonly lastSeenAtMs: number;
  /** Proven clicks as of the last one, by age. Left out: none. */
  readonly clicked?: { readonly clicks: number; readonly atMs: number };
  /** Left out: another browser. */
  readonly chrome?: UnengagedChrome['chrome'];
  /** Null: not known. */
  readonly zone: string | null;
  readonly zoneChangedAtMs: number | null;
  /** As the worker is given them for texts that differ by reader. Left out: no language, no tags. */
  readonly reads?: { readonly language: string; readonly tagValues: string };
}

export interface StandingRow extends AppService {
  readonly limited: Limited;
  readonly nextAtMs: number;
  readonly breakingUntilMs: number;
  readonly endedAtMs: number | null;
}

export interface FailingEndpoint {
  readonly endpoint: string;
  readonly deliveryId: DeliveryId;
  readonly times: number;
  readonly retired: boolean;
}

export interface DeliveryRow {
  readonly id: DeliveryId;
  readonly appId: AppId;
  readonly lane: Lane;
  readonly status: DeliveryStatus;
  readonly ratePerMinute: number | null;
  readonly createdAtMs: number;
  readonly scheduledAtMs: number | null;
  /** When it was last put onto the log. */
  readonly queuedAtMs: number | null;
  readonly expiresAtMs: number | null;
  readonly ttlSeconds: number;
  readonly ignoreCap: boolean;
  readonly rehearsal: boolean;
  readonly plaintext: Uint8Array;
  readonly wording: Wording | null;
  readonly openShards: number;
  readonly total: number;
  readonly capped: number;
  readonly accepted: number;
  readonly failed: number;
  readonly errorMessage: string | null;
  readonly campaign: {
    readonly id: number;
    readonly role: string;
    readonly part: CampaignPart | null;
  } | null;
  /** As it was planned. */
  readonly audience: Audience | null;
  readonly corrects: DeliveryId | null;
  /** When a postponed one is put onto the log again. */
  readonly planAfterMs: number | null;
}

export interface CampaignRow {
  readonly id: number;
  readonly appId: AppId;
  readonly status: CampaignStatus;
  readonly settings: CampaignSettings;
  readonly progress: CampaignProgress;
  readonly step: number;
  readonly nextStepAtMs: number | null;
  readonly retryAtMs: number | null;
  readonly parent: { readonly id: number; readonly run: string } | null;
}

export interface FeedItemRow {
  readonly campaignId: number;
  readonly role: string;
  readonly status: FeedItemStatus;
  readonly createdAtMs: number;
}

export type ShardState = 'planned' | 'released' | 'running' | 'waiting' | 'settled' | 'stopped';

export interface ShardRow {
  readonly id: ShardId;
  readonly deliveryId: DeliveryId;
  readonly appId: AppId;
  readonly number: number;
  readonly blocks: readonly number[];
  readonly plannedTargets: number;
  readonly state: ShardState;
  readonly dueAtMs: number | null;
  readonly owner: string | null;
  readonly epoch: number;
  readonly attempts: number;
  readonly activityRound: number;
  readonly budgeted: boolean;
  readonly lostLeases: number;
  readonly startsAtMs: number | null;
  readonly audience: number;
  readonly capped: number;
  readonly guarded: number;
  readonly wished: number;
  readonly accepted: number;
  readonly failed: number;
  readonly unknown: number;
  readonly reasons: Readonly<Record<string, number>>;
}

export interface BlockRow {
  readonly appId: AppId;
  readonly deliveryId: DeliveryId;
  readonly block: number;
  readonly shardId: ShardId;
  readonly audience: Bitmap;
  readonly accepted: Bitmap;
  readonly settled: Bitmap;
  readonly capped: Bitmap;
  /** `seq` → when the attempt ended that accepted it. */
  readonly acceptedAtMs: ReadonlyMap<number, number>;
}

export interface OutboxRow {
  readonly id: number;
  readonly topic: Topic;
  readonly key: string;
  readonly value: TopicValue<Topic> | null;
  readonly packed: Uint8Array | null;
  /** Of outcomes. */
  readonly welcome?: true;
  readonly batchId: string | null;
  readonly createdAtMs: number;
}

export interface Table<Key, Row> {
  get(key: Key): Row | undefined;
  /** In the order in which keys were first put. */
  all(): Row[];
  put(key: Key, row: Row): void;
  delete(key: Key): void;
}

export function createTables(now: () => number): Tables {
  let writes = 0;
  let lastId = 0;
  function table<Key, Row>(): Table<Key, Row> {
    const rows = new Map<Key, Row>();
    return {
      get: (key) => rows.get(key),
      all: () => [...rows.values()],
      put: (key, row) => {
        writes++;
        rows.set(key, row);
      },
      delete: (key) => {
        if (rows.delete(key)) writes++;
      },
    };
  }
  return {
    subscriptions: table(),
    deliveries: table(),
    campaigns: table(),
    feedKeys: table(),
    feedItems: table(),
    frozenReaches: table(),
    shards: table(),
    blocks: table(),
    outbox: table(),
    acceptedEndpoints: table(),
    failingEndpoints: table(),
    active: table(),
    caps: table(),
    guards: table(),
    wishes: table(),
    paces: table(),
    standings: table(),
    answerMinutes: table(),
    now,
    writes: () => writes,
    nextId: () => ++lastId,
  };
}

export const subscriptionKey = (appId: AppId, seq: number): string => `${appId}/${seq}`;
export const appBlockKey = (appId: AppId, block: number): string => `${appId}:${block}`;
export const blockKey = (deliveryId: DeliveryId, block: number): string => `${deliveryId}/${block}`;

export const shardsOf = (tables: Tables, deliveryId: DeliveryId): ShardRow[] =>
  tables.shards.all().filter((shard) => shard.deliveryId === deliveryId);

/** The subscribed ones of an app, in the order of `seq`. */
export const subscribedOf = (tables: Tables, appId: AppId): SubscriptionRow[] =>
  tables.subscriptions
    .all()
    .filter((row) => row.appId === appId && row.subscribed)
    .sort((a, b) => a.seq - b.seq);

export function addToOutbox<T extends Topic>(
  tables: Tables,
  topic: T,
  key: string,
  what: { readonly value: TopicValue<T> } | { readonly packed: Uint8Array; readonly welcome?: true },
): void {
  const id = tables.nextId();
  const content = { value: null, packed: null, ...what };
  tables.outbox.put(id, { id, topic, key, batchId: null, createdAtMs: tables.now(), ...content });
}
