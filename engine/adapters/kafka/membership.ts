import {
  type EachBatchPayload,
  type Kafka,
  type Consumer as KafkaConsumer,
  type PartitionAssigner,
  PartitionAssigners,
} from 'kafkajs';
import type { Timer } from '../../contract/concurrency/clock.ts';
import { bounded } from './bounded.ts';
import { shortRetry } from './client.ts';
import type { KafkaSettings } from './options.ts';
import type { FetchedBatch } from './partition-queue.ts';

/** One membership of the reader group, from the first join until it crashes or is stopped. */
export interface Membership {
  /** Resolves after the first join. @throws Error when the group cannot be joined. */
  start(): Promise<void>;
  /** Resolves with the reason when kafkajs stopped. A membership cannot be restarted: make another. */
  readonly crashed: Promise<Error>;
  commit(offsets: ReadonlyMap<number, number>): Promise<void>;
  /** Fetches the partition again. */
  resume(partition: number): void;
  /** Leaves the group. Bounded; never rejects. */
  stop(): Promise<void>;
}

export interface MembershipDeps {
  readonly kafka: Kafka;
  readonly settings: KafkaSettings;
  readonly topic: string;
  readonly groupId: string;
  /** The partition is paused until `resume`. */
  readonly onBatch: (batch: FetchedBatch) => void;
  /** Awaited before every join: the last moment to commit finished records. */
  readonly beforeJoin: () => Promise<void>;
  readonly onJoined: (partitions: readonly number[]) => void;
  /** The broker just confirmed that this member is alive. */
  readonly onConfirmed: () => void;
  readonly onFetched: () => void;
}

const STOP_TIMEOUT_MS = 5_000;
/** Of one that never joined: its join may wait for a dead member's session to end, and there is nothing to leave. */
const STOP_JOINING_TIMEOUT_MS = 500;
const MAX_FETCH_BYTES = 4_194_304;

