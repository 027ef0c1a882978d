// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  countOutboxRows,
  countRefusedRows,
  createRelayStep,
  putBackRefused,
  readOutboxAge,
} from '../../engine/adapters/postgres/relay.ts';
import { systemClock } from '../../engine/contract/concurrency/clock.ts';
import type { Log } from '../../engine/contract/log.ts';
import { publishApart, RecordsRefused } from '../../engine/contract/records-refused.ts';
import type { TopicValue } from '../../engine/contract/topics.ts';
import { buildApp, buildDelivery, readDelivery } from '../support/builders.ts';
import { createMemoryLog } from '../support/memory-log/log.ts';
import { createMemoryStore, type MemoryStore } from '../support/memory-log/store.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { watchedDatabase } from '../support/watched-database.ts';

describe('the relay from the outbox to the log', () => {
  let test: TestDatabase;
  let store: MemoryStore;
  let log: Log;

  beforeEach(async () => {
    test = await createTestDatabase();
    store = createMemoryStore();
    log = createMemoryLog({ store, clock: systemClock });
  });
  afterEach(() => test.drop());

  const stepWith = (given: { log?: Log; perBatch?: number; delayMs?: number } = {}) =>
    createRelayStep(test.database, given.log ?? log, {
      topics: ['deliveries', 'shards.bulk', 'outcomes'],
      outcomesPerBatch: given.perBatch ?? 3,
      outcomesDelayMs: given.delayMs ?? 0,
    });

  const addShardRows = (count: number) =>
    test.database.query(
      `INSERT INTO outbox (topic, key, value)
       SELECT 'shards.bulk', n::text, jsonb_build_object('shard_id', n, 'delivery_id', 1, 'app_id', 1)
       FROM generate_series(1, $1) n`,
      [count],
    );
  const addOutcomes = (count: number) =>
    test.database.query(
      `INSERT INTO outbox (topic, key, packed) SELECT 'outcomes', '1', decode(lpad(n::text, 4, '0'), 'hex') FROM generate_series(1, $1) n`,
      [count],
    );
  const rowsLeft = async () => (await test.database.query('SELECT 1 FROM outbox')).length;

  const published = <T extends 'shards.bulk' | 'outcomes'>(topic: T): TopicValue<T>[] =>
    store.take(topic, 1_000).map(({ text }) => JSON.parse(text));

  it('publishes rows in their order and deletes them', async () => {
    await addShardRows(5);
    expect(await stepWith()()).toBe(5);
    expect(published('shards.bulk').map(({ shard_id }) => shard_id)).toEqual([1, 2, 3, 4, 5]);
    expect(await rowsLeft()).toBe(0);
    expect(await stepWith()()).toBe(0);
  });

  it('asks Postgres once where the outbox is empty, and begins a transaction only for topics that have rows', async () => {
    const calls: string[] = [];
    const watched = watchedDatabase(test.database, calls);
    const step = createRelayStep(watched, log, {
      topics: ['deliveries.breaking', 'deliveries', 'shards.breaking', 'shards.bulk', 'outcomes'],
      ...{ outcomesPerBatch: 3, outcomesDelayMs: 0 },
    });
    expect(await step()).toBe(0);
    expect(calls).toEqual(['query']);
    await addShardRows(2);
    expect(await step()).toBe(2);
    expect(calls).toEqual(['query', 'query', 'transaction']);
  });

  it('moves a delivery to queued once the log has it', async () => {
    const { id } = await buildApp(test.database);
    const deliveryId = await buildDelivery(test.database, id);
    await test.database.query(
      `INSERT INTO outbox (topic, key, value) VALUES ('deliveries', $1::text, jsonb_build_object('delivery_id', $1::bigint))`,
      [deliveryId],
    );
    await stepWith()();
    expect((await readDelivery(test.database, deliveryId)).status).toBe('queued');
  });

  it('keeps every row while the log is unavailable, and moves them when it is back', async () => {
    await addShardRows(3);
    store.setAway(true);
    await expect(stepWith()()).rejects.toThrow('unavailable');
    expect(await rowsLeft()).toBe(3);
    store.setAway(false);
    // The failed transaction's connection is closed, and its locks go once the server has noticed.
    await expect.poll(stepWith()).toBe(3);
  });

  it('sets aside what the log refuses for what it is, moves all others, and tries it again later', async () => {
    await addShardRows(4);
    await addOutcomes(7);
    const poison = new Set(['2']);
    let tooMany = 3;
    const refuses: Log = {
      ...log,
      publish: async (topic, records) => {
        const bad = records.flatMap(({ key, value }, index) =>
          poison.has(key) || ((value as { blocks?: unknown[] }).blocks?.length ?? 0) >= tooMany
            ? [index]
            : [],
        );
        const good = records.filter((_, index) => !bad.includes(index));
        await log.publish(topic, good);
        if (bad.length > 0) throw new RecordsRefused(bad, new Error('too large'));
      },
    };
    const step = stepWith({ log: refuses });
    while ((await step()) > 0);
    expect(published('shards.bulk').map(({ shard_id }) => shard_id)).toEqual([1, 3, 4]);
    // A batch of three is too large; those after it are smaller.
    expect(published('outcomes').map(({ blocks }) => blocks.length)).toEqual([1, 1, 1, 1]);
    expect([await rowsLeft(), await countRefusedRows(test.database)]).toEqual([4, 4]);
    expect(await readOutboxAge(test.database)).toBe(0);
    // A shard that nobody ran is written again, and takes the place of the first.
    await test.database.query(
      `INSERT INTO outbox (topic, key, value) VALUES ('shards.bulk', '2', '{"shard_id": 2, "delivery_id": 1, "app_id": 1}')`,
    );
    await step();
    expect(await countRefusedRows(test.database)).toBe(4);
    expect(await putBackRefused(test.database, 60_000)).toBe(0);
    poison.clear();
    tooMany = 99;
    expect(await putBackRefused(test.database, 0)).toBe(4);
    while ((await step()) > 0);
    expect(published('shards.bulk').at(-1)?.shard_id).toBe(2);
    expect(published('outcomes').at(-1)?.blocks).toHaveLength(3);
    expect(await rowsLeft()).toBe(0);
  });

  it('sets hundreds of refused rows aside in turns of a bounded length, and tries them again a part at a time', async () => {
    await addShardRows(600);
    await addOutcomes(3);
    const tooLarge = new Error('too large');
    let requests = 0;
    let most = 0;
    const refuses: Log = {
      ...log,
      publish: async (topic, records) => {
        const before = requests;
        try {
          await publishApart(
            records,
            async (part) => {
              requests++;
              if (part.some(({ key }) => Number(key) % 50 > 0 && topic === 'shards.bulk')) throw tooLarge;
              await log.publish(topic, part);
            },
            (error) => error === tooLarge,
          );
        } finally {
          most = Math.max(most, requests - before);
        }
      },
    };
    const step = stepWith({ log: refuses });
    expect(await step()).toBeGreaterThan(0);
    expect(published('outcomes')).toHaveLength(1);
    while ((await step()) > 0);
    expect(most).toBeLessThan(60);
    const sent = published('shards.bulk').map(({ shard_id }) => shard_id);
    expect(sent).toEqual(Array.from({ length: 12 }, (_, n) => 50 * (n + 1)));
    expect([await rowsLeft(), await countRefusedRows(test.database)]).toEqual([588, 588]);
    expect(await putBackRefused(test.database, 0)).toBe(200);
    expect(await putBackRefused(test.database, 0)).toBe(200);
    expect(await putBackRefused(test.database, 0)).toBe(188);
  });

  it('moves the rows of other topics where one cannot be written', async () => {
    await addShardRows(2);
    await addOutcomes(3);
    const closed: Log = {
      ...log,
      publish: async (topic, records) => {
        if (topic === 'shards.bulk') throw new Error('not granted');
        return log.publish(topic, records);
      },
    };
    await expect(stepWith({ log: closed })()).rejects.toThrow('not granted');
    expect(published('outcomes')).toHaveLength(1);
    expect(await rowsLeft()).toBe(2);
  });

  it('publishes each row once where several relays run', async () => {
    await addShardRows(500);
    const steps = [stepWith(), stepWith(), stepWith()];
    for (let round = 0; round < 3; round++) await Promise.all(steps.map((step) => step()));
    const ids = published('shards.bulk').map(({ shard_id }) => shard_id);
    expect(ids).toHaveLength(500);
    expect(new Set(ids).size).toBe(500);
  });

  it('makes a batch of outcomes when enough rows are there, or the oldest has waited long enough', async () => {
    await addOutcomes(2);
    await stepWith({ delayMs: 60_000 })();
    expect(await rowsLeft()).toBe(2);
    await addOutcomes(1);
    await stepWith({ delayMs: 60_000 })();
    expect(published('outcomes').map(({ blocks }) => blocks.length)).toEqual([3]);
    await addOutcomes(1);
    await stepWith({ delayMs: 0 })();
    expect(published('outcomes').map(({ blocks }) => blocks.length)).toEqual([1]);
  });

  it('publishes the very same batch under the same name when it died before it could delete it', async () => {
    await addOutcomes(3);
    const diesAfterPublish: Log = {
      ...log,
      publish: async (topic, records) => {
        await log.publish(topic, records);
        throw new Error('the process died here');
      },
    };
    await expect(stepWith({ log: diesAfterPublish })()).rejects.toThrow('died');
    await addOutcomes(4);
    // Postgres may notice a little later that the first relay is gone: another batch goes first then.
    while ((await countOutboxRows(test.database)) > 0) await stepWith()();
    const batches = published('outcomes');
    const [first] = batches;
    expect(batches.filter(({ batch_id }) => batch_id === first?.batch_id)).toEqual([first, first]);
    expect(new Set(batches.map(({ batch_id }) => batch_id)).size).toBe(batches.length - 1);
    expect(batches.flatMap(({ blocks }) => blocks)).toHaveLength(3 + 3 + 4);
  });
});
