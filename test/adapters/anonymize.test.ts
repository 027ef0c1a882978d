// tier: system, alone
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAnalytics } from '../../engine/adapters/clickhouse/analytics.ts';
import { createStatisticsChanges } from '../../engine/adapters/clickhouse/anonymize.ts';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { openClickHouse } from '../../engine/adapters/clickhouse/client.ts';
import { migrateClickHouse } from '../../engine/adapters/clickhouse/migrate.ts';
import { createOutcomeStore } from '../../engine/adapters/clickhouse/outcome-store.ts';
import type { AppId, DeliveryId } from '../../engine/contract/ids.ts';
import { buildBlockOutcomes } from '../support/block-outcomes.ts';

const path = await mkdtemp(join(tmpdir(), 'broadside-anonymize-'));
const key = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex');
let clickhouse: ClickHouse;
beforeAll(async () => {
  clickhouse = await openClickHouse({ kind: 'embedded', path, database: 'broadside' });
  await migrateClickHouse(clickhouse);
});
afterAll(async () => {
  await clickhouse.close();
  await rm(path, { recursive: true, force: true });
});

async function rows<Row>(query: string): Promise<Row[]> {
  return (await clickhouse.client.query({ query, format: 'JSONEachRow' })).json<Row>();
}

/** Outcomes and clicks of subscribers 0 to 9 for two deliveries; number 3 got one of them twice. */
async function fill(appId: number, token: string): Promise<void> {
  const store = createOutcomeStore(clickhouse);
  const block = (deliveryId: number, targets: number) => buildBlockOutcomes({ appId, deliveryId, targets });
  await store.insertOutcomes([block(1, 10), block(2, 10)], `${token}-1`);
  await store.insertOutcomes([block(1, 4)], `${token}-2`);
  await clickhouse.client.command({
    query: `INSERT INTO events (app_id, delivery_id, subscriber, type, event_id, at) SETTINGS async_insert = 0
      SELECT ${appId}, 1 + number % 2, intDiv(number, 4), 'clicked', toString(number),
        toDateTime64('2026-01-15 12:00:00', 3, 'UTC') + number % 3 * 86400 FROM numbers(40)`,
  });
}

/** Every number of a subscriber, in all tables that hold one. */
const numbersOf = async (appId: number): Promise<number[]> => {
  const found = await rows<{ number: string | number }>(
    `SELECT DISTINCT toString(seq) AS number FROM outcomes WHERE app_id = ${appId}
     UNION DISTINCT SELECT toString(subscriber) FROM events WHERE app_id = ${appId}
     UNION DISTINCT SELECT toString(arrayJoin(bitmapToArray(subscribers))) FROM events_by_day WHERE app_id = ${appId}
     UNION DISTINCT SELECT toString(seq) FROM clicks_by_subscriber WHERE app_id = ${appId}`,
  );
  return found.map(({ number }) => Number(number)).toSorted((a, b) => a - b);
};

const totalsOf = async (appId: number) => {
  const analytics = createAnalytics(clickhouse);
  const id = appId as AppId;
  return {
    deliveries: await Promise.all(
      [1, 2].map((delivery) => analytics.deliveryTotals(id, delivery as DeliveryId)),
    ),
    days: await analytics.serviceDays(id, '2026-01-01', '2026-12-31'),
    reactions: [...(await analytics.reactionsSince(id, '2026-01-01', 10))].toSorted(),
    byDelivery: [...(await analytics.deliveryClicks(id, [1, 2] as DeliveryId[]))].toSorted(),
  };
};

async function changed(begin: Promise<void>): Promise<void> {
  await begin;
  const changes = createStatisticsChanges(clickhouse);
  while (await changes.changing()) await delay(10);
}
const forget = (appId: number, seqs: readonly number[]) =>
  changed(
    createStatisticsChanges(clickhouse).makeAnonymous(
      seqs.map((seq) => ({ appId: appId as AppId, seq })),
      key,
    ),
  );
const first = 2 ** 63;

