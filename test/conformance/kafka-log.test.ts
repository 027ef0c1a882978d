// tier: core
import kafkajs, {
  type Admin,
  Kafka,
  logLevel,
  type PartitionAssigner,
  PartitionAssigners,
  type Producer,
} from 'kafkajs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createKafkaLog } from '../../engine/adapters/kafka/log.ts';
import { createMembership, type Membership } from '../../engine/adapters/kafka/membership.ts';
import { compileOptions, type KafkaLogOptions } from '../../engine/adapters/kafka/options.ts';
import {
  countOutboxRows,
  countRefusedRows,
  createRelayStep,
  putBackRefused,
  readOutboxAge,
} from '../../engine/adapters/postgres/relay.ts';
import { systemClock } from '../../engine/contract/concurrency/clock.ts';
import type { Log } from '../../engine/contract/log.ts';
import { describeKafka } from '../support/kafka/describe-kafka.ts';
import { type KafkaBroker, startKafkaBroker } from '../support/kafka-broker.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { crashInMidBatch } from './crash.ts';
import { defaultOptions, type LogWorld, tooLarge } from './harness.ts';
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
    neverHeld: tooLarge,
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

  it('knows that kafkajs stopped before the crash is reported', async () => {
    const kafka = new Kafka({ brokers: [broker.address], logLevel: logLevel.NOTHING });
    await createTopic(kafka, 'stopped');
    const made = vi.spyOn(kafka, 'consumer');
    const membership = await joined(() =>
      membershipOf(kafka, { topic: 'stopped', groupId: 'stopped-readers' }),
    );
    await membership.commit(new Map([[0, 0]]));
    // As it does by itself when it gives up, some time before its CRASH event.
    await made.mock.results.at(-1)?.value.stop();
    expect(() => membership.resume(0)).not.toThrow();
    await expect(membership.commit(new Map([[0, 0]]))).rejects.toThrow('not a member');
    await membership.stop();
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
    const keeper = await joined(() => membershipOf(kafka, { ...place, beforeJoin }));
    isKept = true;
    const joining = membershipOf(kafka, place);
    void joining.start().catch(() => undefined);
    await expect.poll(() => asked).toBe(true);
    const startedAt = performance.now();
    await joining.stop();
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    joinAgain();
    await keeper.stop();
  });

  it('holds up nothing behind rows of the outbox that a topic is too small for, and moves them when it is large enough', async () => {
    const prefix = 'small.';
    const limit = (bytes: number) => [{ name: 'max.message.bytes', value: String(bytes) }];
    await withAdmin((admin) =>
      admin.createTopics({
        topics: [
          { topic: `${prefix}outcomes`, numPartitions: 2, configEntries: limit(4_000) },
          { topic: `${prefix}outcomes.dead`, numPartitions: 1, configEntries: limit(3_000) },
        ],
      }),
    );
    const log = await createKafkaLog({ brokers: [broker.address], prefix, partitions: 2 });
    const refused = log.publish('outcomes', [
      { key: 'a', value: { batch_id: 'a', blocks: ['a'] } },
      { key: 'b', value: { batch_id: 'b', blocks: ['b'.repeat(9_000)] } },
    ]);
    await expect(refused).rejects.toMatchObject({
      indexes: [1],
      message: expect.stringContaining('max.message.bytes'),
    });
    const test = await createTestDatabase();
    await test.database.query(
      `INSERT INTO outbox (topic, key, packed)
       SELECT 'outcomes', '1', decode(repeat(lpad(n::text, 4, '0'), 100), 'hex') FROM generate_series(1, 64) n`,
    );
    await test.database.query(
      `INSERT INTO outbox (topic, key, value) VALUES ('shards.bulk', '1', '{"shard_id": 1, "delivery_id": 1, "app_id": 1}')`,
    );
    const notes: number[] = [];
    const relay = createRelayStep(test.database, log, {
      topics: ['outcomes', 'shards.bulk'],
      ...{ outcomesPerBatch: 32, outcomesDelayMs: 0 },
      onRefused: (_topic, rows) => void notes.push(rows),
    });
    while ((await relay()) > 0);
    // 32 blocks and 16 are too large; eight are not.
    expect(notes).toEqual([32, 16]);
    expect(await countRefusedRows(test.database)).toBe(48);
    expect([await countOutboxRows(test.database), await log.lag('shards.bulk')]).toEqual([48, 1]);
    expect(await readOutboxAge(test.database)).toBe(0);
    expect(await putBackRefused(test.database, 60_000)).toBe(0);
    const { TOPIC } = kafkajs.ConfigResourceTypes;
    await withAdmin((admin) =>
      admin.alterConfigs({
        validateOnly: false,
        resources: [{ type: TOPIC, name: `${prefix}outcomes`, configEntries: limit(1_000_000) }],
      }),
    );
    // The brokers may hear of it a moment later.
    await vi.waitFor(
      async () => {
        await putBackRefused(test.database, 0);
        await relay();
        expect(await countOutboxRows(test.database)).toBe(0);
      },
      { timeout: 120_000 },
    );
    const blocks: string[] = [];
    await log.consume('outcomes', defaultOptions, async (records, claim) => {
      for (const record of records) {
        blocks.push(...record.value.blocks);
        await claim.done(record);
      }
      return { kind: 'handled' };
    });
    // That which went beside a refused one may come twice.
    await expect.poll(() => new Set(blocks).size, { timeout: 120_000 }).toBe(65);
    // A dead letter is larger than its record: one that is too large is cut.
    await withProducer((producer) =>
      producer.send({ topic: `${prefix}outcomes`, messages: [{ key: 'c', value: 'c'.repeat(3_000) }] }),
    );
    await expect.poll(() => log.deadLetters('outcomes', 1), { timeout: 120_000 }).toHaveLength(1);
    expect((await log.deadLetters('outcomes', 1))[0]?.value).toBe('c'.repeat(1_000));
    await log.close(1_000);
    await test.drop();
  }, 180_000);

  // The broker goes on counting a member that gave up, and the next one would wait for it.
  it('waits as one member for a leader that never shares out the partitions', async () => {
    const sessionTimeoutMs = 8_000;
    const lines: string[] = [];
    const log = await createKafkaLog({
      ...{ brokers: [broker.address], prefix: 'led.', sessionTimeoutMs, publishTimeoutMs: 1_000 },
      logger: (_level, message) => void lines.push(message),
    });
    const leader = await leadAndHang('led.outcomes', 'led.outcomes.readers', sessionTimeoutMs);
    const consumer = await log.consume('outcomes', defaultOptions, async () => ({ kind: 'handled' }));
    expect(leader.hangs()).toBe(true);
    expect(lines.filter((line) => line.includes('timed out'))).toEqual([]);
    await consumer.close(1_000);
    await log.close(1_000);
    await leader.end();
  });
});

