// tier: unit
import { expect, it } from 'vitest';
import { BYTES_PER_REQUEST, createByteBudget } from '../../../engine/worker/http/byte-budget.ts';

const SPARE = 1_048_576;

it('takes a spare of bytes beside what requests pay for, and not one more', () => {
  const isOverdrawn = createByteBudget();
  expect(isOverdrawn(SPARE, 0)).toBe(false);
  expect(isOverdrawn(SPARE + BYTES_PER_REQUEST, 1)).toBe(false);
  expect(isOverdrawn(SPARE + BYTES_PER_REQUEST + 1, 1)).toBe(true);
});

it('saves up for a hundred requests at most', () => {
  const isOverdrawn = createByteBudget();
  expect(isOverdrawn(0, 1_000)).toBe(false);
  expect(isOverdrawn(SPARE + 100 * BYTES_PER_REQUEST, 1_000)).toBe(false);
  expect(isOverdrawn(SPARE + 100 * BYTES_PER_REQUEST + 1, 1_000)).toBe(true);
});
