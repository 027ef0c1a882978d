// tier: postgres
import { afterAll, expect, it } from 'vitest';
import { readBlockWishes } from '../../engine/adapters/postgres/dispatch/reader-wishes.ts';
import { createShardStore } from '../../engine/adapters/postgres/dispatch/shard-store.ts';
import { BLOCK_SIZE, bitsOf } from '../../engine/contract/bitmap.ts';
import { isQuiet } from '../../engine/contract/reader-wishes.ts';
import { buildApp, buildDelivery, buildSubscriptions, testSealer } from '../support/builders.ts';
import { planNow } from '../support/plan-now.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { setWishes } from '../support/reader-wishes.ts';

const test = await createTestDatabase();
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

it('reads the wishes of a shard’s next blocks at once, and again after a second', async () => {
  const { database } = test;
  const { id: appId } = await buildApp(database);
  await buildSubscriptions(database, appId, 3 * BLOCK_SIZE);
  const pause = (seq: number) =>
    setWishes(database, appId, seq, { fewer: null, pausedUntil: new Date('2999-01-01'), quietHours: null });
  await pause(2);
  await pause(2 * BLOCK_SIZE + 1);
  let nowMs = 5_000;
  const shard = { appId, wishes: 'all', blocks: [0, 2] } as const;
  const read = async (block: number): Promise<number[]> => {
    const { silent } = await readBlockWishes(database, shard, block, () => nowMs);
    return bitsOf(silent, block);
  };
  expect(await read(0)).toEqual([2]);
  await pause(2 * BLOCK_SIZE + 5);
  nowMs += 1_000;
  expect(await read(2)).toEqual([2 * BLOCK_SIZE + 1]);
  nowMs += 1;
  expect(await read(2)).toEqual([2 * BLOCK_SIZE + 1, 2 * BLOCK_SIZE + 5]);
  // Another lease, of the same blocks, reads by itself; so does a block that was passed.
  const again = await readBlockWishes(database, { ...shard }, 0, () => nowMs);
  expect(bitsOf(again.silent, 0)).toEqual([2]);
  expect(await read(0)).toEqual([2]);
});
