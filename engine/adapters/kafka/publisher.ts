import kafkajs, { type Kafka, type Producer } from 'kafkajs';
import { causesOf } from '../../contract/causes.ts';
import { publishApart, RecordsRefused } from '../../contract/records-refused.ts';
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
 *
 * A request is of one topic, the oldest first, so that a topic that the brokers refuse costs the others its time alone. If
 * they refuse a message for what it is, such as one larger than the topic takes, the others are sent without it.
 */
export interface Publisher {
  connect(): Promise<void>;
  /**
   * Resolves once every message is on all in-sync replicas. @throws RecordsRefused as `log.ts` has it, Error when the
   * cluster is unavailable.
   */
  publish(messages: readonly OutgoingMessage[]): Promise<void>;
  close(): Promise<void>;
}

interface Connected {
  readonly ready: Producer;
  readonly partitions: NotingPartitioner;
}

/** Of one request, where some were refused. */
interface Refused {
  readonly messages: ReadonlySet<OutgoingMessage>;
  readonly untried: ReadonlySet<OutgoingMessage>;
  readonly why: unknown;
}

interface Waiting {
  readonly messages: readonly OutgoingMessage[];
  readonly resolve: (refused: Refused | null) => void;
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
/** Where a topic takes less. */
const LEAST_REQUEST_CHARS = 16_384;
const CLOSE_TIMEOUT_MS = 3_000;

export function createPublisher(kafka: Kafka, settings: KafkaSettings, refusals: Refusals): Publisher {
  const { clock, publishTimeoutMs } = settings;
  const compression = compressionTypes[settings.compression];
  const waiting: Waiting[] = [];
  let waitingMessages = 0;
  let requestChars = MAX_REQUEST_CHARS;
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
      const group = takeGroup(waiting, requestChars);
      const messages = group.flatMap((one) => one.messages);
      waitingMessages -= messages.length;
      try {
        const refused = await sendApart(messages);
        for (const { resolve } of group) resolve(refused);
      } catch (error) {
        const explained = refusals.explained(error);
        for (const { reject } of group) reject(explained);
      }
    }
    sending = null;
  }

  async function sendApart(messages: readonly OutgoingMessage[]): Promise<Refused | null> {
    try {
      if ((await publishApart(messages, send, isOfRecords)) === 'parts') makeSmaller();
      return null;
    } catch (error) {
      if (!(error instanceof RecordsRefused)) throw error;
      if (error.indexes.length === 0) makeSmaller();
      const those = (indexes: readonly number[]) =>
        new Set(indexes.flatMap((index) => messages[index] ?? []));
      const why = refusals.explained(error.cause);
      return { messages: those(error.indexes), untried: those(error.untried), why };
    }
  }

  /** No record alone is too large: the topic takes smaller requests than we made. */
  function makeSmaller(): void {
    requestChars = Math.max(LEAST_REQUEST_CHARS, requestChars / 2);
  }

  async function send(messages: readonly OutgoingMessage[]): Promise<void> {
    producer ??= connect();
    const used = producer;
    try {
      const sent = used.then(async ({ ready, partitions }) => {
        partitions.forget();
        partitions.check(await ready.sendBatch({ acks: -1, compression, topicMessages: byTopic(messages) }));
      });
      await bounded(clock, publishTimeoutMs, 'publishing', sent);
    } catch (error) {
      producer = null;
      discard(used);
      throw error;
    }
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
      const parts = splitToFit(messages, requestChars).map((part) => {
        const { promise, resolve, reject } = Promise.withResolvers<Refused | null>();
        waiting.push({ messages: part, resolve, reject });
        return promise;
      });
      waitingMessages += messages.length;
      sending ??= sendWaiting();
      return Promise.all(parts).then((refused) => checkRefused(messages, refused));
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

/** The brokers' words for a record that they will not take, and kafkajs' of each that it was in. */
const ofRecords: ReadonlySet<unknown> = new Set([
  ...['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD', 'INVALID_TIMESTAMP'],
]);

const isOfRecords = (error: unknown): boolean =>
  causesOf(error).some((cause) => ofRecords.has((cause as { type?: unknown }).type));

/** @throws RecordsRefused where any of these is, or was not tried. */
function checkRefused(messages: readonly OutgoingMessage[], all: readonly (Refused | null)[]): void {
  const refused = all.filter((one) => one !== null);
  const placesIn = (field: 'messages' | 'untried'): number[] =>
    messages.flatMap((message, index) => (refused.some((one) => one[field].has(message)) ? [index] : []));
  const [indexes, untried] = [placesIn('messages'), placesIn('untried')];
  if (indexes.length + untried.length > 0) throw new RecordsRefused(indexes, refused[0]?.why, untried);
}

/** The oldest records of the topic whose turn it is that fit one request: at least one, whatever its size. */
function takeGroup(waiting: Waiting[], most: number): Waiting[] {
  const topic = topicOf(waiting[0]);
  const own = waiting.filter((one) => topicOf(one) === topic);
  const group = new Set(
    own.slice(
      0,
      fitting(
        own.map(({ messages }) => messages),
        most,
      ),
    ),
  );
  waiting.splice(0, waiting.length, ...waiting.filter((one) => !group.has(one)));
  return [...group];
}

const topicOf = (one: Waiting | undefined): string => one?.messages[0]?.topic ?? '';

/** One call may publish more than one request holds. */
function splitToFit(messages: readonly OutgoingMessage[], most: number): OutgoingMessage[][] {
  const parts: OutgoingMessage[][] = [];
  for (let rest = messages; rest.length > 0; rest = rest.slice(parts.at(-1)?.length)) {
    const groups = rest.map((message) => [message]);
    parts.push(rest.slice(0, fitting(groups, most)));
  }
  return parts;
}

function fitting(groups: readonly (readonly OutgoingMessage[])[], most: number): number {
  let messages = 0;
  let chars = 0;
  const end = groups.findIndex((group, index) => {
    messages += group.length;
    for (const { value } of group) chars += value.length;
    return index > 0 && (messages > MAX_REQUEST_MESSAGES || chars > most);
  });
  return end === -1 ? groups.length : end;
}

function byTopic(all: readonly OutgoingMessage[]) {
  const topics = Map.groupBy(all, ({ topic }) => topic);
  return [...topics].map(([topic, messages]) => ({
    topic,
    messages: messages.map(({ key, value, headers }) => ({ key, value, ...(headers ? { headers } : {}) })),
  }));
}
