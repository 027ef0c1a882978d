// tier: system
import kafkajs from 'kafkajs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pause, systemClock } from '../../engine/contract/concurrency/clock.ts';
import { type KafkaCluster, startKafkaCluster } from '../support/kafka/cluster.ts';
import { describeKafka } from '../support/kafka/describe-kafka.ts';
import { openFromEnvironment } from '../support/kafka/secured-log.ts';
import { collect, missing, publishSteadily } from '../support/kafka/steady.ts';

const { ConfigResourceTypes, Kafka, logLevel } = kafkajs;
type Admin = ReturnType<InstanceType<typeof Kafka>['admin']>;

describeKafka('three brokers with SASL_SSL and SCRAM', () => {
  let cluster: KafkaCluster;

  beforeAll(async () => {
    cluster = await startKafkaCluster();
  });
  afterAll(() => cluster?.stop());

  const environment = (prefix: string) => ({
    KAFKA_BROKERS: cluster.brokers.map(({ address }) => address).join(','),
    KAFKA_TOPIC_PREFIX: prefix,
    KAFKA_SECURITY_PROTOCOL: 'SASL_SSL',
    KAFKA_SSL_CA_FILE: cluster.caFile,
    KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
    KAFKA_SASL_USERNAME: 'alice',
    KAFKA_SASL_PASSWORD: 'alice-secret',
  });

  async function ask<T>(question: (admin: Admin) => Promise<T>): Promise<T> {
    const brokers = cluster.brokers.map(({ plainAddress }) => plainAddress);
    const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    try {
      return await question(admin);
    } finally {
      await admin.disconnect();
    }
  }

  const partitionsOf = (topic: string) =>
    ask(async (admin) => {
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
      return topics[0]?.partitions ?? [];
    });
  const leastInSync = (topic: string) =>
    ask(async (admin) => {
      const wanted = { type: ConfigResourceTypes.TOPIC, name: topic, configNames: ['min.insync.replicas'] };
      const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [wanted] });
      return resources[0]?.configEntries[0]?.configValue;
    });

  it('get topics as the settings say, and by the cluster’s own defaults where they say nothing', async () => {
    const set = await openFromEnvironment({
      ...environment('set.'),
      KAFKA_REPLICATION_FACTOR: '2',
      KAFKA_MIN_INSYNC_REPLICAS: '2',
      KAFKA_PARTITIONS: '5',
    });
    await set.log.close(1_000);
    const created = await partitionsOf('set.outcomes');
    expect(created.map(({ replicas }) => replicas.length)).toEqual([2, 2, 2, 2, 2]);
    expect(await leastInSync('set.outcomes')).toBe('2');
    expect((await partitionsOf('set.outcomes.dead')).map(({ replicas }) => replicas.length)).toEqual([2]);

    const unset = await openFromEnvironment(environment('unset.'));
    await unset.log.close(1_000);
    expect((await partitionsOf('unset.outcomes')).map(({ replicas }) => replicas.length)).toEqual([3, 3]);
    expect(await leastInSync('unset.outcomes')).toBe('1');
  });

  it('keep topics as they are, and the log names those that the settings would make otherwise', async () => {
    const before = { ...environment('kept.'), KAFKA_REPLICATION_FACTOR: '1' };
    const first = await openFromEnvironment(before);
    await first.log.close(1_000);
    const more = { ...before, KAFKA_PARTITIONS: '6', KAFKA_REPLICATION_FACTOR: '3' };
    const { log, said } = await openFromEnvironment(more);
    await log.close(1_000);
    const topics = expect.arrayContaining(['kept.deliveries', 'kept.outcomes']);
    expect(said.filter(({ level }) => level === 'warn')).toEqual([
      { level: 'warn', message: expect.stringContaining('KAFKA_PARTITIONS, 6'), fields: { topics } },
      { level: 'warn', message: expect.stringContaining('KAFKA_REPLICATION_FACTOR, 3'), fields: { topics } },
    ]);
    expect((await partitionsOf('kept.outcomes')).map(({ replicas }) => replicas.length)).toEqual([1, 1]);
  });

  it('acknowledge no batch of which a partition was never sent, since its leader died and another broker had answered', async () => {
    const settings = {
      ...environment('moved.'),
      KAFKA_PARTITIONS: '6',
      KAFKA_REPLICATION_FACTOR: '3',
      KAFKA_MIN_INSYNC_REPLICAS: '2',
    };
    const { log } = await openFromEnvironment(settings, { publishTimeoutMs: 40_000 });
    const arrived = await collect(log);
    const publish = (ids: readonly number[]): Promise<string> => {
      const records = ids.map((id) => ({ key: String(id), value: { delivery_id: id } }));
      return log.publish('deliveries', records).then(() => 'acknowledged', String);
    };
    const sixty = (from: number): number[] => Array.from({ length: 60 }, (_, index) => from + index);
    // The producer knows every leader.
    expect(await publish(sixty(1_000))).toBe('acknowledged');
    const [first] = await partitionsOf('moved.deliveries');
    const victim = cluster.brokers.find(({ id }) => id === first?.leader);
    if (victim === undefined) throw new Error('no broker leads the first partition');

    const ids = sixty(2_000);
    victim.freeze();
    const publishing = publish(ids);
    // The others have answered.
    await pause(systemClock, 1_500);
    await victim.kill();
    // As the relay does: what was refused is published again.
    if ((await publishing) !== 'acknowledged') await expect.poll(() => publish(ids)).toBe('acknowledged');
    await expect.poll(() => ids.filter((id) => !arrived.has(id))).toEqual([]);
    await log.close(1_000);
    await victim.restart();
  });

  it('lose nothing that was acknowledged where one is killed under load, and Broadside goes on without it', async () => {
    // Of one copy and on every broker: one of its partitions will have no leader.
    const somebodyElses = { topic: 'somebody-else', numPartitions: 3, replicationFactor: 1 };
    await ask((admin) => admin.createTopics({ topics: [somebodyElses], waitForLeaders: false }));
    const { log } = await openFromEnvironment({
      ...environment('killed.'),
      KAFKA_REPLICATION_FACTOR: '3',
      KAFKA_MIN_INSYNC_REPLICAS: '2',
      KAFKA_COMPRESSION: 'zstd',
    });
    const arrived = await collect(log);
    const publishing = Array.from({ length: 4 }, (_, lane) => publishSteadily(log, 1 + lane * 1_000_000));
    const total = () => publishing.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
    await expect.poll(() => arrived.size).toBeGreaterThan(100);

    // The worst one: it coordinates the reader group, and leads partitions.
    const [offsets] = await partitionsOf('__consumer_offsets');
    const victim = cluster.brokers.find(({ id }) => id === offsets?.leader);
    if (victim === undefined) throw new Error('no broker leads __consumer_offsets');
    await victim.kill();
    const killedAt = total();
    await expect.poll(total).toBeGreaterThan(killedAt + 100);
    const before = arrived.size;
    await expect.poll(() => arrived.size).toBeGreaterThan(before + 100);
    await expect.poll(() => log.ping()).toBe(true);

    await victim.restart();
    await pause(systemClock, 500);
    await Promise.all(publishing.map((each) => each.stop()));
    await expect.poll(() => publishing.flatMap((each) => missing(each, arrived))).toEqual([]);
    await log.close(1_000);
  });
});
