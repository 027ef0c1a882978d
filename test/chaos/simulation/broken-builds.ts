import type { CampaignStore } from '../../../engine/campaigns/ports.ts';
import type { BatchHandler } from '../../../engine/contract/log.ts';
import { outcomeCode } from '../../../engine/contract/outcome.ts';
import type { Lease } from '../../../engine/contract/shard.ts';
import type { Topic } from '../../../engine/contract/topics.ts';
import type { BlockStore, ShardStore } from '../../../engine/dispatch/ports.ts';
import type { PlanStore } from '../../../engine/plan/plan-delivery.ts';
import type { BlockSent } from '../../../engine/worker/protocol.ts';
import { createMemoryPlanStore } from '../../support/memory-stores/plan-store.ts';
import type { OutboxStore } from '../../support/memory-stores/relay.ts';
import type { Tables } from '../../support/memory-stores/tables.ts';

/** A build with one fault in it: the simulation is trusted as far as it catches these. */
export interface BrokenBuild {
  readonly handler?: <T extends Topic>(handle: BatchHandler<T>) => BatchHandler<T>;
  readonly blocks?: (blocks: BlockStore, tables: Tables) => BlockStore;
  readonly plan?: (plan: PlanStore, tables: Tables) => PlanStore;
  readonly shards?: (shards: ShardStore) => ShardStore;
  readonly campaigns?: (campaigns: CampaignStore, tables: Tables) => CampaignStore;
  /** What a worker reports of a block. */
  readonly sent?: (sent: BlockSent) => BlockSent;
  /** A block that throws gives nothing back of the thread's window. */
  readonly keepsPermits?: true;
  readonly outbox?: (outbox: OutboxStore) => OutboxStore;
}

/** The current holder of the shard, as if the caller did. */
function asHolder<L extends Lease>(tables: Tables, lease: L): L {
  const { owner, epoch } = tables.shards.get(lease.shardId) ?? lease;
  return { ...lease, owner: owner ?? lease.owner, epoch };
}

const acknowledgesFirst: BrokenBuild = {
  handler: (handle) => async (records, claim) => {
    for (const record of records) await claim.done(record);
    return handle(records, claim);
  },
};

const ignoresTheEpoch: BrokenBuild = {
  blocks: (blocks, tables) => ({
    ...blocks,
    endBlock: (lease, end, leaseMs) => blocks.endBlock(asHolder(tables, lease), end, leaseMs),
  }),
};

const countsRetriesTwice: BrokenBuild = {
  blocks: (blocks) => ({
    ...blocks,
    endBlock: (lease, end, leaseMs) => {
      const again = 'attempt' in lease && Number(lease.attempt) > 1 && end.newlyFailed > 0;
      return blocks.endBlock(lease, again ? { ...end, newlyFailed: end.newlyFailed + 1 } : end, leaseMs);
    },
  }),
};

const deletesBeforeItPublishes: BrokenBuild = {
  outbox: (outbox) => ({
    ...outbox,
    take: async (topic, limit) => {
      const rows = await outbox.take(topic, limit);
      await outbox.delete(rows);
      return rows;
    },
    takeBatch: async () => {
      const rows = await outbox.takeBatch();
      await outbox.delete(rows);
      return rows;
    },
  }),
};

const forgetsWhatIsSettled: BrokenBuild = {
  blocks: (blocks) => ({
    ...blocks,
    readMaps: async (lease) =>
      (await blocks.readMaps(lease)).map((maps) => ({
        ...maps,
        accepted: new Uint8Array(maps.accepted.length),
        settled: new Uint8Array(maps.settled.length),
      })),
  }),
};

const losesOutcomes: BrokenBuild = {
  blocks: (blocks) => ({
    ...blocks,
    endBlock: (lease, end, leaseMs) =>
      blocks.endBlock(lease, end.gone.length > 0 ? { ...end, packedOutcomes: null } : end, leaseMs),
  }),
};

const takesRehearsalsForReal: BrokenBuild = {
  shards: (shards) => ({
    ...shards,
    lease: async (id, owner, leaseMs) => {
      const shard = await shards.lease(id, owner, leaseMs);
      return shard === null ? null : { ...shard, rehearsal: false };
    },
  }),
};

const ignoresTheCap: BrokenBuild = {
  blocks: (blocks) => ({
    ...blocks,
    fixAudience: (shard, block, audience) => blocks.fixAudience({ ...shard, capRules: [] }, block, audience),
  }),
};

