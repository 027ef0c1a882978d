import type { CampaignStore } from '../../../engine/campaigns/ports.ts';
import type { Log } from '../../../engine/contract/log.ts';
import type { BlockStore, BudgetStore, ShardStore } from '../../../engine/dispatch/ports.ts';
import type { ReserveSendTime } from '../../../engine/dispatch/run-paced-block.ts';
import type { PlanStore } from '../../../engine/plan/plan-delivery.ts';
import type { ReleaseStore } from '../../../engine/plan/release.ts';
import type { ScheduleStore } from '../../../engine/plan/schedule.ts';
import type { StandingStore } from '../../../engine/standing/ports.ts';
import { createMemoryBlockStore } from '../../support/memory-stores/block-store.ts';
import { createMemoryCampaignStore } from '../../support/memory-stores/campaign-store.ts';
import { createMemoryPaceStore } from '../../support/memory-stores/pace-store.ts';
import { createMemoryPlanStore } from '../../support/memory-stores/plan-store.ts';
import { createMemoryOutbox, createMemoryRelayStep } from '../../support/memory-stores/relay.ts';
import { createMemoryReleaseStore } from '../../support/memory-stores/release-store.ts';
import { createMemoryScheduleStore } from '../../support/memory-stores/schedule-store.ts';
import { createMemoryShardStore } from '../../support/memory-stores/shard-store.ts';
import {
  createMemoryBudgetStore,
  createMemoryStandingStore,
} from '../../support/memory-stores/standing-store.ts';
import { type Observed, overConnection } from './connection.ts';
import type { Process } from './process.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** The stores in memory as one process sees them, over its own connection. */
export interface EngineStores {
  readonly plan: PlanStore;
  readonly shards: ShardStore;
  readonly blocks: BlockStore;
  readonly schedule: ScheduleStore;
  readonly campaigns: CampaignStore;
  readonly release: ReleaseStore;
  readonly pace: { readonly reserveSendTime: ReserveSendTime };
  readonly budgets: BudgetStore;
  readonly standings: StandingStore;
  readonly relayStep: () => Promise<number>;
  /** Lets go of the outbox rows that the process holds. */
  letGo(): void;
}

/** Shards of a lane that wait on the log at least. */
const RELEASE_WINDOW = 2;

const RELAY = {
  topics: ['deliveries.breaking', 'deliveries', 'shards.breaking', 'shards.bulk', 'outcomes'],
  outcomesPerBatch: 4,
  outcomesDelayMs: 1_000,
} as const;

export function createEngineStores(world: World, process: Process, log: Log, random: Random): EngineStores {
  const { tables, broken } = world;
  const shards = createMemoryShardStore(tables, RELEASE_WINDOW);
  const connected = <Store extends object>(store: Store): Store =>
    overConnection(store, {
      process,
      weather: world.storeWeather,
      random,
      observe: (method, args) => noteCall(world, process, method, args),
    });
  const { letGo, outbox } = outboxOf(world, process, connected);
  let batches = 0;
  const step = createMemoryRelayStep(outbox, log, RELAY, () => `${process.name}-${++batches}`);
  const blocks = createMemoryBlockStore(tables);
  const campaigns = createMemoryCampaignStore(tables);
  return {
    plan: connected(broken?.plan?.(createMemoryPlanStore(tables), tables) ?? createMemoryPlanStore(tables)),
    shards: connected(broken?.shards?.(shards) ?? shards),
    blocks: connected(broken?.blocks?.(blocks, tables) ?? blocks),
    pace: connected(createMemoryPaceStore(tables)),
    budgets: connected(createMemoryBudgetStore(tables)),
    standings: connected(createMemoryStandingStore(tables)),
    schedule: connected(createMemoryScheduleStore(tables)),
    campaigns: connected(broken?.campaigns?.(campaigns, tables) ?? campaigns),
    release: connected(createMemoryReleaseStore(tables, RELEASE_WINDOW)),
    // A step that failed has rolled its transaction back.
    relayStep: () => step().finally(letGo),
    letGo,
  };
}

function outboxOf(
  { tables, outboxLocks, broken }: World,
  process: Process,
  connected: <S extends object>(store: S) => S,
) {
  const locks = {
    has: (id: number) => outboxLocks.has(id),
    // The connection of a dead process holds nothing.
    add: (id: number) => process.alive() && outboxLocks.set(id, process.name),
    delete: (id: number) => outboxLocks.delete(id),
  };
  const letGo = (): void => {
    for (const [id, holder] of outboxLocks) if (holder === process.name) outboxLocks.delete(id);
  };
  const real = createMemoryOutbox(tables, locks);
  const { letGo: release, ...statements } = broken?.outbox?.(real) ?? real;
  return { letGo, outbox: { ...connected(statements), letGo: release } };
}

/** Every call that changed something is an event of the trace, and an occasion for the audit. */
function noteCall(
  { tables, audit, note, afterWrite }: World,
  process: Process,
  method: string,
  args: readonly unknown[],
): Observed {
  const before = tables.writes();
  const look = audit.observe(method, args);
  const answered = (answer: unknown): void => {
    if (tables.writes() === before) return;
    note(`${process.name} ${method} → ${shown(answer)}`);
    for (const [at, happen] of afterWrite) {
      if (at > tables.writes()) continue;
      afterWrite.delete(at);
      happen();
    }
  };
  return { acted: look, answered };
}

function shown(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null) return String(answer);
  if ('kind' in answer) return String(answer.kind);
  if ('epoch' in answer && 'shardId' in answer) return `shard ${answer.shardId}, epoch ${answer.epoch}`;
  return Array.isArray(answer) ? `${answer.length} rows` : 'done';
}
