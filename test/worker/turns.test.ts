// tier: unit
import { expect, it } from 'vitest';
import { createTurns } from '../../engine/worker/turns.ts';

const encryptUntil = async (
  turns: ReturnType<typeof createTurns>,
  lane: 'bulk' | 'breaking',
  done: (count: number) => boolean,
): Promise<number> => {
  let count = 0;
  while (!done(count)) {
    count++;
    await turns.next(lane);
  }
  return count;
};

it('lets a breaking block encrypt eight times as often as bulk blocks on its thread, and both go on', async () => {
  const turns = createTurns();
  let isOver = false;
  const bulk = [1, 2].map(() => encryptUntil(turns, 'bulk', () => isOver));
  const breaking = await encryptUntil(turns, 'breaking', (count) => count === 800);
  isOver = true;
  expect(breaking).toBe(800);
  for (const count of await Promise.all(bulk)) {
    expect(count).toBeGreaterThanOrEqual(99);
    expect(count).toBeLessThanOrEqual(102);
  }
});

it('lets bulk encrypt in each turn where no breaking block does', async () => {
  let passed = 0;
  const turns = createTurns(async () => void passed++);
  expect(await encryptUntil(turns, 'bulk', (count) => count === 50)).toBe(50);
  expect(passed).toBe(50);
});

it('lets bulk go on at once when a breaking block waits for answers', async () => {
  const turns = createTurns();
  await turns.next('breaking');
  const begun = await encryptUntil(turns, 'bulk', (count) => count === 5);
  expect(begun).toBe(5);
  const waiting = Promise.withResolvers<void>();
  const breaking = turns.next('breaking').then(() => waiting.promise);
  expect(await encryptUntil(turns, 'bulk', (count) => count === 20)).toBe(20);
  waiting.resolve();
  await breaking;
});
