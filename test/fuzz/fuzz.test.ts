// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../support/cases.ts';
import { play } from './play.ts';
import { within } from './target.ts';
import { targets } from './targets.ts';

/** In CI a minute over all of them. */
const SECONDS = cases(1, Math.ceil(60 / targets.length));

describe('what reads strangers’ words', () => {
  it.each(targets)('holds against made-up input: $name', { timeout: 120_000 }, async (target) => {
    const seed = Number(process.env.FUZZ_SEED ?? 1 + Math.floor(Math.random() * 2 ** 31));
    const { broken, cases: played } = await play(target, seed, SECONDS);
    expect(broken).toBeNull();
    expect(played).toBeGreaterThan(10);
  });

  it('is reported with the case that broke it', async () => {
    const property = fc.property(fc.string(), (text) => {
      if (text.includes('a')) throw new Error('an a');
    });
    const { broken } = await play({ name: 'x', holds: 'no a', property }, 1, 10);
    expect(broken).toContain('Counterexample: ["a"]');
    expect(broken).toContain('an a');
  });

  it('is caught when it takes the event loop for longer than it may', () => {
    const spin = (): void => {
      const endsAt = performance.now() + 200;
      while (performance.now() < endsAt);
    };
    expect(() => within(20, spin)).toThrow('ms of the event loop, and may take 20');
    expect(within(20, () => 7)).toBe(7);
  });
});