const settlesTheUnsent: BrokenBuild = {
  sent: (sent) => {
    if (sent.pauses === undefined || sent.pauses.length === 0) return sent;
    const rejected = (code: number): number => (code === outcomeCode.unsent ? outcomeCode.rejected : code);
    return { ...sent, outcomes: sent.outcomes.map(rejected) };
  },
};

const losesWhatThrew: BrokenBuild = {
  sent: (sent) =>
    sent.failure === undefined ? sent : { ...sent, outcomes: sent.outcomes.map(() => outcomeCode.unsent) },
};

const servesTravellersTwice: BrokenBuild = {
  blocks: (blocks) => ({
    ...blocks,
    fixAudience: (shard, block, audience) =>
      blocks.fixAudience({ ...shard, audience: null }, block, audience),
  }),
};

const losesADelivery: BrokenBuild = {
  campaigns: (campaigns) => ({
    ...campaigns,
    // As if the row was moved in one transaction, and the deliveries were created in another that a crash prevented.
    move: (campaign, move, identities) =>
      campaigns.move(campaign, { ...move, deliveries: move.deliveries.slice(1) }, identities),
  }),
};

const forgetsTravellers: BrokenBuild = {
  campaigns: (campaigns) => ({
    ...campaigns,
    move: (campaign, move, identities) => {
      const deliveries = move.deliveries.map((delivery) =>
        delivery.part?.kind === 'zones'
          ? { ...delivery, part: { ...delivery.part, moved: { ...delivery.part.moved, instants: [] } } }
          : delivery,
      );
      return campaigns.move(campaign, { ...move, deliveries }, identities);
    },
  }),
};

const notesLooksAlone: BrokenBuild = {
  campaigns: (campaigns) => ({
    ...campaigns,
    // As if what was seen was noted in one transaction, and the deliveries in another that a crash prevented.
    move: (campaign, move, identities) =>
      move.feed === undefined
        ? campaigns.move(campaign, move, identities)
        : campaigns.move(campaign, { ...move, deliveries: [], feed: { ...move.feed, items: [] } }, []),
  }),
};

const sendsAtTheFirstLook: BrokenBuild = {
  campaigns: (campaigns) => ({
    ...campaigns,
    claimFeeds: async (limit, busy, leaseMs) =>
      (await campaigns.claimFeeds(limit, busy, leaseMs)).map((campaign) => {
        const { plan } = campaign.settings;
        const { feed } = campaign.progress;
        if (plan.kind !== 'feed' || feed?.url === plan.url) return campaign;
        const read = {
          title: null,
          etag: null,
          lastModified: null,
          lookedAt: '',
          readAt: null,
          trouble: null,
        };
        const looked = { ...read, url: plan.url, failures: 0, failingSince: null };
        return { ...campaign, progress: { feed: looked } };
      }),
  }),
};

/** By the sentence that says what is wrong with them. */
const correctsEarly: BrokenBuild = {
  plan: (plan, tables) => {
    const withoutShards = { ...tables, shards: { ...tables.shards, all: () => [] } };
    return { ...plan, countAudience: createMemoryPlanStore(withoutShards).countAudience };
  },
};

export const brokenBuilds: Readonly<Record<string, BrokenBuild>> = {
  'acknowledges a message before the work is done': acknowledgesFirst,
  'ignores the epoch of a lease': ignoresTheEpoch,
  'counts a failure of a retry twice': countsRetriesTwice,
  'deletes outbox rows before the log has them': deletesBeforeItPublishes,
  'forgets what is settled when it resumes a block': forgetsWhatIsSettled,
  'asks no cap': ignoresTheCap,
  'sends a rehearsal to readers': takesRehearsalsForReal,
  'drops the outcomes of blocks with a gone subscriber': losesOutcomes,
  'settles what was not sent by what others were answered': settlesTheUnsent,
  'forgets what a block sent before a line threw': losesWhatThrew,
  'keeps the permits of a block of which a line threw': { keepsPermits: true },
  'serves a reader twice who travels during a campaign': servesTravellersTwice,
  'moves a campaign on without one of its deliveries': losesADelivery,
  'notes what a feed has in another transaction than its deliveries': notesLooksAlone,
  'sends what a feed has at the first check': sendsAtTheFirstLook,
  'corrects what is still being sent': correctsEarly,
  'forgets readers who came from a zone that is to come': forgetsTravellers,
};
