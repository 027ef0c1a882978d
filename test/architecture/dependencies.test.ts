// tier: unit
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isAllowed, type Locked, lockProblems } from '../support/supply/lock-problems.ts';
import { repositoryRoot } from './temporary-tree.ts';

const read = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8');
const { dependencies, optionalDependencies } = JSON.parse(read('package.json')) as Record<
  'dependencies' | 'optionalDependencies',
  Readonly<Record<string, string>>
>;

const { packages } = JSON.parse(read('package-lock.json')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const locked = Object.entries(packages).filter(([path]) => path !== '');

const MEGABYTE = 1024 ** 2;
const MAX_ROLE_MEGABYTES = 180;

function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

describe('what is installed', () => {
  it('has a licence that lets everybody use and pass it on', () => {
    expect(lockProblems(packages)).toEqual([]);
  });

  it('is refused with another licence, or without a hash', () => {
    const fine = { license: 'MIT', integrity: 'sha512-abc' };
    expect(lockProblems({ 'node_modules/a': { ...fine, license: 'AGPL-3.0' } })).toEqual([
      'node_modules/a: AGPL-3.0',
    ]);
    expect(lockProblems({ 'node_modules/a': { license: 'MIT' } })).toEqual(['node_modules/a: no hash']);
  });

  it.each([
    ['AGPL-3.0', false, false],
    ['MPL-2.0', false, false],
    ['MPL-2.0', true, true],
    ['(MIT OR GPL-3.0)', false, true],
    ['none', true, false],
  ])('of the licence %s, as a tool: %s, is allowed: %s', (license, isTool, allowed) => {
    expect(isAllowed(license, isTool)).toBe(allowed);
  });

  it('is named in CONTRIBUTING with its reason, at run time', () => {
    const table = read('CONTRIBUTING.md').split('## What runs')[1] ?? '';
    const rows = table.split('\n').filter((line) => line.startsWith('| `'));
    const named = rows
      .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)])
      .map(([, name]) => name ?? '');
    const covers = (name: string, pattern: string) =>
      pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
    const needed = Object.keys({ ...dependencies, ...optionalDependencies });
    expect(needed.filter((name) => !named.some((pattern) => covers(name, pattern)))).toEqual([]);
    expect(named.filter((pattern) => !needed.some((name) => covers(name, pattern)))).toEqual([]);
  });

  it(`takes a role at most ${MAX_ROLE_MEGABYTES} MB`, () => {
    const ofRole = locked.filter(([, { dev, optional, devOptional }]) => !dev && !optional && !devOptional);
    const nested = (path: string) => /node_modules\/.+\/node_modules\//.test(path);
    const bytes = ofRole
      .filter(([path]) => !nested(path))
      .reduce((sum, [path]) => sum + bytesOf(join(repositoryRoot, path)), 0);
    expect(bytes / MEGABYTE).toBeGreaterThan(50);
    expect(bytes / MEGABYTE).toBeLessThan(MAX_ROLE_MEGABYTES);
  });
});