/** kafkajs reports by events, and each of them changes what the calls may do. */
export function createMembership(deps: MembershipDeps): Membership {
  const { kafka, settings, topic, groupId } = deps;
  const { clock } = settings;
  const { promise: crashed, resolve: crash } = Promise.withResolvers<Error>();
  const { promise: joined, resolve: join } = Promise.withResolvers<void>();
  const consumer = kafka.consumer(consumerConfig(settings, groupId, deps.beforeJoin));
  let heartbeat: (() => Promise<void>) | null = null;
  let member = false;
  let ticker: Timer | null = null;
  let stopped = false;
  let joins = 0;
  /** After which join each broker's last fetch began. */
  const fetchedAfter = new Map<string, number>();

  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    member = true;
    joins++;
    deps.onConfirmed();
    deps.onJoined(payload.memberAssignment[topic] ?? []);
    join();
  });
  consumer.on(
    consumer.events.FETCH_START,
    ({ payload }) => void fetchedAfter.set(String(payload.nodeId), joins),
  );
  consumer.on(consumer.events.HEARTBEAT, deps.onConfirmed);
  consumer.on(consumer.events.FETCH, deps.onFetched);
  // kafkajs has stopped before it reports a crash: from then on it throws at `resume`, and drops commits.
  consumer.on(consumer.events.STOP, () => {
    member = false;
  });
  consumer.on(consumer.events.CRASH, ({ payload }) => crash(payload.error));

  /**
   * kafkajs beats between two fetches only, and never while a join waits for handlers to finish. An error
   * here is found by kafkajs itself on its next beat, and met there.
   */
  function tick(): void {
    if (stopped) return;
    heartbeat?.().catch(() => undefined);
    ticker = clock.setTimer(settings.heartbeatIntervalMs, tick);
  }

  /**
   * With several brokers, kafkajs 2.2.4 may join again inside one broker's fetch while another's is in flight.
   * That one's records begin at the position of the last membership, and everything between the committed
   * offset and there would be skipped. An error out of a batch makes kafkajs restart all fetches.
   */
  function refuseOldFetch(): void {
    if ([...fetchedAfter.values()].every((after) => after === joins)) return;
    fetchedAfter.clear();
    throw new Error('fetched before the group was joined again');
  }

  async function onBatch(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload;
    heartbeat = payload.heartbeat;
    if (!payload.isRunning() || payload.isStale()) throw new Error('the membership is over');
    refuseOldFetch();
    consumer.pause([{ topic, partitions: [batch.partition] }]);
    deps.onBatch({
      partition: batch.partition,
      end: Number(batch.lastOffset()) + 1,
      messages: batch.messages.map(({ offset, key, value }) => ({
        offset: Number(offset),
        key: key?.toString() ?? '',
        text: value?.toString() ?? null,
      })),
    });
  }

  return {
    crashed,
    start: async () => {
      await consumer.connect();
      await consumer.subscribe({ topic, fromBeginning: true });
      // Batches are handed over, not handled here: the loop that fetches is the loop that beats.
      await consumer.run({ autoCommit: false, partitionsConsumedConcurrently: 1, eachBatch: onBatch });
      const failed = crashed.then((cause) =>
        Promise.reject(new Error(`Kafka: cannot join ${groupId}: ${cause.message}`, { cause })),
      );
      await Promise.race([joined, failed]);
      tick();
    },
    commit: async (offsets) => {
      // kafkajs silently drops a commit once the consumer stopped.
      if (!member) throw new Error('Kafka: not a member of the group');
      await consumer.commitOffsets(
        [...offsets].map(([partition, offset]) => ({ topic, partition, offset: String(offset) })),
      );
      if (!member) throw new Error('Kafka: not a member of the group');
      deps.onConfirmed();
    },
    resume: (partition) => {
      if (member) consumer.resume([{ topic, partitions: [partition] }]);
    },
    stop: async () => {
      member = false;
      stopped = true;
      ticker?.clear();
      await leave(settings, consumer, joins > 0 ? STOP_TIMEOUT_MS : STOP_JOINING_TIMEOUT_MS);
    },
  };
}

async function leave(settings: KafkaSettings, consumer: KafkaConsumer, limitMs: number): Promise<void> {
  await bounded(settings.clock, limitMs, 'leaving the group', consumer.disconnect()).catch((error) =>
    settings.logger('warn', 'a consumer did not leave its group in time', { error: String(error) }),
  );
}

function consumerConfig(settings: KafkaSettings, groupId: string, beforeJoin: () => Promise<void>) {
  return {
    groupId,
    partitionAssigners: [waitingAssigner(beforeJoin)],
    sessionTimeout: settings.sessionTimeoutMs,
    heartbeatInterval: settings.heartbeatIntervalMs,
    rebalanceTimeout: settings.rebalanceTimeoutMs,
    maxBytesPerPartition: settings.maxPartitionBytes,
    maxBytes: MAX_FETCH_BYTES,
    maxWaitTimeInMs: settings.fetchWaitMs,
    allowAutoTopicCreation: false,
    // Only the consumer restarts memberships, with one back-off; kafkajs does not.
    retry: { ...shortRetry, restartOnFailure: async () => false },
  };
}

/**
 * kafkajs 2.2.4 cannot delay a rebalance until handlers are done: it reports one and joins again at once. But
 * every join begins by asking the cluster, which an assigner is handed, for the group's coordinator: the wait
 * is there, until the records in flight are finished and committed.
 */
function waitingAssigner(beforeJoin: () => Promise<void>): PartitionAssigner {
  return (config) => {
    const { cluster } = config;
    const findGroupCoordinator = cluster.findGroupCoordinator.bind(cluster);
    cluster.findGroupCoordinator = async (group) => {
      await beforeJoin();
      return findGroupCoordinator(group);
    };
    return PartitionAssigners.roundRobin(config);
  };
}
