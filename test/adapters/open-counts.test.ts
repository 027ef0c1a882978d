// tier: postgres
import { expect, it } from 'vitest';
import { countOpenShards, countOpenTargets } from '../../engine/adapters/postgres/deliveries/open-counts.ts';
import { buildApp, buildDelivery } from '../support/builders.ts';
import { createTestDatabase } from '../support/postgres.ts';

it('counts the messages that are left in shards that have not ended, apart from those that a rate holds back', async () => {
  const test = await createTestDatabase();
  try {
    const app = await buildApp(test.database);
    const [free, paced] = [
      await buildDelivery(test.database, app.id),
      await buildDelivery(test.database, app.id),
    ];
    await test.database.query(`UPDATE deliveries SET rate_per_minute = 60 WHERE id = $1`, [paced]);
    await test.database.query(
      `INSERT INTO shards (delivery_id, app_id, number, blocks, planned_targets, state, accepted_count, failed_count)
       SELECT delivery, $1, number, '{0}', 1000, state, accepted, failed FROM (VALUES
         ($2::bigint, 0, 'planned', 0, 0), ($2, 1, 'planned', 0, 0), ($2, 2, 'released', 0, 0),
         ($2, 3, 'running', 700, 100), ($2, 4, 'waiting', 999, 0), ($2, 5, 'running', 1000, 200),
         ($2, 6, 'settled', 10, 0), ($3::bigint, 0, 'planned', 0, 0)) AS given (delivery, number, state, accepted, failed)`,
      [app.id, free, paced],
    );
    expect(await countOpenTargets(test.database)).toEqual({
      ...{ planned: 2_000, released: 1_000, running: 200, waiting: 1, paced: 1_000 },
    });
    expect(await countOpenShards(test.database)).toEqual({ planned: 3, released: 1, running: 2, waiting: 1 });
  } finally {
    await test.drop();
  }
});