describe('making deleted subscriptions anonymous', () => {
  it('leaves no row that names them, and every total as it was', async () => {
    await fill(1, 'one');
    const before = await totalsOf(1);
    expect(before.deliveries[0]).toEqual({ attempts: { accepted: 14 }, acceptedSubscribers: 10 });
    expect(before.byDelivery.reduce((sum, [, clicks]) => sum + clicks, 0)).toBe(20);
    await forget(1, [3, 7]);
    const numbers = await numbersOf(1);
    expect(numbers.filter((number) => number < first)).toEqual([0, 1, 2, 4, 5, 6, 8, 9]);
    expect(numbers.filter((number) => number >= first)).toHaveLength(2);
    expect(await totalsOf(1)).toEqual(before);
  });

  it('gives late rows the same number, so that they count once', async () => {
    await fill(2, 'two');
    const before = await totalsOf(2);
    await forget(2, [3]);
    await clickhouse.client.command({
      query: `INSERT INTO events (app_id, delivery_id, subscriber, type, event_id, at) SETTINGS async_insert = 0
        VALUES (2, 1, 3, 'clicked', 'late', toDateTime64('2026-01-19 12:00:00', 3, 'UTC'))`,
    });
    await forget(2, [3]);
    expect((await numbersOf(2)).filter((number) => number >= first)).toHaveLength(1);
    expect(await totalsOf(2)).toEqual(before);
  });

  it('leaves the same number in another app alone', async () => {
    await fill(3, 'three');
    await forget(4, [0, 1, 2, 3]);
    expect(await numbersOf(3)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('takes as many at once as one change may name', async () => {
    await fill(5, 'five');
    await changed(
      createStatisticsChanges(clickhouse).makeAnonymous(
        Array.from({ length: 5_000 }, (_, n) => ({
          appId: (n === 0 ? 5 : 2_147_483_647 - (n % 7)) as AppId,
          seq: n === 0 ? 5 : 2_147_483_647 - n,
        })),
        key,
      ),
    );
    expect((await numbersOf(5)).filter((number) => number < first)).toEqual([0, 1, 2, 3, 4, 6, 7, 8, 9]);
  });
});

describe('the key that makes rows anonymous', () => {
  /** Files of ClickHouse that hold either half of the key, in digits or as bytes. */
  const filesWithKey = async (): Promise<string[]> => {
    const halves = [key.readBigUInt64BE(0), key.readBigUInt64BE(8)];
    const needles = [...halves.map((half) => Buffer.from(String(half))), key.subarray(0, 8), key.subarray(8)];
    const found: string[] = [];
    for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      // Merges remove files meanwhile.
      const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0));
      if (needles.some((needle) => bytes.includes(needle))) found.push(entry.name);
    }
    return found;
  };

  it('is in no file of ClickHouse once the change has ended and its text was dropped', async () => {
    const changes = createStatisticsChanges(clickhouse);
    await fill(9, 'nine');
    const before = await totalsOf(9);
    await forget(9, [3, 7]);
    expect(await filesWithKey()).not.toEqual([]);
    await changes.dropTexts();
    expect(await filesWithKey()).toEqual([]);
    expect(await totalsOf(9)).toEqual(before);
    expect((await numbersOf(9)).filter((number) => number >= first)).toHaveLength(2);
    await changes.dropTexts();
  });

  it('can be used again after its texts are gone, and a folder that was closed opens with every row as it was', async () => {
    await fill(10, 'ten');
    await forget(10, [3]);
    await createStatisticsChanges(clickhouse).dropTexts();
    const [numbers, totals] = [await numbersOf(10), await totalsOf(10)];
    await clickhouse.close();
    clickhouse = await openClickHouse({ kind: 'embedded', path, database: 'broadside' });
    expect([await numbersOf(10), await totalsOf(10)]).toEqual([numbers, totals]);
    await forget(10, [3, 4]);
    expect((await numbersOf(10)).filter((number) => number >= first)).toHaveLength(2);
  });
});

describe('deleting an app’s statistics', () => {
  it('leaves nothing of it in any table, and the others’ as it was', async () => {
    await fill(6, 'six');
    await fill(7, 'seven');
    const kept = await totalsOf(7);
    await changed(createStatisticsChanges(clickhouse).deleteApps([6 as AppId]));
    await changed(createStatisticsChanges(clickhouse).deleteApps([6 as AppId]));
    for (const table of Object.keys(namedIn)) {
      expect([table, await rows(`SELECT app_id FROM ${table} WHERE app_id = 6`)]).toEqual([table, []]);
    }
    expect(await totalsOf(7)).toEqual(kept);
  });

  it('lists in every table the columns that name a subscriber', async () => {
    const tables = await rows<{ name: string }>(
      `SELECT DISTINCT table AS name FROM system.columns AS columns JOIN system.tables AS tables
         ON tables.database = columns.database AND tables.name = columns.table
       WHERE columns.database = currentDatabase() AND columns.name = 'app_id' AND engine LIKE '%MergeTree' ORDER BY 1`,
    );
    // A table that is missing here keeps the numbers of deleted subscribers: add it to anonymize.ts.
    expect(tables.map(({ name }) => name)).toEqual(Object.keys(namedIn).toSorted());
  });
});

const namedIn: Readonly<Record<string, string | null>> = {
  outcomes: 'seq',
  outcomes_by_day: null,
  welcome_deliveries: null,
  events: 'subscriber',
  events_by_day: 'subscribers',
  clicks_by_subscriber: 'seq',
};
