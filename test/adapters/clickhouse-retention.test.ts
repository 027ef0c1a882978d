// tier: system, clickhouse
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAnalytics } from '../../engine/adapters/clickhouse/analytics.ts';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { openClickHouse } from '../../engine/adapters/clickhouse/client.ts';
import { createEventStore } from '../../engine/adapters/clickhouse/event-store.ts';
import { migrateClickHouse } from '../../engine/adapters/clickhouse/migrate.ts';
import { createOutcomeStore } from '../../engine/adapters/clickhouse/outcome-store.ts';
import { attemptsKeptDays, keepRawRows } from '../../engine/adapters/clickhouse/retention.ts';
import type { AppId, DeliveryId } from '../../engine/contract/ids.ts';
import { dayBefore } from '../support/analytics-rows.ts';
import { buildBlockOutcomes } from '../support/block-outcomes.ts';
import { startClickHouseBridge } from '../support/clickhouse-bridge/bridge.ts';
import { buildEvent } from '../support/reported-events.ts';
import { openTestClickHouse } from '../support/test-clickhouse.ts';

const bridge = await startClickHouseBridge();
afterAll(() => bridge.stop());

const server = { username: 'default', password: '', requestTimeoutMs: 30_000, maxConnections: 4 };
const database = 'retention';
describeRetention('embedded', openTestClickHouse);
describeRetention('over HTTP', () => openClickHouse({ kind: 'http', url: bridge.url, ...server, database }));

