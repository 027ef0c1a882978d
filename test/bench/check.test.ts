// tier: system
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { compareRatios, isFailed } from '../../bench/check/compare.ts';
import { runCheck } from '../../bench/check/main.ts';
import type { Source } from '../../bench/check/sources.ts';
import { cases } from '../support/cases.ts';
import { runBench } from './run-bench.ts';

const endings = (baseline: Record<string, number>, measured: Record<string, number>) =>
  compareRatios(baseline, measured).map(({ name, ending }) => `${name} ${ending}`);

describe('comparing ratios with the baseline', () => {
  it('tolerates a growth of up to 15 % and no more', () => {
    expect(endings({ node: 0.2 }, { node: 0.2298 })).toEqual(['node held']);
    expect(isFailed(compareRatios({ node: 0.2 }, { node: 0.2298 }))).toBe(false);
    expect(endings({ node: 0.2 }, { node: 0.2302 })).toEqual(['node worse']);
    expect(isFailed(compareRatios({ node: 0.2 }, { node: 0.2302 }))).toBe(true);
  });

  it('fails for one that grew among many that did not', () => {
    const compared = compareRatios({ node: 0.28, openssl: 0.2 }, { node: 0.15, openssl: 0.25 });
    expect(compared.map(({ ending }) => ending)).toEqual(['better', 'worse']);
    expect(isFailed(compared)).toBe(true);
  });

  it('holds nothing against a machine that lacks a backend, nor against one that is new', () => {
    const compared = compareRatios({ node: 0.28, multibuffer: 0.1 }, { node: 0.28, openssl: 0.2 });
    expect(compared.map(({ name, ending }) => `${name} ${ending}`)).toEqual([
      'node held',
      'multibuffer absent',
      'openssl new',
    ]);
    expect(isFailed(compared)).toBe(false);
  });

  it('fails where nothing could be compared', () => {
    expect(isFailed(compareRatios({ multibuffer: 0.1 }, { node: 0.28 }))).toBe(true);
    expect(isFailed(compareRatios({}, {}))).toBe(true);
  });
});

const NAME = 'broadside/node by web-push/keep-alive';

describe('npm run bench -- check', () => {
  it('writes a baseline, holds to it, and fails beside one that was much better', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'broadside-check-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const baseline = join(folder, 'baseline.json');
    const small = ['--messages', '40', '--rounds', '1', '--baseline', baseline];
    expect(await runBench('check', ...small)).toMatchObject({ code: 1, lines: [] });

    // Measured by all senders takes a minute: `peers` is measured by a test of its own.
    const made: Source = async () => ({ [NAME]: 0.25 });
    const measurements = cases(0, 1) === 1 ? undefined : [made];
    const output = { json: true, out: null };
    const said = vi.spyOn(console, 'log').mockReturnValue();
    const check = (write: boolean, from = measurements): Promise<number> =>
      runCheck({ messages: 40, rounds: 1, baseline, write }, output, from);
    expect(await check(true)).toBe(0);
    const written = JSON.parse(await readFile(baseline, 'utf8'));
    const again: Source[] = [async () => written.ratios];
    expect(written.date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(written.ratios[NAME]).toBeGreaterThan(0);
    expect(await check(false, again)).toBe(0);

    await writeFile(
      baseline,
      JSON.stringify({ ...written, ratios: { [NAME]: written.ratios[NAME] / 1_000 } }),
    );
    said.mockClear();
    expect(await check(false, again)).toBe(1);
    expect(JSON.parse(String(said.mock.calls[0]?.[0]))).toMatchObject({ name: NAME, ending: 'worse' });
  }, 600_000);
});
