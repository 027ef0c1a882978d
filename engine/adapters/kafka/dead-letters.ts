import { randomUUID } from 'node:crypto';
import type { IHeaders, Kafka, KafkaMessage } from 'kafkajs';
import type { DeadLetter } from '../../contract/log.ts';
import type { Topic } from '../../contract/topics.ts';
import { bounded } from './bounded.ts';
import { shortRetry } from './client.ts';
import { deadTopicName, groupName, ORIGINAL_ID_HEADER, REASON_HEADER } from './names.ts';
import type { KafkaSettings } from './options.ts';
import { parseText } from './partition-queue.ts';
import type { OutgoingMessage } from './publisher.ts';

export interface DeadRecord {
  readonly id: string;
  readonly key: string;
  readonly text: string;
  readonly reason: string;
}

export function deadLetterMessage(prefix: string, topic: Topic, record: DeadRecord): OutgoingMessage {
  const { id, key, text, reason } = record;
  const headers = { [REASON_HEADER]: reason, [ORIGINAL_ID_HEADER]: id };
  return { topic: deadTopicName(prefix, topic), key, value: text, headers };
}

const READ_TIMEOUT_MS = 15_000;

/** Reads the end of the dead letters' topic, newest first. For people and tests: it takes a reader group. */
export async function readDeadLetters(
  kafka: Kafka,
  settings: KafkaSettings,
  topic: Topic,
  limit: number,
): Promise<DeadLetter[]> {
  const name = deadTopicName(settings.prefix, topic);
  const admin = kafka.admin({ retry: shortRetry });
  try {
    await admin.connect();
    const [ends] = await admin.fetchTopicOffsets(name);
    const high = Number(ends?.high ?? 0);
    const from = Math.max(Number(ends?.low ?? 0), high - limit);
    if (from >= high) return [];
    const groupId = `${groupName(settings.prefix, topic)}.dead.${randomUUID()}`;
    const letters = await readRange(kafka, settings, { name, groupId, from, high });
    await admin.deleteGroups([groupId]).catch(() => undefined);
    return letters.reverse();
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

interface Range {
  readonly name: string;
  readonly groupId: string;
  readonly from: number;
  readonly high: number;
}

/** `kafkajs` 2.2.4 reads only as a member of a group: one is made for this and deleted afterwards. */
async function readRange(
  kafka: Kafka,
  settings: KafkaSettings,
  { name, groupId, from, high }: Range,
): Promise<DeadLetter[]> {
  const { sessionTimeoutMs, heartbeatIntervalMs, fetchWaitMs, clock } = settings;
  const consumer = kafka.consumer({
    groupId,
    sessionTimeout: sessionTimeoutMs,
    heartbeatInterval: heartbeatIntervalMs,
    maxWaitTimeInMs: fetchWaitMs,
    retry: shortRetry,
  });
  const letters: DeadLetter[] = [];
  const { promise: complete, resolve } = Promise.withResolvers<void>();
  try {
    await consumer.connect();
    await consumer.subscribe({ topic: name, fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ message }) => {
        const offset = Number(message.offset);
        if (offset >= from && offset < high) letters.push(toDeadLetter(message));
        if (offset >= high - 1) resolve();
      },
    });
    consumer.seek({ topic: name, partition: 0, offset: String(from) });
    await bounded(clock, READ_TIMEOUT_MS, 'reading the dead letters', complete);
  } finally {
    await consumer.disconnect().catch(() => undefined);
  }
  return letters;
}

function toDeadLetter({ key, value, headers }: KafkaMessage): DeadLetter {
  return {
    id: headerText(headers, ORIGINAL_ID_HEADER),
    key: key?.toString() ?? '',
    value: parseText(value?.toString() ?? ''),
    reason: headerText(headers, REASON_HEADER),
  };
}

function headerText(headers: IHeaders | undefined, name: string): string {
  return String(headers?.[name] ?? '');
}
