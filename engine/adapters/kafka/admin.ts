import type { Admin, Kafka } from 'kafkajs';
import { pause } from '../../contract/clock.ts';
import { type Topic, topics } from '../../contract/topics.ts';
import { bounded } from './bounded.ts';
import { shortRetry } from './client.ts';
import { deadTopicName, groupName, topicName } from './names.ts';
import type { KafkaSettings } from './options.ts';
import { KafkaRefused, type Refusals } from './refusals.ts';

/** Questions to the cluster, over one connection that is made anew after a failure. */
export interface ClusterAdmin {
  /** Creates the topics that do not exist. */
  ensureTopics(): Promise<void>;
  /** Of all partitions, or of the given ones. */
  lag(topic: Topic, partitions?: readonly number[]): Promise<number>;
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

const PING_TIMEOUT_MS = 2_000;
const MAX_TRIES = 4;
const RETRY_AFTER_MS = 250;
const LEADER_CHECK_MS = 50;
const MAX_LEADER_CHECKS = 200;
/** Of a topic's replication factor (KIP-464). */
const CLUSTER_DEFAULT = -1;

export function createClusterAdmin(kafka: Kafka, settings: KafkaSettings, refusals: Refusals): ClusterAdmin {
  const { clock, prefix, connectTimeoutMs } = settings;
  let connection: Promise<Admin> | null = null;
  let closed = false;

  async function connect(): Promise<Admin> {
    refusals.check();
    const admin = kafka.admin({ retry: shortRetry });
    await admin.connect();
    refusals.accepted();
    return admin;
  }

  /** Leaders and coordinators move, and a new one refuses for a moment: requests are repeated a few times. */
  async function askAgain<T>(what: string, question: (admin: Admin) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await ask(connectTimeoutMs, what, question);
      } catch (error) {
        if (tries === MAX_TRIES || closed || error instanceof KafkaRefused) throw error;
        await pause(clock, RETRY_AFTER_MS);
      }
    }
  }

  async function ask<T>(limitMs: number, what: string, question: (admin: Admin) => Promise<T>): Promise<T> {
    if (closed) throw new Error('Kafka: the log is closed');
    connection ??= connect();
    const used = connection;
    try {
      return await bounded(clock, limitMs, what, used.then(question));
    } catch (error) {
      if (connection === used) connection = null;
      disconnect(used);
      throw refusals.explained(error);
    }
  }

  return {
    ensureTopics: () => ask(connectTimeoutMs, 'creating topics', (admin) => createMissing(admin, settings)),
    lag: async (topic, partitions) => {
      const lags = await askAgain('counting the lag', (admin) =>
        lagsOf(admin, topicName(prefix, topic), groupName(prefix, topic)),
      );
      const counted =
        partitions === undefined ? [...lags.values()] : partitions.map((one) => lags.get(one) ?? 0);
      return counted.reduce((sum, lag) => sum + lag, 0);
    },
    ping: async () => {
      const answered = ask(PING_TIMEOUT_MS, 'a ping', (admin) => admin.describeCluster());
      return answered.then(
        () => true,
        () => false,
      );
    },
    close: async () => {
      closed = true;
      if (connection !== null) await connection.then((admin) => admin.disconnect()).catch(() => undefined);
      connection = null;
    },
  };
}

function disconnect(connection: Promise<Admin>): void {
  connection.then((admin) => admin.disconnect()).catch(() => undefined);
}

async function createMissing(admin: Admin, settings: KafkaSettings): Promise<void> {
  const { prefix, partitions, minInsyncReplicas } = settings;
  const existing = new Set(await admin.listTopics());
  const copies = {
    replicationFactor: settings.replicationFactor ?? CLUSTER_DEFAULT,
    ...(minInsyncReplicas === null
      ? {}
      : { configEntries: [{ name: 'min.insync.replicas', value: String(minInsyncReplicas) }] }),
  };
  const wanted = topics.flatMap((topic) => [
    { topic: topicName(prefix, topic), numPartitions: partitions, ...copies },
    // One partition: dead letters are few, and so the newest are the last.
    { topic: deadTopicName(prefix, topic), numPartitions: 1, ...copies },
  ]);
  const missing = wanted.filter(({ topic }) => !existing.has(topic));
  if (missing.length === 0) return;
  await admin.createTopics({ topics: missing, waitForLeaders: false });
  const names = missing.map(({ topic }) => topic);
  for (let tries = 0; !(await haveLeaders(admin, names)); tries++) {
    if (tries === MAX_LEADER_CHECKS) throw new Error(`Kafka: no leaders for ${names.join(', ')}`);
    await pause(settings.clock, LEADER_CHECK_MS);
  }
}

/** Not `waitForLeaders`: kafkajs 2.2.4 takes a KRaft broker that has not heard of the new topic for an error. */
async function haveLeaders(admin: Admin, names: readonly string[]): Promise<boolean> {
  try {
    const { topics: found } = await admin.fetchTopicMetadata({ topics: [...names] });
    return found.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0));
  } catch {
    return false;
  }
}

async function lagsOf(admin: Admin, topic: string, groupId: string): Promise<Map<number, number>> {
  const [ends, [committed]] = await Promise.all([
    admin.fetchTopicOffsets(topic),
    admin.fetchOffsets({ groupId, topics: [topic] }),
  ]);
  const done = new Map(committed?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
  // -1: nothing was committed yet. Records that retention removed in the meantime are no lag.
  return new Map(
    ends.map(({ partition, high, low }) => [
      partition,
      Number(high) - Math.max(Number(low), done.get(partition) ?? -1),
    ]),
  );
}