function describeRetention(home: string, open: () => Promise<ClickHouse>): void {
  describe(`single attempts and events ${home}`, () => {
    const DAY_MS = 86_400_000;
    const ago = (days: number): number => Date.now() - days * DAY_MS;
    let clickhouse: ClickHouse;
    beforeAll(async () => {
      clickhouse = await open();
      await migrateClickHouse(clickhouse);
    });
    afterAll(() => clickhouse.close());

    async function rows<Row>(query: string): Promise<Row[]> {
      return (await clickhouse.client.query({ query, format: 'JSONEachRow' })).json<Row>();
    }
    async function countRaw(app: number): Promise<Record<string, number>> {
      const of = (table: string) =>
        `toUInt32((SELECT count() FROM ${table} WHERE app_id = ${app})) AS ${table}`;
      const [counted] = await rows<Record<string, number>>(`SELECT ${of('outcomes')}, ${of('events')}`);
      return counted ?? {};
    }
    async function merge(): Promise<void> {
      for (const table of ['outcomes', 'events'])
        await clickhouse.client.command({ query: `OPTIMIZE TABLE ${table} FINAL` });
    }
    /** Delivery 1 long ago, delivery 2 now: ten accepted of each, of whom two clicked. */
    async function insert(app: number, token: string, longAgoMs: number): Promise<void> {
      const given = [
        { deliveryId: 1, atMs: longAgoMs },
        { deliveryId: 2, atMs: Date.now() },
      ];
      const blocks = given.map(({ deliveryId, atMs }) => ({
        ...buildBlockOutcomes({ appId: app, deliveryId, targets: 10 }),
        atMs,
      }));
      const clicks = given.flatMap(({ deliveryId: delivery_id, atMs: at }) =>
        [3, 4].map((seq) => buildEvent({ app_id: app, delivery_id, seq, at })),
      );
      await createOutcomeStore(clickhouse).insertOutcomes(blocks, token);
      await createEventStore(clickhouse).insertEvents(clicks, token);
    }
    /** Everything that dashboards ask of the roll-ups. */
    async function readRollUps(appId: number) {
      const analytics = createAnalytics(clickhouse);
      const app = appId as AppId;
      return {
        days: await analytics.serviceDays(app, dayBefore(5_000), dayBefore(0)),
        ended: await analytics.endedFrom(app, 1 as DeliveryId, 10),
        reactions: await analytics.reactionsSince(app, dayBefore(5_000), 10),
        byDelivery: await analytics.deliveryClicks(app, [1, 2] as DeliveryId[]),
        since: await analytics.clicksSince(app, dayBefore(5_000), 10),
        bySubscription: await analytics.subscriptionClicks(app, [3, 4, 5]),
        attempts: (await analytics.deliveryTotals(app, 1 as DeliveryId)).attempts,
      };
    }

    it('are kept forever without a retention setting', async () => {
      expect(await attemptsKeptDays(clickhouse)).toBeNull();
    });

    it('go after their days, and every roll-up stays as it was', async () => {
      await keepRawRows(clickhouse, 90);
      expect(await attemptsKeptDays(clickhouse)).toBe(90);
      await insert(1, 'first', ago(400));
      const before = await readRollUps(1);
      expect(before.days.map(({ accepted }) => accepted)).toEqual([10, 10]);
      expect([...before.byDelivery.values()]).toEqual([2, 2]);
      await merge();
      expect(await countRaw(1)).toEqual({ outcomes: 10, events: 2 });
      expect(await readRollUps(1)).toEqual(before);
    });

    it('leave nothing of a delivery’s attempts, and report its subscribers as unknown', async () => {
      const analytics = createAnalytics(clickhouse);
      const totals = (delivery: number) => analytics.deliveryTotals(1 as AppId, delivery as DeliveryId);
      expect(await totals(1)).toEqual({ attempts: { accepted: 10 }, acceptedSubscribers: null });
      expect(await totals(2)).toEqual({ attempts: { accepted: 10 }, acceptedSubscribers: 10 });
      expect(await analytics.attemptsOf(1 as AppId, 1 as DeliveryId, 3, 10)).toEqual([]);
      expect(await analytics.attemptsOf(1 as AppId, 2 as DeliveryId, 3, 10)).toHaveLength(1);
    });

    it('count once when their batch is repeated, also after they expired; and a late one counts', async () => {
      await insert(2, 'again', ago(400));
      const once = await readRollUps(2);
      await insert(2, 'again', ago(400));
      await merge();
      await insert(2, 'again', ago(400));
      expect(await readRollUps(2)).toEqual(once);
      expect(await countRaw(2)).toEqual({ outcomes: 10, events: 2 });
      await createEventStore(clickhouse).insertEvents(
        [buildEvent({ app_id: 2, seq: 5, at: ago(399) })],
        'late',
      );
      await merge();
      expect((await readRollUps(2)).byDelivery.get(1 as DeliveryId)).toBe(3);
    });

    it('are not gone through again where the days stay the same, also from several processes', async () => {
      await Promise.all([1, 2, 3].map(() => keepRawRows(clickhouse, 60)));
      const changes = () =>
        rows('SELECT mutation_id FROM system.mutations WHERE database = currentDatabase()');
      const before = await changes();
      await keepRawRows(clickhouse, 60);
      expect(await changes()).toEqual(before);
      expect(await attemptsKeptDays(clickhouse)).toBe(60);
    });

    it('lie in parts by the month, of which none is rewritten for its oldest rows; roll-ups never expire', async () => {
      const tables = await rows<{ name: string; partition_key: string; text: string }>(
        `SELECT name, partition_key, create_table_query AS text FROM system.tables
         WHERE database = currentDatabase() AND name IN ('outcomes', 'events', 'outcomes_by_day', 'events_by_day')`,
      );
      const partitioning = tables.map(({ name, partition_key, text }) => [
        name,
        partition_key,
        text.includes('ttl_only_drop_parts = 1') && text.includes(' TTL '),
      ]);
      expect(partitioning.toSorted()).toEqual([
        ['events', 'toYYYYMM(at)', true],
        ['events_by_day', 'toYYYYMM(day)', false],
        ['outcomes', 'toYYYYMM(at)', true],
        ['outcomes_by_day', 'toYYYYMM(day)', false],
      ]);
    });
  });
}
