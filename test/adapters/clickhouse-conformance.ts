import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAnalytics } from '../../engine/adapters/clickhouse/analytics.ts';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { clickHouseErrorCode, isDataRefusal } from '../../engine/adapters/clickhouse/errors.ts';
import { migrateClickHouse } from '../../engine/adapters/clickhouse/migrate.ts';
import { createOutcomeStore } from '../../engine/adapters/clickhouse/outcome-store.ts';
import type { AppId, DeliveryId } from '../../engine/contract/ids.ts';
import { failureCode, outcomeCode } from '../../engine/contract/outcome.ts';
import { buildBlockOutcomes } from '../support/block-outcomes.ts';
import { describeEvents } from './clickhouse-events-conformance.ts';

/** The behaviour that both homes of ClickHouse share. */
export function describeClickHouse(home: string, open: () => Promise<ClickHouse>): void {
  describe(`ClickHouse ${home}`, () => {
    let clickhouse: ClickHouse;
    beforeAll(async () => {
      clickhouse = await open();
      await migrateClickHouse(clickhouse);
    });
    afterAll(() => clickhouse.close());

    async function rows<Row>(query: string, query_params: Record<string, unknown> = {}): Promise<Row[]> {
      const answer = await clickhouse.client.query({ query, query_params, format: 'JSONEachRow' });
      return answer.json<Row>();
    }

    /** Attempts of the app, in the table and in the roll-up. */
    async function counted(appId: number): Promise<{ table: number; rollUp: number }> {
      const [count] = await rows<{ table: string; roll_up: string }>(
        `SELECT (SELECT count() FROM outcomes WHERE app_id = {app:UInt32}) AS table,
           (SELECT sum(attempts) FROM outcomes_by_day WHERE app_id = {app:UInt32}) AS roll_up`,
        { app: appId },
      );
      return { table: Number(count?.table), rollUp: Number(count?.roll_up) };
    }

    const errorOf = (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => 'no error',
        (error: unknown) => error,
      );

    it('answers a ping', async () => {
      expect(await clickhouse.ping()).toBe(true);
    });

    it('migrates a migrated database without a change, also several at once', async () => {
      const tables = () =>
        rows('SELECT name, create_table_query FROM system.tables WHERE database = currentDatabase()');
      const before = await tables();
      await Promise.all([1, 2, 3].map(() => migrateClickHouse(clickhouse)));
      expect(await tables()).toEqual(before);
      expect(before.length).toBeGreaterThanOrEqual(4);
    });

    it('keeps every value of an outcome', async () => {
      const store = createOutcomeStore(clickhouse);
      const block = {
        ...buildBlockOutcomes({
          appId: 4_294_967_295,
          deliveryId: 2 ** 53 - 1,
          block: 4_194_303,
          targets: 2,
        }),
        attempt: 300,
        atMs: Date.UTC(2026, 1, 3, 4, 5, 6, 7),
        outcomes: Uint8Array.of(outcomeCode.accepted, outcomeCode.unreachable),
        failures: Uint8Array.of(failureCode.none, failureCode.unknown),
        statuses: Uint16Array.of(201, 0),
        services: Uint8Array.of(1, 4),
        latenciesMs: Uint16Array.of(65_535, 0),
      };
      expect(await store.insertOutcomes([block], 'every-value')).toEqual({ kind: 'inserted', rows: 2 });
      const common = { attempt: 255, at: '2026-02-03 04:05:06.007', delivery_id: '9007199254740991' };
      expect(
        await rows(
          `SELECT toString(delivery_id) AS delivery_id, seq, outcome, failure, status, push_service,
             attempt, latency_ms, at FROM outcomes WHERE app_id = 4294967295 ORDER BY seq`,
        ),
      ).toEqual([
        {
          ...common,
          seq: 4_294_966_272,
          outcome: 'accepted',
          failure: 'none',
          status: 201,
          push_service: 'fcm',
          latency_ms: 65_535,
        },
        {
          ...common,
          seq: 4_294_966_273,
          outcome: 'unreachable',
          failure: 'unknown',
          status: 0,
          push_service: 'apple',
          latency_ms: 0,
        },
      ]);
    });

    it('counts a repeated batch once, in the table and in the roll-up', async () => {
      const store = createOutcomeStore(clickhouse);
      const batch = [0, 1, 2].map((block) => buildBlockOutcomes({ appId: 11, block, targets: 1_024 }));
      for (let time = 0; time < 3; time++) await store.insertOutcomes(batch, 'comes-again');
      expect(await counted(11)).toEqual({ table: 3_072, rollUp: 3_072 });
    });

    it('counts equal outcomes under two names twice, and a name never reaches the next insert', async () => {
      const store = createOutcomeStore(clickhouse);
      const batch = [buildBlockOutcomes({ appId: 12, targets: 100 })];
      await store.insertOutcomes(batch, 'first-name');
      await store.insertOutcomes(batch, 'second-name');
      expect(await counted(12)).toEqual({ table: 200, rollUp: 200 });
      const plain = `INSERT INTO outcomes (app_id, seq) SETTINGS async_insert = 0 VALUES (13, 1)`;
      await clickhouse.client.command({ query: plain });
      await clickhouse.client.command({ query: plain.replace('1)', '2)') });
      expect((await counted(13)).table).toBe(2);
    });

    it('counts batches inserted at the same time each once', async () => {
      const store = createOutcomeStore(clickhouse);
      const batches = [0, 1, 2, 3, 4, 5].map((block) => [
        buildBlockOutcomes({ appId: 14, block, targets: 500 }),
      ]);
      await Promise.all(
        [...batches, ...batches].map((batch) => store.insertOutcomes(batch, `at-once-${batch[0]?.block}`)),
      );
      expect(await counted(14)).toEqual({ table: 3_000, rollUp: 3_000 });
    });

    it('counts a batch over the end of a month, repeated, once', async () => {
      const store = createOutcomeStore(clickhouse);
      const batch = [Date.UTC(2026, 2, 31, 23, 59, 59, 999), Date.UTC(2026, 3, 1)].map((atMs, block) => ({
        ...buildBlockOutcomes({ appId: 15, block, targets: 10 }),
        atMs,
      }));
      await store.insertOutcomes(batch, 'two-months');
      await store.insertOutcomes(batch, 'two-months');
      expect(await counted(15)).toEqual({ table: 20, rollUp: 20 });
      const days = await createAnalytics(clickhouse).serviceDays(15 as AppId, '2026-03-31', '2026-04-01');
      expect(days.map(({ day, accepted }) => [day, accepted])).toEqual([
        ['2026-03-31', 10],
        ['2026-04-01', 10],
      ]);
    });

    it('sums what a delivery took at each push service: requests that went out, and how long their answers took', async () => {
      const store = createOutcomeStore(clickhouse);
      const block = (attempt: number, codes: readonly number[], ms: number) => ({
        ...buildBlockOutcomes({ appId: 26, deliveryId: 7, targets: 4 }),
        attempt,
        outcomes: Uint8Array.from(codes),
        services: Uint8Array.of(1, 1, 1, 2),
        latenciesMs: Uint16Array.of(ms, ms, ms, ms),
      });
      const { accepted, throttled, expired, unsent } = outcomeCode;
      await store.insertOutcomes([block(1, [accepted, throttled, unsent, accepted], 100)], 'costs-1');
      await store.insertOutcomes([block(2, [unsent, accepted, expired, unsent], 40)], 'costs-2');
      const costs = await createAnalytics(clickhouse).serviceCosts(26 as AppId, 7 as DeliveryId);
      expect(costs).toEqual([
        { service: 'fcm', requests: 3, answerMs: 80 },
        { service: 'mozilla', requests: 1, answerMs: 100 },
      ]);
    });

    it('takes 262,144 outcomes in one insert, and the same again without a change', async () => {
      const store = createOutcomeStore(clickhouse);
      const batch = Array.from({ length: 256 }, (_, block) =>
        buildBlockOutcomes({ appId: 16, block, targets: 1_024 }),
      );
      await store.insertOutcomes(batch, 'large');
      await store.insertOutcomes(batch, 'large');
      expect(await counted(16)).toEqual({ table: 262_144, rollUp: 262_144 });
    });

    it('inserts nothing for a batch without outcomes', async () => {
      const store = createOutcomeStore(clickhouse);
      const empty = buildBlockOutcomes({ appId: 17, targets: 0 });
      expect(await store.insertOutcomes([empty], 'empty')).toEqual({ kind: 'inserted', rows: 0 });
      expect((await counted(17)).table).toBe(0);
    });

    it('refuses a token that could end its quotes', async () => {
      const store = createOutcomeStore(clickhouse);
      const batch = [buildBlockOutcomes({ appId: 18, targets: 1 })];
      await expect(store.insertOutcomes(batch, `x', async_insert = 1 --`)).rejects.toThrow(
        'not a deduplication token',
      );
    });

    it('passes parameters as values, whatever they contain', async () => {
      const text = `it's a \\ "test"\t\n; DROP TABLE outcomes -- é 📣`;
      const given = { text, number: 2 ** 53 - 1, list: [1, 2, 3], words: ["a'b", 'c\\d'] };
      expect(
        await rows(
          `SELECT {text:String} AS text, toString({number:UInt64}) AS number,
             {list:Array(UInt32)} AS list, {words:Array(String)} AS words`,
          given,
        ),
      ).toEqual([{ text, number: '9007199254740991', list: [1, 2, 3], words: given.words }]);
    });

    it('keeps parameters of statements that run at the same time apart', async () => {
      const asked = Array.from({ length: 20 }, (_, n) => n);
      const answers = await Promise.all(
        asked.map((n) => rows<{ n: number }>('SELECT {n:UInt32} AS n, sleepEachRow(0.01)', { n })),
      );
      expect(answers.map(([row]) => row?.n)).toEqual(asked);
    });

    it('reports ClickHouse’s refusals by code', async () => {
      const command = (query: string) => errorOf(clickhouse.client.command({ query }));
      expect(clickHouseErrorCode(await command('SELEC 1'))).toBe(62);
      expect(clickHouseErrorCode(await command('SELECT * FROM no_such_table'))).toBe(60);
      expect(clickHouseErrorCode(await command(`SELECT throwIf(1, 'stop')`))).toBe(395);
      expect(clickHouseErrorCode(new Error('Code: 60'))).toBeNull();
      expect(isDataRefusal(await command(`INSERT INTO outcomes (app_id) SELECT 'no number'`))).toBe(true);
      expect(isDataRefusal(await command('SELECT * FROM no_such_table'))).toBe(false);
    });

    it('throws for rows that ClickHouse will never take', async () => {
      const store = createOutcomeStore(clickhouse);
      const batch = [{ ...buildBlockOutcomes({ appId: 19, targets: 1 }), outcomes: Uint8Array.of(99) }];
      await expect(store.insertOutcomes(batch, 'never')).rejects.toThrow();
    });

    it('gives the totals of a delivery: attempts by outcome, and each accepted subscriber once', async () => {
      const store = createOutcomeStore(clickhouse);
      const first = buildBlockOutcomes({ appId: 20, deliveryId: 5, targets: 10 });
      const failing = {
        ...first,
        outcomes: first.outcomes.with(0, outcomeCode.throttled).with(1, outcomeCode.gone),
      };
      const again = buildBlockOutcomes({ appId: 20, deliveryId: 5, targets: 3 });
      await store.insertOutcomes([failing], 'totals-1');
      await store.insertOutcomes([again], 'totals-2');
      await store.insertOutcomes([buildBlockOutcomes({ appId: 20, deliveryId: 6, targets: 4 })], 'totals-3');
      const analytics = createAnalytics(clickhouse);
      expect(await analytics.deliveryTotals(20 as AppId, 5 as DeliveryId)).toEqual({
        attempts: { accepted: 11, throttled: 1, gone: 1 },
        acceptedSubscribers: 10,
      });
      expect(await analytics.deliveryTotals(21 as AppId, 5 as DeliveryId)).toEqual({
        attempts: {},
        acceptedSubscribers: 0,
      });
    });

    it('counts messages by day and push service once, however often they were tried', async () => {
      const store = createOutcomeStore(clickhouse);
      const at = Date.UTC(2026, 2, 1, 23, 59, 59, 999);
      const services = Uint8Array.from({ length: 6 }, (_, index) => (index < 4 ? 1 : 2));
      const block = { ...buildBlockOutcomes({ appId: 25, deliveryId: 5, targets: 6 }), services, atMs: at };
      const first = [
        ...[outcomeCode.accepted, outcomeCode.gone, outcomeCode.throttled, outcomeCode.unreachable],
        ...[outcomeCode.rejected, outcomeCode.throttled],
      ];
      const settled = Uint8Array.of(2, 3, 5);
      const pick = <Values extends Uint8Array | Uint16Array | Uint32Array>(values: Values): Values =>
        values.filter((_, index) => settled.includes(index)) as Values;
      const again = {
        ...block,
        ...{ atMs: at + 1, attempt: 2, seqs: pick(block.seqs), services: pick(services) },
        ...{ failures: pick(block.failures), statuses: pick(block.statuses) },
        latenciesMs: pick(block.latenciesMs),
        outcomes: Uint8Array.of(outcomeCode.accepted, outcomeCode.expired, outcomeCode.accepted),
      };
      await store.insertOutcomes([{ ...block, outcomes: Uint8Array.from(first) }], 'by-service-1');
      await store.insertOutcomes([again], 'by-service-2');
      await store.insertOutcomes([again], 'by-service-2');
      await store.insertOutcomes(
        [buildBlockOutcomes({ appId: 26, deliveryId: 5, targets: 3 })],
        'by-service-3',
      );
      // Its own page counts a welcome: the app's days do not, the delivery itself does.
      const welcome = { ...buildBlockOutcomes({ appId: 25, deliveryId: 4, targets: 3 }), atMs: at };
      await store.insertOutcomes([{ ...welcome, welcome: true }], 'by-service-welcome-1');
      await store.insertOutcomes([{ ...welcome, block: 1, welcome: true }], 'by-service-welcome-2');
      const analytics = createAnalytics(clickhouse);
      expect(await analytics.deliveryTotals(25 as AppId, 4 as DeliveryId)).toMatchObject({
        attempts: { accepted: 6 },
      });
      const days = (firstDay: string, lastDay: string) =>
        analytics.serviceDays(25 as AppId, firstDay, lastDay);
      const [fcm, mozilla] = [{ service: 'fcm' }, { service: 'mozilla' }];
      const evening = [
        { day: '2026-03-01', ...fcm, accepted: 1, failed: 1, retried: 2, throttled: 1 },
        { day: '2026-03-01', ...mozilla, accepted: 0, failed: 1, retried: 1, throttled: 1 },
      ];
      const morning = [
        { day: '2026-03-02', ...fcm, accepted: 1, failed: 1, retried: 0, throttled: 0 },
        { day: '2026-03-02', ...mozilla, accepted: 1, failed: 0, retried: 0, throttled: 0 },
      ];
      expect(await days('2026-03-01', '2026-03-02')).toEqual([...evening, ...morning]);
      expect(await days('2026-03-02', '2026-03-05')).toEqual(morning);
      expect(await days('2026-03-03', '2026-03-05')).toEqual([]);
      const ended = (first: number, limit: number) =>
        analytics.endedFrom(25 as AppId, first as DeliveryId, limit);
      expect(await ended(5, 10)).toEqual(new Map([[5, { accepted: 3, failed: 3 }]]));
      expect(await ended(6, 10)).toEqual(new Map());
      expect(await ended(1, 0)).toEqual(new Map());
    });

    it('gives totals of a delivery that agree among each other while an insert has reached one table of two', async () => {
      const columns = 'app_id, delivery_id, seq, outcome, at';
      const total = async (delivery: number) =>
        createAnalytics(clickhouse).deliveryTotals(23 as AppId, delivery as DeliveryId);
      await createOutcomeStore(clickhouse).insertOutcomes(
        [5, 6].map((deliveryId) => buildBlockOutcomes({ appId: 23, deliveryId, targets: 100 })),
        'half-done-before',
      );
      const at = `toDateTime64('2026-02-03 04:05:06', 3, 'UTC')`;
      await clickhouse.client.command({ query: 'DETACH TABLE outcomes_to_day' });
      try {
        await clickhouse.client.command({
          query: `INSERT INTO outcomes (${columns}) SELECT 23, 5, 100 + number, 'accepted', ${at} FROM numbers(50)`,
        });
      } finally {
        await clickhouse.client.command({ query: 'ATTACH TABLE outcomes_to_day' });
      }
      await clickhouse.client.command({
        query: `INSERT INTO outcomes_by_day SELECT 23, 6, toDate('2026-02-03'), 'accepted', 'fcm', 50, 0`,
      });
      expect(await total(5)).toEqual({ attempts: { accepted: 150 }, acceptedSubscribers: 150 });
      expect(await total(6)).toEqual({ attempts: { accepted: 150 }, acceptedSubscribers: null });
    });

    it('gives totals of a delivery that agree among each other at every moment of its inserts', async () => {
      const store = createOutcomeStore(clickhouse);
      const analytics = createAnalytics(clickhouse);
      const ids = [24 as AppId, 5 as DeliveryId] as const;
      let inserted = false;
      const inserting = (async () => {
        for (let block = 0; block < 40; block++) {
          const batch = [buildBlockOutcomes({ appId: 24, deliveryId: 5, block, targets: 1_024 })];
          await store.insertOutcomes(batch, `moment-${block}`);
        }
        inserted = true;
      })();
      while (!inserted) {
        const { acceptedSubscribers, attempts } = await analytics.deliveryTotals(...ids);
        expect([attempts.accepted ?? 0, null]).toContain(acceptedSubscribers);
      }
      await inserting;
      expect(await analytics.deliveryTotals(...ids)).toEqual({
        attempts: { accepted: 40_960 },
        acceptedSubscribers: 40_960,
      });
    });

    it('lists the attempts at one subscription of a delivery, in the order of time', async () => {
      const store = createOutcomeStore(clickhouse);
      const first = buildBlockOutcomes({ appId: 22, deliveryId: 9, targets: 3 });
      const throttled = {
        ...first,
        atMs: Date.UTC(2026, 1, 3, 4, 5, 6, 7),
        outcomes: first.outcomes.with(1, outcomeCode.throttled),
        statuses: first.statuses.with(1, 429),
      };
      const again = { ...first, attempt: 2, atMs: Date.UTC(2026, 1, 3, 4, 5, 16) };
      await store.insertOutcomes([again, throttled], 'attempts-1');
      const { attemptsOf } = createAnalytics(clickhouse);
      const found = await attemptsOf(22 as AppId, 9 as DeliveryId, 1, 100);
      expect(found).toMatchObject([
        { attempt: 1, at: new Date(throttled.atMs), outcome: 'throttled', status: 429 },
        { attempt: 2, at: new Date(again.atMs), outcome: 'accepted', status: 201 },
      ]);
      expect(await attemptsOf(22 as AppId, 9 as DeliveryId, 1, 1)).toHaveLength(1);
      expect(await attemptsOf(22 as AppId, 8 as DeliveryId, 1, 100)).toEqual([]);
      expect(await attemptsOf(23 as AppId, 9 as DeliveryId, 1, 100)).toEqual([]);
    });

    describeEvents(() => clickhouse);

    // The last one: it leaves the database as no version of this code would.
    it('refuses a database that a newer version has migrated, in one line that says how to resolve it', async () => {
      await clickhouse.client.command({
        query: `INSERT INTO schema_migrations (name) SETTINGS async_insert = 0 VALUES ('9999_from-the-future')`,
      });
      await expect(migrateClickHouse(clickhouse)).rejects.toThrow(/newer Broadside.*9999_from-the-future/);
    });
  });
}
