// tier: unit
import { describe, expect, it } from 'vitest';
import { readMeasuredCosts } from '../../api/cli/capacity/measured-costs.ts';
import { play, type Scene } from '../../bench/simulation/play.ts';

const scene: Scene = {
  ...{ readers: 2_000_000, engines: 6, threads: 4, engineUs: 125, costs: readMeasuredCosts(), latencyMs: 80 },
  ...{ throttlingShare: 0.75, throttlingPerSecond: 50_000, breakingReaders: 100_000, breakingAtSeconds: 10 },
};

describe('npm run bench -- simulate', () => {
  it('serves every reader once, and no faster than the push service takes them', () => {
    const { slices, bulkSeconds, breakingSeconds } = play(scene);
    const accepted = slices.reduce((sum, slice) => sum + slice.accepted, 0);
    expect(accepted).toBe(2_100_000);
    expect(bulkSeconds).toBeGreaterThan((0.75 * 2_000_000) / 50_000 - 1);
    expect(breakingSeconds).toBeLessThan(bulkSeconds / 2);
  });

  it('plays the same scene the same way', () => {
    expect(play(scene)).toEqual(play(scene));
  });

  it('is bound by the engines where no push service throttles', () => {
    const free = { ...scene, throttlingPerSecond: 1e9, breakingReaders: 0, engineUs: 500 };
    // 24 threads send 48,000 a second.
    expect(play(free).bulkSeconds).toBeGreaterThan(2_000_000 / 48_000);
    expect(play({ ...free, engines: 12 }).bulkSeconds).toBeLessThan(play(free).bulkSeconds);
  });
});
