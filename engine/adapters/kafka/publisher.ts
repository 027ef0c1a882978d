import kafkajs, { type Kafka, type Producer } from 'kafkajs';
import type { Compression } from '../../contract/settings/kafka-settings.ts';
import { bounded } from './bounded.ts';
import { MAX_RETRY_PAUSE_MS, shortRetry } from './client.ts';
import { createNotingPartitioner, type NotingPartitioner } from './noting-partitioner.ts';
import type { KafkaSettings } from './options.ts';
import type { Refusals } from './refusals.ts';

export interface OutgoingMessage {
  readonly topic: string;
  readonly key: string;
  readonly value: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends one request at a time: records published meanwhile go together in the next one.
 *
 * Two requests at once would be unsafe with kafkajs 2.2.4: it takes the sequence numbers of a failed request
 * back, so another request may use them, and a broker that did store the first one drops the second as its
 * duplicate, acknowledged and lost. For the same reason a failed producer is never used again. And an answer counts
 * only where it names every partition (`noting-partitioner.ts`).
 */
export interface Publisher {
  connect(): Promise<void>;
  /** Resolves once every message is on all in-sync replicas. @throws Error when the cluster is away. */
  publish(messages: readonly OutgoingMessage[]): Promise<void>;
  close(): Promise<void>;
}

interface Connected {
  readonly ready: Producer;
  readonly partitions: NotingPartitioner;
}

interface Waiting {
  readonly messages: readonly OutgoingMessage[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const { CompressionTypes } = kafkajs;
const compressionTypes: Readonly<Record<Compression, number>> = {
  none: CompressionTypes.None,
  gzip: CompressionTypes.GZIP,
  zstd: CompressionTypes.ZSTD,
};

/** Messages that may wait for the request in flight; beyond it `publish` rejects. */
const MAX_WAITING_MESSAGES = 20_000;
/** Messages a request; the broker refuses a batch of more than 1 MB. */
const MAX_REQUEST_MESSAGES = 2_000;
const MAX_REQUEST_CHARS = 500_000;
const CLOSE_TIMEOUT_MS = 3_000;

export function createPublisher(kafka: Kafka, settings: KafkaSettings, refusals: Refusals): Publisher {
  const { clock, publishTimeoutMs } = settings;
  const compression = compressionTypes[settings.compression];
  const waiting: Waiting[] = [];
  let waitingMessages = 0;
  let producer: Promise<Connected> | null = null;
  let sending: Promise<void> | null = null;
  let closed = false;

  async function connect(): Promise<Connected> {
    refusals.check();
    const partitions = createNotingPartitioner();
    const made = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: partitions.create,
      // About as long as any caller waits: an abandoned send must not keep retrying and reconnecting.
      retry: { ...shortRetry, retries: Math.ceil(publishTimeoutMs / MAX_RETRY_PAUSE_MS) },
    });
    await made.connect();
    refusals.accepted();
    return { ready: made, partitions };
  }

  async function sendWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const group = takeGroup(waiting);
      waitingMessages -= countMessages(group);
      producer ??= connect();
      const used = producer;
      try {
        const sent = used.then(async ({ ready, partitions }) => {
          partitions.forget();
          partitions.check(await ready.sendBatch({ acks: -1, compression, topicMessages: byTopic(group) }));
        });
        await bounded(clock, publishTimeoutMs, 'publishing', sent);
        for (const { resolve } of group) resolve();
      } catch (error) {
        producer = null;
        discard(used);
        const explained = refusals.explained(error);
        for (const { reject } of group) reject(explained);
      }
    }
    sending = null;
  }

  return {
    connect: async () => {
      producer ??= connect();
      await producer.catch((error) => {
        producer = null;
        throw error;
      });
    },
    publish: (messages) => {
      if (closed) return Promise.reject(new Error('Kafka: the log is closed'));
      if (waitingMessages + messages.length > MAX_WAITING_MESSAGES) {
        return Promise.reject(new Error(`Kafka: ${waitingMessages} messages wait to be published already`));
      }
      const parts = splitToFit(messages).map((part) => {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        waiting.push({ messages: part, resolve, reject });
        return promise;
      });
      waitingMessages += messages.length;
      sending ??= sendWaiting();
      return Promise.all(parts).then(() => undefined);
    },
    close: async () => {
      closed = true;
      await sending;
      if (producer === null) return;
      const gone = producer.then(({ ready }) => ready.disconnect());
      await bounded(clock, CLOSE_TIMEOUT_MS, 'closing the producer', gone).catch(() => undefined);
    },
  };
}

function discard(producer: Promise<Connected>): void {
  producer.then(({ ready }) => ready.disconnect()).catch(() => undefined);
}

function countMessages(group: readonly Waiting[]): number {
  return group.reduce((sum, { messages }) => sum + messages.length, 0);
}

/** The oldest records that fit one request: at least one, whatever its size. */
function takeGroup(waiting: Waiting[]): Waiting[] {
  return waiting.splice(0, fitting(waiting.map(({ messages }) => messages)));
}

/** One call may publish more than one request holds. */
function splitToFit(messages: readonly OutgoingMessage[]): OutgoingMessage[][] {
  const parts: OutgoingMessage[][] = [];
  for (let rest = messages; rest.length > 0; rest = rest.slice(parts.at(-1)?.length)) {
    parts.push(rest.slice(0, fitting(rest.map((message) => [message]))));
  }
  return parts;
}

function fitting(groups: readonly (readonly OutgoingMessage[])[]): number {
  let messages = 0;
  let chars = 0;
  const end = groups.findIndex((group, index) => {
    messages += group.length;
    for (const { value } of group) chars += value.length;
    return index > 0 && (messages > MAX_REQUEST_MESSAGES || chars > MAX_REQUEST_CHARS);
  });
  return end === -1 ? groups.length : end;
}

function byTopic(group: readonly Waiting[]) {
  const topics = Map.groupBy(
    group.flatMap(({ messages }) => messages),
    ({ topic }) => topic,
  );
  return [...topics].map(([topic, messages]) => ({
    topic,
    messages: messages.map(({ key, value, headers }) => ({ key, value, ...(headers ? { headers } : {}) })),
  }));
}
