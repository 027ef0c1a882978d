// tier: core
import { describe, expect, it } from 'vitest';
import { cases } from '../support/cases.ts';
import { brokenBuilds } from './simulation/broken-builds.ts';
import { runSeed } from './simulation/run-seed.ts';
import { describeFailure, parseSimulateOptions, simulate } from './simulation/simulate.ts';

const FIXED_SEEDS = cases(30, 150);
const RANDOM_SEEDS = cases(10, 20);
/** At least one of this many seeds catches a broken build; each is caught by one of the first few dozen. */
const SEEDS_TO_CATCH = 300;
/** The first seed that catches each of these, tried before the others: to come to it took a quarter of the simulation. */
const caughtBy: Readonly<Record<string, number>> = {
  'settles what was not sent by what others were answered': 76,
  'corrects what is still being sent': 23,
  'forgets readers who came from a zone that is to come': 16,
};

describe('the simulation', () => {
  it(`holds the promises in ${FIXED_SEEDS} fixed seeds`, { timeout: 300_000 }, async () => {
    let duplicates = 0;
    for (let seed = 1; seed <= FIXED_SEEDS; seed++) {
      const ending = await runSeed(seed);
      expect(ending.broken.length === 0 ? '' : describeFailure(ending)).toBe('');
      duplicates += ending.duplicates;
    }
    // Made by its faults, so that the promise about them is put to the test.
    expect(duplicates).toBeGreaterThan(10);
  });

  it('holds them for random seeds, or from FUZZ_SEED on', { timeout: 120_000 }, async () => {
    const from = Number(process.env.FUZZ_SEED ?? 1 + Math.floor(Math.random() * 2 ** 31));
    for (let seed = from; seed < from + RANDOM_SEEDS; seed++) {
      const ending = await runSeed(seed);
      expect(ending.broken.length === 0 ? '' : describeFailure(ending)).toBe('');
    }
  });

  it('plays a seed the same way twice, event by event', async () => {
    let events = 0;
    for (let seed = 1; seed <= cases(5, 15); seed++) {
      const { trace } = await runSeed(seed);
      events += trace.length;
      expect((await runSeed(seed)).trace).toEqual(trace);
    }
    expect(events).toBeGreaterThan(1_000);
  });

  it.each(Object.entries(brokenBuilds))(
    'catches a build that %s',
    { timeout: 120_000 },
    async (name, build) => {
      for (let seed = 0; seed <= SEEDS_TO_CATCH; seed++) {
        const { broken } = await runSeed(seed || (caughtBy[name] ?? 1), build);
        if (broken.length > 0) return;
      }
      expect.unreachable(`${SEEDS_TO_CATCH} seeds held`);
    },
  );

  it('reports a failed seed with the broken invariant, the last events, and how to replay it', async () => {
    const ending = { ...(await runSeed(8)), broken: ['delivery 1 is queued for ever'] };
    const report = describeFailure(ending);
    expect(report).toContain('delivery 1 is queued for ever');
    expect(report).toContain('npm run chaos -- --simulate 1 --seed 8');
    expect(report).toContain(ending.trace.at(-1));
  });

  it('plays the given number of seeds, and ends with a summary', async () => {
    const said: string[] = [];
    expect(await simulate(['--simulate', '3', '--seed', '7'], (text) => said.push(text))).toBe(0);
    expect(said.at(-1)).toContain('3 seeds from 7: 0 failed');
    expect(() => parseSimulateOptions(['--simulate', 'many'])).toThrow('--simulate takes a number');
  });
});
