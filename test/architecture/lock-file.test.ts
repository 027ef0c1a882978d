// tier: core
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Entry {
  readonly integrity?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly os?: readonly string[];
  readonly optional?: boolean;
}
type Packages = Readonly<Record<string, Entry>>;

const readLock = (): Packages =>
  JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')).packages;

const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const withoutHash = (packages: Packages): string[] =>
  Object.entries(packages)
    .filter(([path, { integrity, link }]) => path !== '' && link !== true && integrity === undefined)
    .map(([path]) => nameOf(path))
    .toSorted();

describe('the lock file', () => {
  it('has a hash of every package, for every system', () => {
    expect(
      withoutHash(readLock()),
      'write what "npm view NAME@VERSION dist.integrity" prints as its `integrity`; a build that cannot be had goes under `overrides`',
    ).toEqual([]);
    expect(Object.keys(readLock()).length).toBeGreaterThan(500);
  });

  it('installs nothing in the place of a build that no hash could be had of', () => {
    const replaced = Object.entries(readLock()).filter(([path]) => /^node_modules\/@chdb\/lib-/.test(path));
    expect(replaced).toHaveLength(4);
    for (const [path, { os, optional }] of replaced) {
      if (path.endsWith('lib-linux-x64-gnu')) continue;
      expect({ os, optional }, path).toEqual({ os: ['openharmony'], optional: true });
    }
  });

  it('is noticed where a package has none', () => {
    const [path] = Object.keys(readLock()).filter((each) => each.endsWith('node_modules/fastify'));
    const { integrity, ...rest } = readLock()[path ?? ''] ?? {};
    expect(integrity).toMatch(/^sha512-/);
    expect(withoutHash({ ...readLock(), [path ?? '']: rest })).toContain('fastify');
  });

  it('names no registry', () => {
    const named = Object.values(readLock()).filter(({ resolved, link }) => resolved !== undefined && !link);
    expect(named).toEqual([]);
  });
});
