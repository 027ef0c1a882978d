// tier: system
import { describe, expect, it } from 'vitest';
import { chooseValue } from '../../bench/tune/choose.ts';
import { turnDials } from '../../bench/tune/search.ts';
import { itThorough } from '../support/it-thorough.ts';
import { runBench } from './run-bench.ts';

const trial = (value: number, ...rates: number[]) => ({ value, rates });

describe('choosing a value', () => {
  it('takes a setting that is faster by more than the noise', () => {
    const choice = chooseValue(trial(2, 1_000, 1_010, 1_020), [trial(4, 1_200, 1_210, 1_190)]);
    expect(choice.value).toBe(4);
    expect(choice.gain).toBeCloseTo(0.188, 2);
  });

  it('keeps the current setting where the difference is within the noise of either', () => {
    expect(chooseValue(trial(2, 900, 1_000, 1_100), [trial(4, 1_100, 1_110, 1_120)]).value).toBe(2);
    expect(chooseValue(trial(2, 1_000, 1_000, 1_000), [trial(4, 800, 1_100, 1_200)]).value).toBe(2);
  });

  it('does not change a setting for a hundredth', () => {
    expect(chooseValue(trial(2, 1_000, 1_000), [trial(4, 1_010, 1_010)])).toMatchObject({
      value: 2,
      gain: 0,
    });
  });
});

it('refuses a setting that it does not turn before anything is started', async () => {
  const { code, errors } = await runBench('tune', '--only', 'LEASE_MS');
  expect(code).toBe(1);
  expect(errors).toMatch(/^bench: --only names LEASE_MS; there are .*SHARD_BLOCKS/);
});

describe('turning the dials', () => {
  it('leaves each where it was best before the next one is turned, and tries each value once', async () => {
    const dials = [
      { name: 'A', initial: 1, values: [1, 2, 4] },
      { name: 'B', initial: 10, values: [5, 10] },
    ];
    const tried: string[] = [];
    const turned = await turnDials(dials, async ({ A = 0, B = 0 }) => {
      tried.push(`${A} ${B}`);
      return [100 * A + (A === 4 ? 100 : 0) + B];
    });
    expect(turned.map(({ name, value }) => `${name}=${value}`)).toEqual(['A=4', 'B=10']);
    expect(tried).toEqual(['1 10', '2 10', '4 10', '4 10', '4 5']);
  });
});

itThorough(
  'npm run bench -- tune tries a setting out on engines that it restarts, and prints the lines for .env',
  async () => {
    const small = ['--messages', '100', '--rounds', '1', '--latency-ms', '5', '--only', 'SHARD_BLOCKS'];
    const { code, lines, errors } = await runBench('tune', ...small);
    expect(code, errors).toBe(0);
    expect(lines[0]).toMatchObject({ setting: 'SHARD_BLOCKS', default: 8 });
    expect(lines[0]?.trials).toHaveLength(3);
    expect(lines[1]).toEqual({ env: [expect.stringMatching(/^SHARD_BLOCKS=\d+$/)] });
  },
  600_000,
);
