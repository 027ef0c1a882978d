import type { Admin, Kafka } from 'kafkajs';
import type { Topic } from '../../contract/topics.ts';
import { askAgain } from './ask-again.ts';
import { bounded } from './bounded.ts';
import { shortRetry } from './client.ts';
import { createMissing } from './create-topics.ts';
import { createKeptConnection } from './kept-connection.ts';
import { groupName, topicName } from './names.ts';
import type { KafkaSettings } from './options.ts';
import type { Refusals } from './refusals.ts';

/** Questions to the cluster, over one connection that is made again after a failure. */
export interface ClusterAdmin {
  /** Creates the topics that do not exist. */
  ensureTopics(): Promise<void>;
  /** Of all partitions, or of the given ones. */
  lag(topic: Topic, partitions?: readonly number[]): Promise<number>;
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

const PING_TIMEOUT_MS = 2_000;
const CLOSE_TIMEOUT_MS = 3_000;

export function createClusterAdmin(kafka: Kafka, settings: KafkaSettings, refusals: Refusals): ClusterAdmin {
  const { clock, prefix, connectTimeoutMs } = settings;
  let closed = false;
  const connection = createKeptConnection(connect);

  async function connect(): Promise<Admin> {
    refusals.check();
    const admin = kafka.admin({ retry: shortRetry });
    await admin.connect();
    refusals.accepted();
    return admin;
  }

  async function ask<T>(limitMs: number, what: string, question: (admin: Admin) => Promise<T>): Promise<T> {
    if (closed) throw new Error('Kafka: the log is closed');
    const used = connection.get();
    try {
      return await bounded(clock, limitMs, what, used.then(question));
    } catch (error) {
      connection.discard(used);
      throw refusals.explained(error);
    }
  }

  return {
    ensureTopics: () => ask(connectTimeoutMs, 'creating topics', (admin) => createMissing(admin, settings)),
    lag: async (topic, partitions) => {
      const names = [topicName(prefix, topic), groupName(prefix, topic)] as const;
      const count = () => ask(connectTimeoutMs, 'counting the lag', (admin) => lagsOf(admin, ...names));
      const lags = await askAgain(clock, count, () => closed);
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
      const gone = connection.close();
      await bounded(clock, CLOSE_TIMEOUT_MS, 'closing the connection for questions', gone).catch(
        () => undefined,
      );
    },
  };
}

/** How many records of each partition its readers have not finished. */
export async function lagsOf(admin: Admin, topic: string, groupId: string): Promise<Map<number, number>> {
  const [ends, [committed]] = await Promise.all([
    admin.fetchTopicOffsets(topic),
    admin.fetchOffsets({ groupId, topics: [topic] }),
  ]);
  const done = new Map(committed?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
  // -1: nothing was committed yet. Records that retention removed in the meantime are not lag.
  return new Map(
    ends.map(({ partition, high, low }) => [
      partition,
      Number(high) - Math.max(Number(low), done.get(partition) ?? -1),
    ]),
  );
}
