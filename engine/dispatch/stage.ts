import { type Clock, systemClock } from '../contract/concurrency/clock.ts';
import { createStopFlag, raiseStop, type StopFlag } from '../contract/concurrency/stop-flag.ts';
import { within } from '../contract/concurrency/time-limit.ts';
import { toId } from '../contract/ids.ts';
import type { BatchHandler, Claim, Consumer, Log, LogRecord } from '../contract/log.ts';
import type { Lane } from '../contract/topics.ts';
import { shardTopic } from '../contract/topics.ts';
import type { RunShard, ShardEnding } from './run-shard.ts';

/**
 * Dispatch: shards from the log → targets → workers → outcomes in the outbox.
 *
 * `start` consumes both lanes. `close` takes no more shards, lets blocks in flight finish up to the deadline,
 * then stops the workers between two sends; each shard is handed back, so another engine continues at its first
 * unsettled bit. `finish` takes no more shards either, and lets running ones end. Runs of one lane never wait
 * for the other lane's.
 */
export interface DispatchStage {
  start(): Promise<void>;
  /** At the deadline the consumer leaves the log; running shards go on, as their leases are in Postgres. */
  finish(deadlineMs: number): Promise<void>;
  close(deadlineMs: number): Promise<void>;
}

export interface DispatchOptions {
  /** Shards running at once, by lane: breaking ones never wait behind bulk. */
  readonly shardsInHand: Readonly<Record<Lane, number>>;
  readonly maxAttempts: number;
  readonly stallAfterMs: number;
  /** How long intake pauses while Postgres does not answer. */
  readonly awayPauseMs: number;
}

type ShardTopic = ReturnType<typeof shardTopic>;
type Shard = LogRecord<ShardTopic>;

const lanes: readonly Lane[] = ['breaking', 'bulk'];
/**
 * Paced shards wait most of the time: an engine holds this many beside the running ones. Beyond that they use
 * the slots of those, and so delay the lane instead of filling the memory.
 */
const MAX_ASIDE = 64;
/** After the stop signal: the time left for the requests in flight. */
const STOP_GRACE_MS = 2_000;

export function createDispatchStage(deps: {
  readonly log: Log;
  readonly runShard: RunShard;
  readonly storeAnswers: () => Promise<boolean>;
  readonly options: DispatchOptions;
  readonly onShardEnd: (ending: ShardEnding) => void;
  /** Intake pauses: Postgres does not answer. */
  readonly onPause: () => void;
  /** A run threw while Postgres answers: a defect, or a statement that it refuses. */
  readonly onFailed: (error: unknown) => void;
  /** For the deadline of `close`: the machine's time, unless a simulation gives its own. */
  readonly clock?: Clock;
}): DispatchStage {
  const { log, options, clock = systemClock } = deps;
  const consumers: Consumer[] = [];
  /** One for each running shard. */
  const stops = new Set<StopFlag>();
  /** Paced shards, beside those that the consumers hold. */
  const aside = new Set<Promise<void>>();
  let draining = false;

  const handle: BatchHandler<ShardTopic> = async (records, claim) => {
    for (const record of records) {
      if (draining || !claim.holds()) break;
      const ending = await runOrWait(record, claim);
      if (ending === 'store-away') {
        deps.onPause();
        return { kind: 'full', resumeAfterMs: options.awayPauseMs };
      }
      if (ending !== 'paced') deps.onShardEnd(ending);
      // Whatever the ending, Postgres knows the shard's next owner: the message is done.
      await claim.done(record);
    }
    return { kind: 'handled' };
  };

  /** A dead Postgres is no fault of the shard: its message waits, uncharged, until Postgres answers. */
  async function runOrWait(
    record: Shard,
    claim: Claim<ShardTopic>,
  ): Promise<ShardEnding | 'store-away' | 'paced'> {
    const { promise: paced, resolve: onPaced } = Promise.withResolvers<'paced'>();
    const running = run(record, claim, () => {
      if (aside.size < MAX_ASIDE) onPaced('paced');
    });
    try {
      const ending = await Promise.race([running, paced]);
      if (ending === 'paced') putAside(running);
      return ending;
    } catch (error) {
      if ((await noteFailure(error)) === 'store-away') return 'store-away';
      throw error;
    }
  }

  async function noteFailure(error: unknown): Promise<'store-away' | 'failed'> {
    if (!(await deps.storeAnswers())) return 'store-away';
    if (!draining) deps.onFailed(error);
    return 'failed';
  }

  async function run(record: Shard, claim: Claim<ShardTopic>, onPaced: () => void): Promise<ShardEnding> {
    const stop = createStopFlag();
    stops.add(stop);
    try {
      return await deps.runShard(toId(record.value.shard_id), {
        draining: () => draining,
        stop,
        onProgress: () => claim.alive(),
        onPaced,
        traceparent: record.value.traceparent,
      });
    } finally {
      stops.delete(stop);
    }
  }

  /** Its message is done: the lease alone keeps the shard, and where this run fails another engine takes it. */
  function putAside(running: Promise<ShardEnding>): void {
    const ended = running
      .catch(async (error: unknown): Promise<ShardEnding> => {
        await noteFailure(error);
        return { kind: 'lease-lost' };
      })
      .then((ending) => {
        aside.delete(ended);
        deps.onShardEnd(ending);
      });
    aside.add(ended);
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
    finish: async (deadlineMs) => {
      await Promise.all(consumers.map((consumer) => consumer.close(deadlineMs)));
    },
    close: async (deadlineMs) => {
      draining = true;
      const cut = clock.setTimer(deadlineMs, () => {
        for (const stop of stops) raiseStop(stop);
      });
      const closing = consumers.map((consumer) => consumer.close(deadlineMs + STOP_GRACE_MS));
      await Promise.all(closing);
      await within(clock, STOP_GRACE_MS, Promise.all(aside));
      cut.clear();
    },
  };
}
