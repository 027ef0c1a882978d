// tier: unit
import { expect, it } from 'vitest';
import { step } from '../../../api/up/steps.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const starting = { what: 'Starting Postgres', waitsFor: 'waits until it takes connections' };

it('says at once which part starts, and while it takes long what it waits for, and how long by now', async () => {
  const clock = createManualClock();
  const lines: string[] = [];
  const { promise, resolve } = Promise.withResolvers<string>();
  const started = step(starting, () => promise, { say: (line) => lines.push(line), clock });
  expect(lines).toEqual(['Starting Postgres…']);
  await clock.advance(4_999);
  expect(lines).toHaveLength(1);
  await clock.advance(5_001);
  expect(lines.slice(1)).toEqual([
    'Starting Postgres… 5 s: waits until it takes connections',
    'Starting Postgres… 10 s: waits until it takes connections',
  ]);
  resolve('started');
  expect(await started).toBe('started');
  await clock.advance(60_000);
  expect(lines).toHaveLength(3);
});

it('says nothing more once a part has failed', async () => {
  const clock = createManualClock();
  const lines: string[] = [];
  const failing = step(starting, () => Promise.reject(new Error('no disk')), {
    say: (line) => lines.push(line),
    clock,
  });
  await expect(failing).rejects.toThrow('no disk');
  await clock.advance(60_000);
  expect(lines).toEqual(['Starting Postgres…']);
});