/** A member of the group that stops at its second assignment, as one that died there. It leads, being the first. */
async function leadAndHang(topic: string, groupId: string, sessionTimeout: number) {
  const kafka = new Kafka({ brokers: [broker.address], logLevel: logLevel.NOTHING });
  const { promise: over, reject: end } = Promise.withResolvers<never>();
  over.catch(() => undefined);
  let assignments = 0;
  const assigner: PartitionAssigner = (config) => {
    const roundRobin = PartitionAssigners.roundRobin(config);
    return {
      ...roundRobin,
      assign: (group) => (++assignments === 1 ? roundRobin.assign(group) : over),
    };
  };
  const timing = { sessionTimeout, heartbeatInterval: 200, maxWaitTimeInMs: 100 };
  const member = kafka.consumer({
    groupId,
    partitionAssigners: [assigner],
    retry: { retries: 0 },
    ...timing,
  });
  const hasJoined = new Promise((resolve) => member.on(member.events.GROUP_JOIN, resolve));
  await member.connect();
  await member.subscribe({ topic });
  await member.run({ eachMessage: async () => undefined });
  await hasJoined;
  return {
    hangs: () => assignments > 1,
    end: async () => {
      end(new Error('the test is over'));
      await member.disconnect();
    },
  };
}

async function createTopic(kafka: Kafka, topic: string): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic, numPartitions: 1 }] });
  await admin.disconnect();
}

const client = (): Kafka => new Kafka({ brokers: [broker.address], logLevel: logLevel.NOTHING });

async function withAdmin(work: (admin: Admin) => Promise<unknown>): Promise<void> {
  const admin = client().admin();
  await admin.connect();
  await work(admin);
  await admin.disconnect();
}

async function withProducer(work: (producer: Producer) => Promise<unknown>): Promise<void> {
  const producer = client().producer();
  await producer.connect();
  await work(producer);
  await producer.disconnect();
}

/** A new broker's first group has no coordinator yet. */
const joined = (make: () => Membership): Promise<Membership> =>
  vi.waitFor(
    async () => {
      const membership = make();
      await membership.start().catch((error) => membership.stop().then(() => Promise.reject(error)));
      return membership;
    },
    { timeout: 120_000, interval: 250 },
  );

interface GroupPlace {
  readonly topic: string;
  readonly groupId: string;
  readonly beforeJoin?: () => Promise<void>;
}

const membershipOf = (
  kafka: Kafka,
  { beforeJoin = async () => undefined, ...place }: GroupPlace,
): Membership =>
  createMembership({
    ...{ kafka, beforeJoin, ...place },
    settings: compileOptions({ brokers: [broker.address] }),
    onBatch: () => undefined,
    onJoined: () => undefined,
    onConfirmed: () => undefined,
    onFetched: () => undefined,
  });

describe('without a broker', () => {
  it('reports in one error, within a bound, that no broker answers', async () => {
    const opening = createKafkaLog({ brokers: ['127.0.0.1:1'], connectTimeoutMs: 1_500 });
    await expect(opening).rejects.toThrow('Kafka does not answer at 127.0.0.1:1');
  });

  it('refuses options that contradict each other', async () => {
    await expect(createKafkaLog({ brokers: [] })).rejects.toThrow('no brokers');
    const slowFetch = { brokers: ['127.0.0.1:1'], sessionTimeoutMs: 600, fetchWaitMs: 100 };
    await expect(createKafkaLog(slowFetch)).rejects.toThrow('fetchWaitMs');
  });
});
