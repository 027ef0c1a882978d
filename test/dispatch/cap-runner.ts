import type { Database } from '../../engine/adapters/postgres/database.ts';
import { createBlockStore } from '../../engine/adapters/postgres/dispatch/block-store.ts';
import { createShardStore } from '../../engine/adapters/postgres/dispatch/shard-store.ts';
import type { ShardId } from '../../engine/contract/ids.ts';
import { createRunBlock } from '../../engine/dispatch/run-block.ts';
import { createRunShard, type ShardEnding } from '../../engine/dispatch/run-shard.ts';
import { createSlots } from '../../engine/dispatch/slots.ts';
import type { BlockSent } from '../../engine/worker/protocol.ts';
import { testSealer } from '../support/builders.ts';
import { wantedSeqs } from '../support/engine-harness.ts';

export const MAX_ATTEMPTS = 4;
/** Shards that were leased this often fail without another attempt. */
export const HOPELESS_AFTER = MAX_ATTEMPTS * 3;
const LEASE_MS = 60_000;

export interface ShardRan {
  /** `died`: the engine stopped between the reservation and the end of the block. */
  readonly ending: ShardEnding['kind'] | 'died';
  /** The subscribers that the sender was given; null: it was not called. */
  readonly sent: readonly number[] | null;
}

/** Runs one shard as an engine of its own would; `send` answers for the push services, or throws as it dies. */
export async function runShardOnce(
  database: Database,
  shardId: ShardId,
  owner: string,
  send: (seqs: readonly number[]) => Promise<BlockSent>,
): Promise<ShardRan> {
  let sent: readonly number[] | null = null;
  const store = createBlockStore(database);
  const nowMs = Date.now;
  const sender = {
    sendBlock: (task: Parameters<typeof wantedSeqs>[0]) => {
      sent = wantedSeqs(task);
      return send(sent);
    },
  };
  const runShard = createRunShard({
    shards: createShardStore(database, testSealer),
    blocks: store,
    runBlock: createRunBlock({
      ...{ store, sender, leaseMs: LEASE_MS, nowMs, subjectOf: (site) => site },
      onWorkerLost: () => {},
      onBlockFailed: () => {},
      maxAttempts: MAX_ATTEMPTS,
      budgets: noBudgets,
      noteAnswers: async () => {},
    }),
    slots: createSlots(2),
    reserveSendTime: async () => 0,
    budgets: noBudgets,
    reserveBudget: async () => ({ kind: 'unlimited' }),
    ...{ owner, leaseMs: LEASE_MS, nowMs, random: () => 0.5, onBlock: () => {} },
    retry: { maxAttempts: MAX_ATTEMPTS, baseMs: 1, maxMs: 1 },
  });
  const stop = new Int32Array(new SharedArrayBuffer(4));
  try {
    const { kind } = await runShard(shardId, {
      draining: () => false,
      stop,
      onProgress: () => {},
      onPaced: () => {},
    });
    return { ending: kind, sent };
  } catch (error) {
    if ((error as Error).message !== DIED) throw error;
    return { ending: 'died', sent };
  }
}

const noBudgets = { of: async () => [] };
const DIED = 'the engine died';
export const die = (): Promise<never> => Promise.reject(new Error(DIED));
