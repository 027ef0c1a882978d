import { toId } from '../contract/ids.ts';
import type { BatchHandler, Claim, Consumer, Log, LogRecord } from '../contract/log.ts';
import type { Lane } from '../contract/topics.ts';
import { shardTopic } from '../contract/topics.ts';
import type { RunShard, ShardEnding } from './run-shard.ts';

/**
 * Dispatch: shards from the log → targets → workers → outcomes in the outbox.
 *
 * `start` takes part in both lanes. `close` takes no more shards, lets blocks in hand finish up to the
 * deadline, then stops the workers between two sends; each shard is handed back, so another engine goes on
 * at its first unsettled bit. Runs of one lane never wait for the other lane's.
 */
export interface DispatchStage {
  start(): Promise<void>;
  close(deadlineMs: number): Promise<void>;
}

export interface DispatchOptions {
  /** Shards in hand at once, by lane: breaking ones never wait behind bulk. */
  readonly shardsInHand: Readonly<Record<Lane, number>>;
  readonly maxAttempts: number;
  readonly stallAfterMs: number;
  /** How long intake pauses while Postgres does not answer. */
  readonly awayPauseMs: number;
}

type ShardTopic = ReturnType<typeof shardTopic>;
type Shard = LogRecord<ShardTopic>;

const lanes: readonly Lane[] = ['breaking', 'bulk'];
/** After the workers were told to stop: what the requests in flight may still take. */
const STOP_GRACE_MS = 2_000;

export function createDispatchStage(deps: {
  readonly log: Log;
  readonly runShard: RunShard;
  readonly storeAnswers: () => Promise<boolean>;
  readonly options: DispatchOptions;
  readonly onShardEnd: (ending: ShardEnding) => void;
  /** Intake pauses: Postgres does not answer. */
  readonly onPause: () => void;
}): DispatchStage {
  const { log, options } = deps;
  const consumers: Consumer[] = [];
  const stop = new Int32Array(new SharedArrayBuffer(4));
  let draining = false;

  const handle: BatchHandler<ShardTopic> = async (records, claim) => {
    for (const record of records) {
      if (draining || !claim.holds()) break;
      const ending = await runOrWait(record, claim);
      if (ending === 'store-away') {
        deps.onPause();
        return { kind: 'full', resumeAfterMs: options.awayPauseMs };
      }
      deps.onShardEnd(ending);
      // Whatever the ending, Postgres knows who owns the shard next: the message has done its work.
      await claim.done(record);
    }
    return { kind: 'handled' };
  };

  /** A dead Postgres is no fault of the shard: its message waits, uncharged, until Postgres answers. */
  async function runOrWait(record: Shard, claim: Claim<ShardTopic>): Promise<ShardEnding | 'store-away'> {
    try {
      return await deps.runShard(toId(record.value.shard_id), {
        draining: () => draining,
        stop,
        onProgress: () => claim.alive(),
      });
    } catch (error) {
      if (await deps.storeAnswers()) throw error;
      return 'store-away';
    }
  }

  async function startLane(lane: Lane): Promise<void> {
    const consumer = await log.consume(
      shardTopic(lane),
      {
        maxRecords: 1,
        concurrency: options.shardsInHand[lane],
        maxAttempts: options.maxAttempts,
        stallAfterMs: options.stallAfterMs,
      },
      handle,
    );
    consumers.push(consumer);
  }

  return {
    start: async () => {
      await Promise.all(lanes.map(startLane));
    },
    close: async (deadlineMs) => {
      draining = true;
      const cut = setTimeout(() => Atomics.store(stop, 0, 1), deadlineMs);
      await Promise.all(consumers.map((consumer) => consumer.close(deadlineMs + STOP_GRACE_MS)));
      clearTimeout(cut);
    },
  };
}
