// tier: unit
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from './temporary-tree.ts';

const read = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8');
const { dependencies, optionalDependencies } = JSON.parse(read('package.json')) as Record<
  'dependencies' | 'optionalDependencies',
  Readonly<Record<string, string>>
>;

interface Locked {
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
}
const { packages } = JSON.parse(read('package-lock.json')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const locked = Object.entries(packages).filter(([path]) => path !== '');

/** Whoever has them may use, change and pass on what they build with them. */
const permissive: ReadonlySet<string> = new Set([
  ...['MIT', 'MIT-0', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'ISC', 'CC0-1.0', 'Unlicense'],
  'BlueOak-1.0.0',
]);
/** Of tools alone, which are passed on to nobody. */
const ofTools: ReadonlySet<string> = new Set(['MPL-2.0', 'Python-2.0']);

const isAllowed = (license: string, isTool: boolean): boolean =>
  license
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((each) => permissive.has(each) || (isTool && ofTools.has(each)));

const MEGABYTE = 1024 ** 2;
const MAX_ROLE_MEGABYTES = 180;

function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

describe('what is installed', () => {
  it('has a licence that lets everybody use and pass it on', () => {
    const refused = locked
      .filter(([, { license = 'none', dev = false }]) => !isAllowed(license, dev))
      .map(([path, { license }]) => `${path}: ${license}`);
    expect(refused).toEqual([]);
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
