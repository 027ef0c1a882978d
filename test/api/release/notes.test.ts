// tier: unit
import { describe, expect, it } from 'vitest';
import { lockOf } from '../../../api/release/lock.ts';
import { notesOf } from '../../../api/release/notes.ts';

const changes = `# Changes

Words.

## 0.3.0, not yet released

### Added

- Much.

## 0.2.0, 2026-11-22

### Fixed

- Little.
`;

describe('the notes of a release', () => {
  it('are the part of the change log about its version', () => {
    expect(notesOf(changes, '0.2.0')).toBe('### Fixed\n\n- Little.\n');
    expect(notesOf(changes, '0.3.0')).toBe('### Added\n\n- Much.\n');
  });

  it.each(['0.2', '2.0', '0.4.0', '0.2.0-rc.1'])('are refused for %s, which has no heading', (version) => {
    expect(() => notesOf(changes, version)).toThrow(`CHANGELOG.md has no heading "## ${version}, DATE"`);
  });
});

describe('the lock of a package', () => {
  const packages = {
    '': {},
    'node_modules/a': { version: '1.0.0', dependencies: { b: '2' }, dev: true },
    'node_modules/b': { version: '1.9.0' },
    'node_modules/a/node_modules/b': { version: '2.0.0', peerDependencies: { d: '1' } },
    'node_modules/c': { version: '1.0.0', optional: true, dependencies: { b: '1', e: '1' } },
    'node_modules/d': { version: '1.0.0', dependencies: { a: '1' } },
    'node_modules/e': { version: '0.1.0', name: 'stand-in' },
    'node_modules/tool': { version: '1.0.0', dev: true },
  };
  const manifest = {
    ...{ name: 'x', version: '1.0.0' },
    ...{ dependencies: { a: '1' }, optionalDependencies: { c: '1', missing: '1' } },
  };
  const lock = lockOf({ lockfileVersion: 3, packages }, manifest);

  it('has what its packages reach, each from where npm would find it', () => {
    expect(Object.keys(lock.packages).toSorted()).toEqual([
      '',
      'node_modules/a',
      'node_modules/a/node_modules/b',
      'node_modules/b',
      'node_modules/c',
      'node_modules/d',
    ]);
    expect(lock.packages['']).toEqual(manifest);
  });

  it('marks what may be left out, and nothing as a tool', () => {
    const optional = Object.entries(lock.packages).filter(([, { optional: isOptional }]) => isOptional);
    expect(optional.map(([place]) => place)).toEqual(['node_modules/b', 'node_modules/c']);
    expect(Object.values(lock.packages).filter((each) => 'dev' in each)).toEqual([]);
  });
});
