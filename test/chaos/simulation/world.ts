import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';
import { createMemoryStore, type MemoryStore } from '../../support/memory-log/store.ts';
import { createMemoryPublisher, type MemoryPublisher } from '../../support/memory-stores/publisher.ts';
import { createTables, type Tables } from '../../support/memory-stores/tables.ts';
import { type Audit, createAudit } from './audit.ts';
import type { BrokenBuild } from './broken-builds.ts';
import { createOutcomeBook, type OutcomeBook } from './clickhouse.ts';
import type { StoreWeather } from './connection.ts';
import type { Defects } from './defects.ts';
import type { FeedSites } from './feed-sites.ts';
import { createMessyLogStore, type LogWeather } from './messy-log-store.ts';
import { createPushServices, type PushServices, type Sending } from './push-service.ts';
import { createRandom, type Random } from './random.ts';

/** Everything that outlives a process, and what the seed says of its temper. */
export interface World {
  readonly seed: number;
  readonly calm: boolean;
  readonly random: Random;
  readonly clock: ManualClock;
  readonly tables: Tables;
  readonly feeds: FeedSites;
  readonly publisher: MemoryPublisher;
  /** The log without its whims, to take it away and bring it back. */
  readonly broker: MemoryStore;
  readonly logStore: MemoryStore;
  readonly logWeather: LogWeather;
  readonly storeWeather: StoreWeather;
  readonly services: PushServices;
  readonly outcomes: OutcomeBook;
  readonly audit: Audit;
  readonly sendings: Sending[];
  /** Subscriptions whose browser left or took another endpoint meanwhile. */
  readonly moved: Set<string>;
  /** Outbox rows that a relay holds → its process. */
  readonly outboxLocks: Map<number, string>;
  readonly broken: BrokenBuild | null;
  readonly defects: Defects;
  /** `delivery/block` of each block of which a line threw. */
  readonly threw: Set<string>;
  /** Requests in flight of a thread. Left out: few, as the seed says. */
  readonly maxInFlight?: number;
  readonly trace: string[];
  /** What happens right after a given write of the store: number of the write → what. */
  readonly afterWrite: Map<number, () => void>;
  note(text: string): void;
  /** Moves the database's clock. */
  jumpStore(byMs: number): void;
}

/** Shortly before clocks show a full hour, so that quiet hours end while things fail. */
const STARTED_AT_MS = Date.UTC(2026, 0, 1) - 10_000;

export function createWorld(seed: number, broken: BrokenBuild | null): World {
  const random = createRandom(seed);
  const calm = random.chance(0.15);
  const clock = createManualClock(STARTED_AT_MS);
  let storeSkewMs = 0;
  const tables = createTables(() => clock.now() + storeSkewMs);
  const broker = createMemoryStore();
  const some = (most: number): number => (calm || random.chance(0.5) ? 0 : random.next() * most);
  const logWeather = { repeating: some(0.4), lagging: some(0.3), forgetting: some(0.2), losing: some(0.2) };
  const trace: string[] = [];
  return {
    seed,
    calm,
    random,
    clock,
    tables,
    feeds: new Map(),
    publisher: createMemoryPublisher(tables),
    broker,
    logStore: createMessyLogStore(broker, clock, random.fork(), logWeather),
    logWeather,
    storeWeather: { away: false, refusing: 0, forgetting: 0 },
    services: createPushServices(random.fork(), {
      throttled: some(0.2),
      rejected: some(0.1),
      failing: some(0.2),
      silent: some(0.1),
    }),
    outcomes: createOutcomeBook(random.fork()),
    audit: createAudit(tables),
    sendings: [],
    moved: new Set(),
    outboxLocks: new Map(),
    broken,
    defects: { chance: 0 },
    threw: new Set(),
    trace,
    afterWrite: new Map(),
    note: (text) => void trace.push(`${clock.now() - STARTED_AT_MS} ${text}`),
    jumpStore: (byMs) => {
      storeSkewMs += byMs;
    },
  };
}
