import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compareRatios, isFailed } from '../../bench/check/compare.ts';
import { runBench } from './run-bench.ts';

const endings = (baseline: Record<string, number>, measured: Record<string, number>) =>
  compareRatios(baseline, measured).map(({ name, ending }) => `${name} ${ending}`);

describe('comparing ratios with the baseline', () => {
  it('bears a growth of up to 15 % and no more', () => {
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

describe('npm run bench -- check', () => {
  it('writes a baseline, holds to it, and fails beside one that was much better', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'broadside-check-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const baseline = join(folder, 'baseline.json');
    const small = ['--messages', '40', '--rounds', '1', '--baseline', baseline];
    expect(await runBench('check', ...small)).toMatchObject({ code: 1, lines: [] });

    const written = await runBench('check', ...small, '--write');
    expect(written.code, written.errors).toBe(0);
    const made = JSON.parse(await readFile(baseline, 'utf8'));
    expect(made.date).toMatch(/^\d{4}-\d\d-\d\d$/);
    const name = 'broadside/node by web-push/keep-alive';
    expect(made.ratios[name]).toBeGreaterThan(0);

    await writeFile(baseline, JSON.stringify({ ...made, ratios: { [name]: made.ratios[name] / 1_000 } }));
    const failed = await runBench('check', ...small);
    expect(failed.code).toBe(1);
    expect(failed.lines[0]).toMatchObject({ name, ending: 'worse' });
  }, 600_000);
});
