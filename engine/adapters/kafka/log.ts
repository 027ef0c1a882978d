import type { Consumer, Log } from '../../contract/log.ts';
import { RecordsRefused } from '../../contract/records-refused.ts';
import type { Topic } from '../../contract/topics.ts';
import { createClusterAdmin } from './admin.ts';
import { createClient } from './client.ts';
import { startConsumer } from './consumer.ts';
import { type DeadRecord, deadLetterMessage, readDeadLetters } from './dead-letters.ts';
import { topicName } from './names.ts';
import { compileOptions, type KafkaLogOptions } from './options.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { createRefusals } from './refusals.ts';
import { startError } from './start-error.ts';

/**
 * The log on Apache Kafka, through kafkajs 2.2.4.
 *
 * A topic is a Kafka topic, its reader group a consumer group, its dead letters the topic `<name>.dead` with
 * the reason and the original id in headers. The process that handles the record counts `attempt`: a crash
 * loses it, and the record starts at 1 again.
 * @throws Error, one, when the cluster does not answer within `connectTimeoutMs`; KafkaRefused when it answers that
 * a setting or a right is wrong.
 */
export async function createKafkaLog(given: KafkaLogOptions): Promise<Log> {
  const settings = compileOptions(given);
  const client = createClient(settings);
  const { kafka, kafkaOfMembers } = client;
  const refusals = createRefusals(settings);
  const admin = createClusterAdmin(kafka, settings, refusals);
  const publisher = createPublisher(kafka, settings, refusals);
  const consumers = new Set<Consumer>();
  const { prefix } = settings;

  try {
    await admin.ensureTopics();
    await publisher.connect();
  } catch (error) {
    await Promise.all([admin.close(), publisher.close()]);
    client.end();
    throw startError(error, settings);
  }
  refusals.speak();

  return {
    publish: (topic, records) =>
      publisher.publish(
        records.map(({ key, value }) => ({
          topic: topicName(prefix, topic),
          key,
          value: JSON.stringify(value),
        })),
      ),
    consume: async (topic, options, handle) => {
      const consumer = await startConsumer({
        kafka: kafkaOfMembers,
        settings,
        refusals,
        topic,
        options,
        handle,
        bury: (record) => bury(publisher, prefix, topic, record),
        lag: (partitions) => admin.lag(topic, partitions),
      });
      consumers.add(consumer);
      return consumer;
    },
    lag: (topic) => admin.lag(topic),
    deadLetters: (topic, limit) => readDeadLetters(kafka, settings, topic, limit),
    ping: admin.ping,
    close: async (deadlineMs) => {
      await Promise.all([...consumers].map((consumer) => consumer.close(deadlineMs)));
      consumers.clear();
      await Promise.all([publisher.close(), admin.close()]);
      client.end();
    },
  };
}

/** Of a record that, with its reason, is larger than a topic takes: its id says where the whole lies. */
const MOST_CUT = 1_000;

async function bury(publisher: Publisher, prefix: string, topic: Topic, record: DeadRecord): Promise<void> {
  const publish = (text: string): Promise<void> =>
    publisher.publish([deadLetterMessage(prefix, topic, { ...record, text })]);
  await publish(record.text).catch((error: unknown) => {
    if (!(error instanceof RecordsRefused)) throw error;
    return publish(record.text.slice(0, MOST_CUT));
  });
}
