// tier: system
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClickHouse } from '../../../../engine/adapters/clickhouse/clickhouse.ts';
import { openClickHouse } from '../../../../engine/adapters/clickhouse/client.ts';
import { migrateClickHouse } from '../../../../engine/adapters/clickhouse/migrate.ts';
import { createKafkaLog } from '../../../../engine/adapters/kafka/log.ts';
import { freePort } from '../../../../engine/adapters/postgres/free-port.ts';
import { type ClickHouseBridge, startClickHouseBridge } from '../../../support/clickhouse-bridge/bridge.ts';
import { describeKafka } from '../../../support/kafka/describe-kafka.ts';
import { type KafkaBroker, startKafkaBroker } from '../../../support/kafka-broker.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres.ts';
import { examineWith, healthy } from './support.ts';

describe('broadside doctor at a ClickHouse server', () => {
  let db: TestDatabase;
  let bridge: ClickHouseBridge;
  let clickhouse: ClickHouse;
  const env = () => ({ ...healthy(db.url), CLICKHOUSE_URL: bridge.url });
  beforeAll(async () => {
    [db, bridge] = await Promise.all([createTestDatabase(), startClickHouseBridge()]);
    const access = { username: 'default', password: '', requestTimeoutMs: 30_000, maxConnections: 2 };
    clickhouse = await openClickHouse({ kind: 'http', url: bridge.url, database: 'broadside', ...access });
  });
  afterAll(async () => {
    await clickhouse?.close();
    await bridge?.stop();
    await db?.drop();
  });

  it('says that no role has made its tables yet, then that they are there', async () => {
    await clickhouse.createDatabase();
    expect((await examineWith(env())).wrong('clickhouse')).toMatchObject([
      { state: 'warning', mend: expect.stringContaining('Start a role') },
    ]);
    await migrateClickHouse(clickhouse);
    const { wrong, findings } = await examineWith(env());
    expect(wrong('clickhouse')).toEqual([]);
    expect(findings).toContainEqual(
      expect.objectContaining({ area: 'clock', text: 'this machine and ClickHouse agree on the time' }),
    );
    expect(findings).toContainEqual(
      expect.objectContaining({ area: 'disk', text: expect.stringContaining('ClickHouse’s fullest disk') }),
    );
  });

  it('names a table that is missing', async () => {
    await clickhouse.client.command({ query: 'RENAME TABLE clicks_by_subscriber TO lost' });
    expect((await examineWith(env())).wrong('clickhouse')).toMatchObject([
      { state: 'problem', text: 'tables are missing: clicks_by_subscriber' },
    ]);
    await clickhouse.client.command({ query: 'RENAME TABLE lost TO clicks_by_subscriber' });
  });

  it('names one that is away, and says that sending goes on', async () => {
    const away = { ...env(), CLICKHOUSE_URL: `http://127.0.0.1:${await freePort()}` };
    expect((await examineWith(away)).wrong('clickhouse')).toMatchObject([
      { state: 'problem', mend: expect.stringContaining('Sending goes on') },
    ]);
  });
});

describeKafka('broadside doctor at a Kafka broker', () => {
  let db: TestDatabase;
  let broker: KafkaBroker;
  const env = () => ({ ...healthy(db.url), LOG_BACKEND: 'kafka', KAFKA_BROKERS: broker.address });
  beforeAll(async () => {
    [db, broker] = await Promise.all([createTestDatabase(), startKafkaBroker()]);
  });
  afterAll(async () => {
    await broker?.stop();
    await db?.drop();
  });

  it('names topics that are missing without making them, and counts what waits', async () => {
    const prefix = 'doctor.';
    const given = { ...env(), KAFKA_TOPIC_PREFIX: prefix };
    for (let time = 0; time < 2; time++) {
      expect((await examineWith(given)).wrong('log')).toMatchObject([
        { state: 'problem', text: expect.stringContaining('topics are missing: doctor.deliveries.breaking') },
      ]);
    }
    const log = await createKafkaLog({ brokers: [broker.address], prefix });
    await log.publish('deliveries', [{ key: '1', value: { delivery_id: 1 } }]);
    await log.close(5_000);
    const { wrong, findings } = await examineWith(given);
    expect(wrong('log')).toEqual([]);
    expect(findings.find(({ area }) => area === 'log')?.text).toBe(
      'Kafka answers, brokers: 1; waiting: 1 on deliveries',
    );
    const larger = { ...given, KAFKA_PARTITIONS: '24' };
    expect((await examineWith(larger)).wrong('log')).toMatchObject([
      { state: 'warning', text: expect.stringContaining('fewer partitions or copies than set') },
    ]);
  });

  it('names a port that speaks otherwise, and one where nobody is', async () => {
    const tls = { ...env(), KAFKA_SECURITY_PROTOCOL: 'SSL' };
    expect((await examineWith(tls)).wrong('log')).toMatchObject([
      { state: 'problem', text: expect.stringMatching(/TLS/) },
    ]);
    const away = { ...env(), KAFKA_BROKERS: `127.0.0.1:${await freePort()}` };
    expect((await examineWith(away)).wrong('log')).toMatchObject([{ state: 'problem' }]);
  });
});
