// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLate } from '../../engine/adapters/postgres/deliveries/late.ts';
import { readOutboxAge } from '../../engine/adapters/postgres/relay.ts';
import { buildApp, buildDelivery } from '../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.drop());

describe('how long due work has waited', () => {
  it('is 0 where nothing waits, or nothing is due', async () => {
    expect(await readOutboxAge(test.database)).toBe(0);
    const app = await buildApp(test.database);
    const id = await buildDelivery(test.database, app.id);
    await test.database.query(
      `UPDATE deliveries SET status = 'scheduled', scheduled_at = now() + interval '1 day' WHERE id = $1`,
      [id],
    );
    expect(await readLate(test.database)).toEqual({ start: 0 });
  });

  it('is the age of the oldest, by what it waits for', async () => {
    const app = await buildApp(test.database);
    const [scheduled, queued, running, later] = await Promise.all(
      Array.from({ length: 4 }, () => buildDelivery(test.database, app.id)),
    );
    const set = (id: unknown, fields: string) =>
      test.database.query(`UPDATE deliveries SET ${fields} WHERE id = $1`, [id]);
    await set(scheduled, `status = 'scheduled', scheduled_at = now() - interval '100 s'`);
    await set(later, `status = 'scheduled', scheduled_at = now() - interval '10 s'`);
    await set(queued, `status = 'queued', queued_at = now() - interval '200 s'`);
    await set(running, `status = 'processing'`);
    // A shard that waits for another attempt is late by no fault of an engine: a push service made it wait.
    await test.database.query(
      `INSERT INTO shards (delivery_id, app_id, number, blocks, planned_targets, state, due_at) VALUES
         ($1, $2, 0, '{0}', 1, 'running', now() - interval '300 s'),
         ($1, $2, 1, '{1}', 1, 'released', now() + interval '60 s'),
         ($1, $2, 2, '{2}', 1, 'waiting', now() - interval '900 s')`,
      [running, app.id],
    );
    await test.database.query(
      `INSERT INTO outbox (topic, key, value, created_at) VALUES
         ('deliveries', '1', '{}', now() - interval '50 s'), ('deliveries', '2', '{}', now())`,
    );
    const { start = 0, plan = 0, dispatch = 0 } = await readLate(test.database);
    const seconds = [start, plan, dispatch, await readOutboxAge(test.database)];
    for (const [index, expected] of [100, 200, 300, 50].entries()) {
      expect(seconds[index]).toBeGreaterThanOrEqual(expected);
      expect(seconds[index]).toBeLessThan(expected + 40);
    }
  });
});
