// tier: unit
import { expect, it } from 'vitest';
import { nextCheckMs } from '../../../engine/notification/feeds/next-check.ts';

const MINUTE = 60_000;

it.each([
  [5, 0, 5],
  [5, 1, 10],
  [5, 3, 40],
  [5, 4, 60],
  [5, 100_000, 60],
  [0, 0, 1],
  [90, 0, 90],
  [90, 3, 90],
  [100_000, 0, 1_440],
])(
  'a feed with an interval of %i min is checked after %i failures in %i min',
  (interval, failures, minutes) => {
    expect(nextCheckMs(interval * MINUTE, failures)).toBe(minutes * MINUTE);
  },
);
