import { type Clock, pause } from '../contract/concurrency/clock.ts';
import { createSetAside } from '../contract/concurrency/set-aside.ts';
import type { AppId } from '../contract/ids.ts';
import { isIn, knowsDisplays } from '../contract/pruning.ts';
import type { RemovalStore } from './ports.ts';

/** Checked in one statement. */
const BLOCKS_PER_LOOK = 8;
/** Checked in one step: a quarter of a million readers. What browsers displayed is read once a step. */
const BLOCKS_PER_STEP = 256;
/** An app whose readers cannot be checked, as where that takes ClickHouse too long, waits behind the others. */
const ASIDE_MS = 3_600_000;
const MOST_ASIDE = 1_000;

interface Due {
  readonly appId: AppId;
  readonly days: number;
  readonly nextBlock: number;
  readonly blocks: number;
}

/** Postgres as pruning needs it, see `engine/adapters/postgres/removal/prune-store.ts`. */
export interface PruneStore<One extends Due> {
  /**
   * An app whose readers were not checked today, or not all, and that is none of these: the next one behind `last` by its
   * number, and then those before it. Null: none.
   */
  due(except: readonly AppId[], last: number): Promise<One | null>;
  /** Those without a visit or click, whom messages were accepted for. */
  findQuiet(due: One, blocks: readonly number[]): Promise<number[]>;
  /** Unsubscribes those of them who are quiet still, counted and in the audit log. */
  prune(due: One, seqs: readonly number[]): Promise<number>;
  moveOn(due: One, nextBlock: number): Promise<void>;
}

export interface PruneDeps<One extends Due> {
  readonly store: PruneStore<One>;
  readonly turns: Pick<RemovalStore, 'takeTurn'>;
  /** Readers whose browsers displayed anything within this number of days: bit `seq` of the app. Rejects while ClickHouse is unavailable. */
  readonly seenWithin: (appId: AppId, days: number) => Promise<Uint8Array>;
  readonly clock: Clock;
  readonly everyMs: number;
  readonly rowsPerStep: number;
  readonly restMs: number;
  readonly signal: AbortSignal;
}

/**
 * Unsubscribes readers who were never reachable in the days that their app chose. It may stop anywhere: the next step,
 * on any engine, goes on from the block that it came to, and one that is checked twice has nobody left.
 * @returns a step that resolves to how many it unsubscribed.
 */
export function createPruneStep<One extends Due>(deps: PruneDeps<One>): () => Promise<number> {
  const { store, clock, signal, rowsPerStep, restMs } = deps;
  const failed = createSetAside<AppId>(ASIDE_MS, MOST_ASIDE, clock);
  // Apps take turns: a day is not long enough for large ones first.
  let last = 0;

  return async function pruneStep() {
    if (!(await deps.turns.takeTurn('prune', deps.everyMs))) return 0;
    const due = await store.due(failed.keys(), last);
    if (due === null) return 0;
    last = due.appId;
    return pruneApp(due).catch((error: unknown) => {
      failed.add(due.appId);
      throw error;
    });
  };

  async function pruneApp(due: One): Promise<number> {
    const seen = await deps.seenWithin(due.appId, due.days);
    if (!knowsDisplays(seen)) {
      await store.moveOn(due, due.blocks);
      return 0;
    }
    return pruneFrom(due, seen);
  }

  async function pruneFrom(due: One, seen: Uint8Array): Promise<number> {
    const end = Math.min(due.blocks, due.nextBlock + BLOCKS_PER_STEP);
    let pruned = 0;
    for (let block = due.nextBlock; block < end && !signal.aborted; block += BLOCKS_PER_LOOK) {
      const next = Math.min(end, block + BLOCKS_PER_LOOK);
      pruned += await pruneBlocks(due, seen, rangeOf(block, next));
      await store.moveOn(due, next);
      await pause(clock, restMs, signal);
    }
    if (due.nextBlock >= end) await store.moveOn(due, end);
    return pruned;
  }

  async function pruneBlocks(due: One, seen: Uint8Array, blocks: readonly number[]): Promise<number> {
    const seqs = (await store.findQuiet(due, blocks)).filter((seq) => !isIn(seen, seq));
    let pruned = 0;
    for (let at = 0; at < seqs.length; at += rowsPerStep)
      pruned += await store.prune(due, seqs.slice(at, at + rowsPerStep));
    return pruned;
  }
}

const rangeOf = (first: number, end: number): number[] =>
  Array.from({ length: end - first }, (_, index) => first + index);
