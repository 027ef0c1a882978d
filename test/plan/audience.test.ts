// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppId, DeliveryId } from '../../engine/contract/ids.ts';
import { buildApp, buildDelivery, readDelivery } from '../support/builders.ts';
import { planNow } from '../support/plan-now.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const rules = { match: 'all', conditions: [{ field: 'country', operator: 'in', values: ['PL'] }] };

describe('planning an audience', () => {
  let test: TestDatabase;
  let appId: AppId;
  let deliveryId: DeliveryId;

  beforeEach(async () => {
    test = await createTestDatabase();
    appId = (await buildApp(test.database, { subscribers: 3_000 })).id;
    await test.database.query(`UPDATE subscriptions SET country = 'PL' WHERE seq BETWEEN 2000 AND 2099`);
    deliveryId = await buildDelivery(test.database, appId);
  });
  afterEach(() => test.drop());

  const plan = () => planNow(test.database, deliveryId, 10);
  const setSegment = (value: unknown, ofApp: AppId = appId) =>
    test.database.query(
      `WITH made AS (INSERT INTO segments (app_id, name, rules) VALUES ($3, 'Poland', $2) RETURNING id)
       UPDATE deliveries SET segment_id = made.id FROM made WHERE deliveries.id = $1`,
      [deliveryId, JSON.stringify(value), ofApp],
    );
  const audience = async () => {
    const [row] = await test.database.query<{ audience: { at: string } | null }>(
      'SELECT audience FROM deliveries WHERE id = $1',
      [deliveryId],
    );
    return row?.audience ?? null;
  };

  it('freezes the rules and the moment with the delivery, and plans the blocks that match', async () => {
    await setSegment(rules);
    const before = Date.now();
    expect(await plan()).toEqual({ kind: 'planned', shards: 1, targets: 100 });
    const frozen = await audience();
    expect(frozen).toEqual({ rules, category_id: null, at: expect.any(String), zone: 'UTC' });
    expect(Math.abs(Date.parse(frozen?.at ?? '') - before)).toBeLessThan(60_000);
    expect(await test.database.query('SELECT blocks, planned_targets FROM shards ORDER BY number')).toEqual([
      { blocks: [1, 2], planned_targets: 100 },
    ]);
    expect((await readDelivery(test.database, deliveryId)).total_subscribers).toBe(100);
  });

  it('takes the rules as they are at that moment, not as they were when the delivery was created', async () => {
    await setSegment(rules);
    const changed = { match: 'all', conditions: [{ field: 'country', operator: 'not_in', values: ['PL'] }] };
    await test.database.query('UPDATE segments SET rules = $1', [JSON.stringify(changed)]);
    expect(await plan()).toMatchObject({ targets: 2_900 });
  });

  it('is nobody for an engine that does not know corrections, which name a segment that is not there', async () => {
    await test.database.query('UPDATE deliveries SET segment_id = 0 WHERE id = $1', [deliveryId]);
    await expect(plan()).rejects.toThrow(RangeError);
    expect(await test.database.query('SELECT 1 FROM shards')).toEqual([]);
  });

  it('keeps nothing where it is everyone', async () => {
    expect(await plan()).toMatchObject({ targets: 3_000 });
    expect(await audience()).toBeNull();
  });

  it.each([true, false])(
    'freezes the category, and that subscribers who never stated any are in it (the old flag of the app: %s)',
    async (flag) => {
      await test.database.query('UPDATE apps SET uses_categories = $1', [flag]);
      await test.database.query('UPDATE deliveries SET delivery_category_id = 4');
      await test.database.query(
        `UPDATE subscriptions SET category_ids = CASE WHEN seq < 10 THEN ARRAY[4] WHEN seq < 30 THEN ARRAY[5]
           ELSE ARRAY[]::integer[] END WHERE seq < 60`,
      );
      expect(await plan()).toMatchObject({ targets: 2_950 });
      expect(await audience()).toMatchObject({ rules: null, category_id: 4, never_stated: 'receive' });
    },
  );

  it('refuses rules that the API never accepts, those of another app, and missing ones: never selects everyone instead', async () => {
    await setSegment({ match: 'all', conditions: [] });
    await expect(plan()).rejects.toThrow(RangeError);
    await setSegment(rules, (await buildApp(test.database)).id);
    await expect(plan()).rejects.toThrow(RangeError);
    await test.database.query('UPDATE deliveries SET segment_id = 999999');
    await expect(plan()).rejects.toThrow(RangeError);
    expect((await readDelivery(test.database, deliveryId)).status).toBe('pending');
    expect(await test.database.query('SELECT 1 FROM shards')).toEqual([]);
  });
});
