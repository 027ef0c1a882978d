// tier: system
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import kafkajs from 'kafkajs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeKafka } from '../support/kafka/describe-kafka.ts';
import { openFromEnvironment } from '../support/kafka/secured-log.ts';
import { collect } from '../support/kafka/steady.ts';
import { type KafkaBroker, startKafkaBroker } from '../support/kafka-broker.ts';

const { Kafka, logLevel } = kafkajs;
/** Where the attributes of a record batch are in its bytes, and which of their bits name its codec. */
const ATTRIBUTES_AT = 21;
const CODEC_MASK = 7;
const codecs = { none: 0, gzip: 1, lz4: 3, zstd: 4 } as const;

describeKafka('compressed messages', () => {
  let broker: KafkaBroker;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'broadside-compressed-'));
    broker = await startKafkaBroker({ folder });
  });
  afterAll(async () => {
    await broker?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const environment = (prefix: string, compression = 'none') => ({
    KAFKA_BROKERS: broker.address,
    KAFKA_PARTITIONS: '1',
    KAFKA_TOPIC_PREFIX: prefix,
    KAFKA_COMPRESSION: compression,
  });

  async function codecOnDisk(topic: string): Promise<number> {
    const segment = await readFile(join(folder, 'data', `${topic}-0`, '00000000000000000000.log'));
    return segment.readInt16BE(ATTRIBUTES_AT) & CODEC_MASK;
  }

  /** The broker writes what it gets with this codec, as a producer in Java would. */
  async function createTopic(topic: string, codec: string): Promise<void> {
    const admin = new Kafka({ brokers: [broker.address], logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    const configEntries = [{ name: 'compression.type', value: codec }];
    await admin.createTopics({ topics: [{ topic, numPartitions: 1, configEntries }], waitForLeaders: false });
    await admin.disconnect();
  }

  const publishMany = (log: Awaited<ReturnType<typeof openFromEnvironment>>['log']) =>
    log.publish(
      'deliveries',
      Array.from({ length: 500 }, (_, index) => ({ key: 'one', value: { delivery_id: index + 1 } })),
    );

  it.each(['none', 'gzip', 'zstd'] as const)(
    'with %s are so on disk, and a process with no such setting reads them',
    async (compression) => {
      const prefix = `${compression}.`;
      const writer = await openFromEnvironment(environment(prefix, compression));
      await publishMany(writer.log);
      expect(await codecOnDisk(`${prefix}deliveries`)).toBe(codecs[compression]);
      const reader = await openFromEnvironment(environment(prefix));
      const arrived = await collect(reader.log);
      await expect.poll(() => arrived.size).toBe(500);
      await Promise.all([writer.log.close(1_000), reader.log.close(1_000)]);
    },
  );

  it.each(['gzip', 'zstd'] as const)('with %s by Java are read', async (codec) => {
    const prefix = `java-${codec}.`;
    await createTopic(`${prefix}deliveries`, codec);
    const { log } = await openFromEnvironment(environment(prefix));
    await publishMany(log);
    expect(await codecOnDisk(`${prefix}deliveries`)).toBe(codecs[codec]);
    const arrived = await collect(log);
    await expect.poll(() => arrived.size).toBe(500);
    await log.close(1_000);
  });

  it('with a codec that is not read are named in the log, once', async () => {
    await createTopic('lz4.deliveries', 'lz4');
    const { log, said } = await openFromEnvironment(environment('lz4.'));
    await publishMany(log);
    expect(await codecOnDisk('lz4.deliveries')).toBe(codecs.lz4);
    const arrived = await collect(log);
    const restarts = () => said.filter(({ message }) => message === 'a consumer starts again').length;
    await expect.poll(restarts).toBeGreaterThan(1);
    expect(arrived.size).toBe(0);
    const errors = said.filter(({ level }) => level === 'error').map(({ message }) => message);
    expect(errors).toEqual([expect.stringMatching(/compressed with LZ4, .* use zstd or gzip$/)]);
    await log.close(1_000);
  });
});
