import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Entry {
  readonly integrity?: string;
  readonly link?: boolean;
  readonly resolved?: string;
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

/**
 * Builds for systems other than Linux on x64, of which no hash could be had where the lock file was written. npm
 * installs none of them on that system; elsewhere it takes them unchecked. Add a hash, and take the name off here.
 */
const notHashed: readonly string[] = [
  ...['android-arm64', 'android-x64', 'darwin-arm64', 'darwin-x64'].map((name) => `@biomejs/cli-${name}`),
  ...['linux-arm64-musl', 'linux-x64-musl', 'win32-arm64', 'win32-x64'].map((name) => `@biomejs/cli-${name}`),
  ...['darwin-arm64', 'darwin-x64', 'linux-arm64-gnu'].map((name) => `@chdb/lib-${name}`),
  ...['android-arm-eabi', 'android-arm64', 'darwin-arm64', 'darwin-x64', 'freebsd-x64'],
  ...['linux-arm-gnueabihf', 'linux-arm-musleabihf', 'linux-ppc64-gnu', 'linux-riscv64-gnu'],
  ...['linux-riscv64-musl', 'linux-s390x-gnu', 'openharmony-arm64'],
  ...['win32-arm64-msvc', 'win32-ia32-msvc', 'win32-x64-msvc'],
].map((name) => (name.startsWith('@') ? name : `@oxc-parser/binding-${name}`));

describe('the lock file', () => {
  it('has a hash of every package, but for builds that could not be had', () => {
    expect(
      withoutHash(readLock()),
      'npm install the package again, so that its `integrity` is written',
    ).toEqual(notHashed.toSorted());
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
