// tier: unit
import { expect, it } from 'vitest';
import { createProgressLines } from '../../bench/progress-lines.ts';

it('says how far long work is every ten seconds, and how long the rest takes', () => {
  const said: string[] = [];
  let nowMs = 0;
  const show = createProgressLines(
    (text) => said.push(text),
    'imported',
    10_000_000,
    () => nowMs,
  );
  for (const done of [400_000, 800_000, 900_000, 1_600_000]) {
    nowMs += 5_000;
    show(done);
  }
  expect(said).toEqual([
    'imported 800,000 of 10,000,000 | 2 min left',
    'imported 1,600,000 of 10,000,000 | 2 min left',
  ]);
});
