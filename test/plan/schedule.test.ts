// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createReleaseStore } from '../../engine/adapters/postgres/plan/release-store.ts';
import { createScheduleStore } from '../../engine/adapters/postgres/plan/schedule-store.ts';
import type { AppId, DeliveryId } from '../../engine/contract/ids.ts';
import { createScheduleTick } from '../../engine/plan/schedule.ts';
import { buildApp, buildDelivery, readDelivery } from '../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const MINUTE_MS = 60_000;

describe('scheduled deliveries', () => {
  let test: TestDatabase;
  let appId: AppId;
  beforeEach(async () => {
    test = await createTestDatabase();
    appId = (await buildApp(test.database)).id;
  });
  afterEach(() => test.drop());

  const schedule = (minutesAgo: number, lane: 'bulk' | 'breaking' = 'bulk', from = Date.now()) =>
    buildDelivery(test.database, appId, {
      status: 'scheduled',
      lane,
      scheduledAt: new Date(from - minutesAgo * MINUTE_MS),
    });
  const scheduler = () =>
    createScheduleTick({
      store: createScheduleStore(test.database),
      release: createReleaseStore(test.database),
      wakeRelay: () => {},
    });
  const started = async (): Promise<DeliveryId[]> =>
    (
      await test.database.query<{ id: DeliveryId }>(
        `SELECT key::bigint AS id FROM outbox WHERE topic LIKE 'deliveries%' ORDER BY outbox.id`,
      )
    ).map(({ id }) => id);

  it('start in the order of their times after an outage, breaking ones first where equal', async () => {
    const from = Date.now();
    const late = await schedule(1, 'bulk', from);
    const bulk = await schedule(5, 'bulk', from);
    const breaking = await schedule(5, 'breaking', from);
    const first = await schedule(9, 'bulk', from);
    await scheduler()();
    expect(await started()).toEqual([first, breaking, bulk, late]);
  });

  it('go to the topic of their lane', async () => {
    const from = Date.now();
    await schedule(2, 'bulk', from);
    await schedule(1, 'breaking', from);
    await scheduler()();
    const rows = await test.database.query<{ topic: string }>(`SELECT topic FROM outbox ORDER BY id`);
    expect(rows.map(({ topic }) => topic)).toEqual(['deliveries', 'deliveries.breaking']);
  });

  it('go back to the topic of their lane when their message may be lost', async () => {
    for (const lane of ['bulk', 'breaking'] as const) {
      const id = await buildDelivery(test.database, appId, { status: 'queued', lane });
      await test.database.query(
        `UPDATE deliveries SET updated_at = now() - interval '6 minutes' WHERE id = $1`,
        [id],
      );
    }
    await scheduler()();
    await scheduler()();
    const rows = await test.database.query<{ topic: string }>(`SELECT topic FROM outbox ORDER BY id`);
    expect(rows.map(({ topic }) => topic)).toEqual(['deliveries', 'deliveries.breaking']);
  });

  it('start once each, with several schedulers at once', async () => {
    const from = Date.now();
    const ids: DeliveryId[] = [];
    for (let at = 0; at < 30; at++) ids.push(await schedule(40 - at, 'bulk', from));
    const ticks = Array.from({ length: 5 }, scheduler);
    await Promise.all(ticks.map((tick) => tick()));
    await Promise.all(ticks.map((tick) => tick()));
    expect((await started()).toSorted((a, b) => a - b)).toEqual(ids);
  });

  it('are not lost, nor started twice, by a scheduler that stops between the two halves of its work', async () => {
    const id = await schedule(1);
    await expect(
      test.database.transaction(async (sql) => {
        const dying = createScheduleStore({ ...test.database, ...sql });
        expect(await dying.startDueDeliveries(10)).toBe(1);
        // While it holds the delivery, others pass it over.
        expect(await createScheduleStore(test.database).startDueDeliveries(10)).toBe(0);
        throw new Error('stopped before the commit');
      }),
    ).rejects.toThrow('stopped before the commit');
    expect((await readDelivery(test.database, id)).status).toBe('scheduled');
    const next = scheduler();
    await next();
    await next();
    expect(await started()).toEqual([id]);
  });

  it('stay where they are before their time', async () => {
    const id = await schedule(-1);
    await scheduler()();
    expect(await started()).toEqual([]);
    expect((await readDelivery(test.database, id)).status).toBe('scheduled');
  });
});
