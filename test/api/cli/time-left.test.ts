// tier: unit
import { expect, it } from 'vitest';
import { createTimeLeft } from '../../../api/cli/remote/watch-delivery.ts';

it('the bar shows no time left before it knows one, and none at the end', () => {
  const left = createTimeLeft();
  expect(left(0, 1_000, 0)).toBe('');
  expect(left(0, 1_000, 2_000)).toBe('');
  expect(left(100, 1_000, 4_000)).toBe(' | 36 s left');
  expect(left(200, 6_200, 8_000)).toBe(' | 4 min left');
  expect(left(1_000, 1_000, 9_000)).toBe('');
});

it('the bar does not count work done before it began', () => {
  const left = createTimeLeft();
  expect(left(500, 1_000, 0)).toBe('');
  expect(left(510, 1_000, 1_000)).toBe(' | 49 s left');
});
