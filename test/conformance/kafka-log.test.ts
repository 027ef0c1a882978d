import { Kafka, logLevel } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createKafkaLog } from '../../engine/adapters/kafka/log.ts';
import { compileOptions, type KafkaLogOptions } from '../../engine/adapters/kafka/options.ts';
import { createSession, type Session } from '../../engine/adapters/kafka/session.ts';
import { systemClock } from '../../engine/contract/clock.ts';
import type { Log } from '../../engine/contract/log.ts';
import { describeKafka } from '../support/kafka/describe-kafka.ts';
import { type KafkaBroker, startKafkaBroker } from '../support/kafka-broker.ts';
import { crashInMidBatch } from './crash.ts';
import type { LogWorld } from './harness.ts';
import { describeLog } from './log.ts';

const SESSION_TIMEOUT_MS = 2_000;
const clock = systemClock;
let broker: KafkaBroker;
let worlds = 0;

async function open(): Promise<LogWorld> {
  const options: KafkaLogOptions = {
    brokers: [broker.address],
    prefix: `world-${++worlds}.`,
    partitions: 4,
    sessionTimeoutMs: SESSION_TIMEOUT_MS,
    revokeBudgetMs: 2_000,
    publishTimeoutMs: 5_000,
    fetchWaitMs: 100,
  };
  const kafka = new Kafka({ brokers: [broker.address], logLevel: logLevel.NOTHING });
  const logs: Log[] = [];
  return {
    sessionTimeoutMs: SESSION_TIMEOUT_MS,
    keepsKeyOrder: true,
    connect: async () => {
      const log = await createKafkaLog(options);
      logs.push(log);
      return log;
    },
    putText: async (topic, key, value) => {
      const producer = kafka.producer();
      await producer.connect();
      await producer.send({ topic: `${options.prefix}${topic}`, messages: [{ key, value }] });
      await producer.disconnect();
    },
    crashConsumer: (done) => crashInMidBatch({ adapter: 'kafka', options, done }),
    cut: async () => {
      await broker.kill();
      return () => broker.restart();
    },
    close: async () => {
      await Promise.all(logs.map((log) => log.close(1_000)));
    },
  };
}

describeKafka('with a broker', () => {
  beforeAll(async () => {
    broker = await startKafkaBroker();
  });
  afterAll(() => broker?.stop());

  describeLog('the log on Kafka', { clock, open });

  it('knows that kafkajs stopped before it is told of a crash', async () => {
    const kafka = new Kafka({ brokers: [broker.address], logLevel: logLevel.NOTHING });
    await createTopic(kafka, 'stopped');
    const made = vi.spyOn(kafka, 'consumer');
    const session = await joined(() => sessionOf(kafka, { topic: 'stopped', groupId: 'stopped-readers' }));
    await session.commit(new Map([[0, 0]]));
    // As it does by itself when it gives up, some time before its CRASH event.
    await made.mock.results.at(-1)?.value.stop();
    expect(() => session.resume(0)).not.toThrow();
    await expect(session.commit(new Map([[0, 0]]))).rejects.toThrow('not a member');
    await session.stop();
  });

  it('does not wait long to leave a group whose other member keeps it from joining', async () => {
    const kafka = new Kafka({ brokers: [broker.address], logLevel: logLevel.NOTHING });
    const place = { topic: 'kept', groupId: 'kept-readers' };
    await createTopic(kafka, place.topic);
    const { promise: mayJoinAgain, resolve: joinAgain } = Promise.withResolvers<void>();
    let isKept = false;
    let asked = false;
    const beforeJoin = async (): Promise<void> => {
      asked = isKept;
      if (isKept) await mayJoinAgain;
    };
    const keeper = await joined(() => sessionOf(kafka, { ...place, beforeJoin }));
    isKept = true;
    const joining = sessionOf(kafka, place);
    void joining.start().catch(() => undefined);
    await expect.poll(() => asked, { timeout: 20_000 }).toBe(true);
    const startedAt = performance.now();
    await joining.stop();
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    joinAgain();
    await keeper.stop();
  });
});

async function createTopic(kafka: Kafka, topic: string): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic, numPartitions: 1 }] });
  await admin.disconnect();
}

/** A new broker's first group has no coordinator yet. */
const joined = (make: () => Session): Promise<Session> =>
  vi.waitFor(
    async () => {
      const session = make();
      await session.start().catch((error) => session.stop().then(() => Promise.reject(error)));
      return session;
    },
    { timeout: 30_000, interval: 250 },
  );

interface SessionPlace {
  readonly topic: string;
  readonly groupId: string;
  readonly beforeJoin?: () => Promise<void>;
}

const sessionOf = (kafka: Kafka, { beforeJoin = async () => undefined, ...place }: SessionPlace): Session =>
  createSession({
    ...{ kafka, beforeJoin, ...place },
    settings: compileOptions({ brokers: [broker.address] }),
    onBatch: () => undefined,
    onJoined: () => undefined,
    onConfirmed: () => undefined,
    onFetched: () => undefined,
  });

describe('without a broker', () => {
  it('says in one error, within a bound, where nobody answers', async () => {
    const opening = createKafkaLog({ brokers: ['127.0.0.1:1'], connectTimeoutMs: 1_500 });
    await expect(opening).rejects.toThrow('Kafka does not answer at 127.0.0.1:1');
  });

  it('refuses options that contradict each other', async () => {
    await expect(createKafkaLog({ brokers: [] })).rejects.toThrow('no brokers');
    const slowFetch = { brokers: ['127.0.0.1:1'], sessionTimeoutMs: 600, fetchWaitMs: 100 };
    await expect(createKafkaLog(slowFetch)).rejects.toThrow('fetchWaitMs');
  });
});
