// tier: unit
import { expect, it } from 'vitest';
import { step } from '../../../engine/kit/command-line/steps.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const starting = { what: 'Starting Postgres', waitsFor: 'waits until it takes connections' };

function watch(isTerminal = false) {
  const clock = createManualClock();
  const lines: string[] = [];
  const drawn: string[] = [];
  const draw = isTerminal ? (line: string) => void drawn.push(line) : null;
  return { clock, lines, drawn, output: { say: (line: string) => void lines.push(line), draw, clock } };
}

it('says at once which part starts, and every ten seconds what it waits for, and how long by now', async () => {
  const { clock, lines, output } = watch();
  const { promise, resolve } = Promise.withResolvers<string>();
  const started = step(starting, () => promise, output);
  expect(lines).toEqual(['Starting Postgres…']);
  await clock.advance(9_999);
  expect(lines).toHaveLength(1);
  await clock.advance(10_001);
  expect(lines.slice(1)).toEqual([
    'Starting Postgres… 10 s: waits until it takes connections',
    'Starting Postgres… 20 s: waits until it takes connections',
  ]);
  resolve('started');
  expect(await started).toBe('started');
  await clock.advance(60_000);
  expect(lines).toHaveLength(3);
});

it('changes one line each second on a terminal, once it takes long, and leaves it empty', async () => {
  const { clock, lines, drawn, output } = watch(true);
  const { promise, resolve } = Promise.withResolvers<void>();
  const started = step(starting, () => promise, output);
  await clock.advance(2_999);
  expect(drawn).toEqual([]);
  await clock.advance(2_001);
  expect(drawn).toEqual([3, 4, 5].map((seconds) => `  ${seconds} s: waits until it takes connections`));
  resolve();
  await started;
  await clock.advance(60_000);
  expect(drawn.slice(3)).toEqual(['']);
  expect(lines).toEqual(['Starting Postgres…']);
});

it('draws nothing for a step that is short', async () => {
  const { drawn, output } = watch(true);
  await step(starting, async () => {}, output);
  expect(drawn).toEqual([]);
});

it('says nothing more once a part has failed', async () => {
  const { clock, lines, output } = watch();
  const failing = step(starting, () => Promise.reject(new Error('no disk')), output);
  await expect(failing).rejects.toThrow('no disk');
  await clock.advance(60_000);
  expect(lines).toEqual(['Starting Postgres…']);
});
