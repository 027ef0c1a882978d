// tier: unit
import { expect, it } from 'vitest';
import type { Clock } from '../../engine/contract/concurrency/clock.ts';
import { createTurns } from '../../engine/worker/turns.ts';

const neverFires: Clock = { now: () => 0, setTimer: () => ({ clear: () => {} }) };

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
  const turns = createTurns(neverFires, async () => void passed++);
  expect(await encryptUntil(turns, 'bulk', (count) => count === 50)).toBe(50);
  expect(passed).toBe(50);
});

it('lets bulk go on at once when breaking blocks have nothing more to send', async () => {
  const turns = createTurns(neverFires);
  const end = turns.begin('breaking');
  await turns.next('breaking');
  const bulk = encryptUntil(turns, 'bulk', (count) => count === 20);
  await turns.next('breaking');
  end();
  expect(await bulk).toBe(20);
});

it('lets bulk pass its turns while breaking blocks have answers between them', async () => {
  const turns = createTurns(neverFires);
  const end = turns.begin('breaking');
  let isOver = false;
  const bulk = encryptUntil(turns, 'bulk', () => isOver);
  for (let count = 0; count < 80; count++) {
    await turns.next('breaking');
    // For answers.
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  isOver = true;
  end();
  const count = await bulk;
  expect(count).toBeGreaterThanOrEqual(10);
  expect(count).toBeLessThanOrEqual(12);
});

it('lets bulk go on after a while when no breaking block gets an answer', async () => {
  const waits: number[] = [];
  const firesAtOnce: Clock = {
    now: () => 0,
    setTimer: (delayMs, fire) => {
      waits.push(delayMs);
      queueMicrotask(fire);
      return { clear: () => {} };
    },
  };
  const turns = createTurns(firesAtOnce);
  turns.begin('breaking');
  await turns.next('breaking');
  expect(await encryptUntil(turns, 'bulk', (count) => count === 20)).toBe(20);
  expect(waits).toEqual(Array.from({ length: 20 }, () => 10));
});
