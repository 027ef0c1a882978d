import { afterAll, beforeAll, expect, it } from 'vitest';
import { createShardStore } from '../../engine/adapters/postgres/dispatch/shard-store.ts';
import { isQuiet } from '../../engine/contract/reader-wishes.ts';
import { buildApp, buildDelivery, buildSubscriptions, testSealer } from '../support/builders.ts';
import { planNow } from '../support/plan-now.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const named = {
  rules: null,
  category_id: null,
  at: '2026-01-01T00:00:00Z',
  part: { kind: 'named', seqs: [0] },
};

it.each<[name: string, changes: Readonly<Record<string, unknown>>, heeded: string]>([
  ['a bulk delivery heeds all', {}, 'all'],
  ['one that ignores the frequency cap, too', { ignore_frequency_cap: true }, 'all'],
  ['breaking news comes in quiet hours', { lane: 'breaking' }, 'all-but-quiet-hours'],
  ['a correction passes', { corrects_delivery_id: 1 }, 'none'],
  ['a test passes', { audience: JSON.stringify(named) }, 'none'],
  ['no block looks for any where the app has none', { has_wishes: false }, 'none'],
])('%s', async (_name, { has_wishes = true, ...changes }, heeded) => {
  const { database } = test;
  const { id: appId } = await buildApp(database);
  await buildSubscriptions(database, appId, 1);
  await database.query('UPDATE apps SET has_wishes = $2 WHERE id = $1', [appId, has_wishes]);
  const corrected = await buildDelivery(database, appId);
  const id = await buildDelivery(database, appId);
  await planNow(database, id, 1);
  for (const [column, value] of Object.entries(changes))
    await database.query(`UPDATE deliveries SET ${column} = $2 WHERE id = $1`, [
      id,
      column === 'corrects_delivery_id' ? corrected : value,
    ]);
  const [shard] = await database.query<{ id: never }>(
    `UPDATE shards SET state = 'released' WHERE delivery_id = $1 RETURNING id`,
    [id],
  );
  const leased = await createShardStore(database, testSealer).lease(shard?.id as never, 'engine-1', 10_000);
  expect(leased?.wishes).toBe(heeded);
});

it.each([
  ['22:00', '07:00', '22:00', true],
  ['22:00', '07:00', '06:59', true],
  ['22:00', '07:00', '07:00', false],
  ['13:00', '14:00', '12:59', false],
  ['13:00', '14:00', '13:30', true],
  ['13:00', '13:00', '13:00', false],
] as const)('from %s to %s, %s is quiet: %s', (from, to, time, quiet) => {
  expect(isQuiet({ from, to }, time)).toBe(quiet);
});
