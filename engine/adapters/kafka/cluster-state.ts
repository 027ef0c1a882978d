import type { Admin } from 'kafkajs';
import { type Topic, topics } from '../../contract/topics.ts';
import { lagsOf } from './admin.ts';
import { askAgain } from './ask-again.ts';
import { bounded } from './bounded.ts';
import { createClient } from './client.ts';
import { wantedTopics } from './create-topics.ts';
import { groupName, topicName } from './names.ts';
import { compileOptions, type KafkaLogOptions, type KafkaSettings } from './options.ts';
import { startError } from './start-error.ts';

/** What a check from outside finds out about a cluster. Nothing is created. */
export interface ClusterState {
  readonly brokers: number;
  readonly missing: readonly string[];
  /** A partition of theirs has no leader: nobody can write there or read from there. */
  readonly leaderless: readonly string[];
  /** Fewer partitions or copies than the settings say. */
  readonly smaller: readonly string[];
  /** Messages that wait, of the topics that exist. */
  readonly lag: Readonly<Partial<Record<Topic, number>>>;
}

const CLOSE_MS = 1_000;

/** @throws KafkaRefused where a setting or a right is wrong, Error where nobody answers in time. */
export async function readClusterState(given: KafkaLogOptions): Promise<ClusterState> {
  const settings = compileOptions(given);
  const client = createClient(settings);
  const admin = client.kafka.admin({ retry: { retries: 5, initialRetryTime: 200 } });
  const { clock, connectTimeoutMs } = settings;
  try {
    await bounded(clock, connectTimeoutMs, 'connecting', admin.connect());
    return await bounded(clock, connectTimeoutMs, 'reading the topics', readState(admin, settings));
  } catch (error) {
    throw startError(error, settings);
  } finally {
    await bounded(clock, CLOSE_MS, 'closing', admin.disconnect()).catch(() => undefined);
    client.end();
  }
}

async function readState(admin: Admin, settings: KafkaSettings): Promise<ClusterState> {
  const { brokers } = await admin.describeCluster();
  const existing = new Set(await admin.listTopics());
  const wanted = wantedTopics(settings);
  const found = wanted.filter(({ topic }) => existing.has(topic));
  const { topics: described } = await admin.fetchTopicMetadata({ topics: found.map(({ topic }) => topic) });
  const byName = new Map(described.map(({ name, partitions }) => [name, partitions]));
  const smaller = found.filter(({ topic, numPartitions, replicationFactor }) => {
    const partitions = byName.get(topic) ?? [];
    return (
      partitions.length < numPartitions ||
      partitions.some(({ replicas }) => replicas.length < replicationFactor)
    );
  });
  const leaderless = described.filter(({ partitions }) => partitions.some(({ leader }) => leader < 0));
  return {
    brokers: brokers.length,
    missing: wanted.filter(({ topic }) => !existing.has(topic)).map(({ topic }) => topic),
    leaderless: leaderless.map(({ name }) => name),
    smaller: smaller.map(({ topic }) => topic),
    lag: await askAgain(settings.clock, () => lagOfAll(admin, settings, existing)),
  };
}

async function lagOfAll(admin: Admin, { prefix }: KafkaSettings, existing: ReadonlySet<string>) {
  const lag: Partial<Record<Topic, number>> = {};
  for (const topic of topics.filter((one) => existing.has(topicName(prefix, one)))) {
    const lags = await lagsOf(admin, topicName(prefix, topic), groupName(prefix, topic));
    lag[topic] = [...lags.values()].reduce((sum, each) => sum + each, 0);
  }
  return lag;
}
