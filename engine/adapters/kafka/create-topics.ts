import type { Admin } from 'kafkajs';
import { pause } from '../../contract/concurrency/clock.ts';
import { topics } from '../../contract/topics.ts';
import { deadTopicName, topicName } from './names.ts';
import type { KafkaSettings } from './options.ts';

const LEADER_CHECK_MS = 50;
const MAX_LEADER_CHECKS = 200;
/** Of a topic's replication factor (KIP-464). */
const CLUSTER_DEFAULT = -1;

/** Creates the topics that do not exist, and says which of the others are not as they would be created. */
export async function createMissing(admin: Admin, settings: KafkaSettings): Promise<void> {
  const existing = new Set(await admin.listTopics());
  const wanted = wantedTopics(settings);
  const missing = wanted.filter(({ topic }) => !existing.has(topic));
  if (missing.length < wanted.length) await noteDifferences(admin, settings, existing);
  if (missing.length === 0) return;
  await admin.createTopics({ topics: missing, waitForLeaders: false });
  const names = missing.map(({ topic }) => topic);
  for (let tries = 0; !(await haveLeaders(admin, names)); tries++) {
    if (tries === MAX_LEADER_CHECKS) throw new Error(`Kafka: no leaders for ${names.join(', ')}`);
    await pause(settings.clock, LEADER_CHECK_MS);
  }
}

/** The topics as they would be created. */
export function wantedTopics({ prefix, partitions, replicationFactor, minInsyncReplicas }: KafkaSettings) {
  const copies = {
    replicationFactor: replicationFactor ?? CLUSTER_DEFAULT,
    ...(minInsyncReplicas === null
      ? {}
      : { configEntries: [{ name: 'min.insync.replicas', value: String(minInsyncReplicas) }] }),
  };
  return topics.flatMap((topic) => [
    { topic: topicName(prefix, topic), numPartitions: partitions, ...copies },
    // One partition: dead letters are few, and so the newest are the last.
    { topic: deadTopicName(prefix, topic), numPartitions: 1, ...copies },
  ]);
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

/** Settings change nothing of a topic that exists: who raised them has to know. */
async function noteDifferences(
  admin: Admin,
  { prefix, partitions, replicationFactor, logger }: KafkaSettings,
  existing: ReadonlySet<string>,
): Promise<void> {
  const names = topics.map((topic) => topicName(prefix, topic)).filter((name) => existing.has(name));
  const { topics: found } = await admin.fetchTopicMetadata({ topics: names });
  const few = found.filter((topic) => topic.partitions.length < partitions);
  if (few.length > 0) {
    logger(
      'warn',
      `topics have fewer partitions than KAFKA_PARTITIONS, ${partitions}: Kafka’s own tools can add some`,
      { topics: few.map(({ name }) => name) },
    );
  }
  const copies = replicationFactor ?? 0;
  const thin = found.filter((topic) => topic.partitions.some(({ replicas }) => replicas.length < copies));
  if (thin.length > 0) {
    logger(
      'warn',
      `topics have fewer copies than KAFKA_REPLICATION_FACTOR, ${copies}: Kafka’s own tools can add some`,
      { topics: thin.map(({ name }) => name) },
    );
  }
}
