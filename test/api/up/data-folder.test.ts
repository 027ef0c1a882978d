// tier: unit
import promises, { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataFolder, readOrMakeMasterKey } from '../../../api/up/data-folder.ts';

let place: string;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'broadside-folder-'));
});
afterEach(() => rm(place, { recursive: true, force: true }));

describe('opening a data folder', () => {
  it('makes it with the folders above it, private, also where two do so at once', async () => {
    const path = join(place, 'of me', 'Änne', 'data');
    await Promise.all([openDataFolder(path), openDataFolder(path)]);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    expect(await readdir(path)).toEqual(['format']);
  });

  it('ends in one line where a file is in its way', async () => {
    await writeFile(join(place, 'file'), '');
    for (const path of [join(place, 'file'), join(place, 'file', 'below', 'data')])
      await expect(openDataFolder(path)).rejects.toThrow(
        /cannot be made \(a file is in its way\): set DATA_FOLDER/,
      );
  });

  it.runIf(process.platform === 'linux')('ends where the system makes no folder', async () => {
    await expect(openDataFolder('/proc/here/data')).rejects.toThrow(/cannot be made/);
  });
});

describe('the master key of a data folder', () => {
  it('is made once, and two first starts agree on it', async () => {
    const folder = await openDataFolder(join(place, 'data'));
    const keys = await Promise.all([1, 2, 3].map(() => readOrMakeMasterKey(folder)));
    expect(new Set(keys).size).toBe(1);
    expect(Buffer.from(keys[0] ?? '', 'base64')).toHaveLength(32);
    expect(await readOrMakeMasterKey(folder)).toBe(keys[0]);
    expect((await readdir(folder.path)).toSorted()).toEqual(['format', 'master.key']);
    expect((await stat(join(folder.path, 'master.key'))).mode & 0o777).toBe(0o600);
  });

  it('is made again where a full disk had left an empty file, and never in place of one', async () => {
    const folder = await openDataFolder(join(place, 'data'));
    const file = join(folder.path, 'master.key');
    await writeFile(file, '');
    const key = await readOrMakeMasterKey(folder);
    expect(key).toHaveLength(44);
    expect((await readFile(file, 'utf8')).trim()).toBe(key);
  });

  it('is made on a disk that has no links', async () => {
    const folder = await openDataFolder(join(place, 'data'));
    const { link } = promises;
    promises.link = () => Promise.reject(Object.assign(new Error('no links'), { code: 'EPERM' }));
    syncBuiltinESMExports();
    try {
      const key = await readOrMakeMasterKey(folder);
      expect(key).toHaveLength(44);
      expect(await readOrMakeMasterKey(folder)).toBe(key);
      expect((await readdir(folder.path)).toSorted()).toEqual(['format', 'master.key']);
      expect((await stat(join(folder.path, 'master.key'))).mode & 0o777).toBe(0o600);
    } finally {
      promises.link = link;
      syncBuiltinESMExports();
    }
  });
});
