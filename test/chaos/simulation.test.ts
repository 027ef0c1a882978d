import { describe, expect, it } from 'vitest';
import { brokenBuilds } from './simulation/broken-builds.ts';
import { runSeed } from './simulation/run-seed.ts';
import { parseSimulateOptions, simulate, tellFailure } from './simulation/simulate.ts';

const FIXED_SEEDS = 150;
const RANDOM_SEEDS = 20;
/** Of so many seeds at least one catches a broken build; each is caught by one of the first few dozen. */
const SEEDS_TO_CATCH = 300;

describe('the simulation', () => {
  it(`holds the promises in ${FIXED_SEEDS} fixed seeds`, { timeout: 300_000 }, async () => {
    for (let seed = 1; seed <= FIXED_SEEDS; seed++) {
      const ending = await runSeed(seed);
      expect(ending.broken.length === 0 ? '' : tellFailure(ending)).toBe('');
    }
  });

  it('holds them in seeds that nobody chose', { timeout: 120_000 }, async () => {
    const from = 1 + Math.floor(Math.random() * 2 ** 31);
    for (let seed = from; seed < from + RANDOM_SEEDS; seed++) {
      const ending = await runSeed(seed);
      expect(ending.broken.length === 0 ? '' : tellFailure(ending)).toBe('');
    }
  });

  it('plays a seed the same way twice, event by event', async () => {
    let events = 0;
    for (let seed = 1; seed <= 15; seed++) {
      const { trace } = await runSeed(seed);
      events += trace.length;
      expect((await runSeed(seed)).trace).toEqual(trace);
    }
    expect(events).toBeGreaterThan(1_000);
  });

  it('makes duplicates by its faults, so that the promise about them is put to the test', async () => {
    let duplicates = 0;
    for (let seed = 1; seed <= 30; seed++) duplicates += (await runSeed(seed)).duplicates;
    expect(duplicates).toBeGreaterThan(10);
  });

  it.each(Object.entries(brokenBuilds))('catches a build that %s', { timeout: 120_000 }, async (_, build) => {
    for (let seed = 1; seed <= SEEDS_TO_CATCH; seed++) {
      const { broken } = await runSeed(seed, build);
      if (broken.length > 0) return;
    }
    expect.unreachable(`${SEEDS_TO_CATCH} seeds held`);
  });

  it('tells of a failed seed what broke, what happened last, and how to play it again', async () => {
    const ending = { ...(await runSeed(8)), broken: ['delivery 1 is queued for ever'] };
    const told = tellFailure(ending);
    expect(told).toContain('delivery 1 is queued for ever');
    expect(told).toContain('npm run chaos -- --simulate 1 --seed 8');
    expect(told).toContain(ending.trace.at(-1));
  });

  it('plays as many seeds as it is told, and ends with how it went', async () => {
    const said: string[] = [];
    expect(await simulate(['--simulate', '3', '--seed', '7'], (text) => said.push(text))).toBe(0);
    expect(said.at(-1)).toContain('3 seeds from 7: 0 failed');
    expect(() => parseSimulateOptions(['--simulate', 'many'])).toThrow('--simulate takes a number');
  });
});
