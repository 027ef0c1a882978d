// tier: unit
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataFolder, readOrMakeMasterKey } from '../../../api/up/data-folder.ts';

describe('the data folder', () => {
  let parent: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'broadside-folder-'));
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));

  const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o7777).toString(8);
  const modesIn = async (folder: string) =>
    Object.fromEntries(
      await Promise.all(
        (await readdir(folder)).map(async (name) => [name, await modeOf(join(folder, name))]),
      ),
    );

  it('is its owner’s alone, and so is each file in it', async () => {
    const folder = await openDataFolder(join(parent, 'deep', 'data'));
    await readOrMakeMasterKey(folder);
    expect(await modeOf(folder.path)).toBe('700');
    expect(await modesIn(folder.path)).toEqual({ format: '600', 'master.key': '600' });
  });

  it('is corrected at the start where an older release made it world-readable', async () => {
    const path = join(parent, 'data');
    await mkdir(path, { mode: 0o755 });
    for (const name of ['format', 'master.key', 'postgres.password']) {
      await writeFile(join(path, name), '1\n', { mode: 0o644 });
    }
    await openDataFolder(path);
    expect(await modeOf(path)).toBe('700');
    expect(Object.values(await modesIn(path))).toEqual(['600', '600', '600']);
  });

  it('locks no other account out of a shared folder', async () => {
    const path = join(parent, 'tmp');
    await mkdir(path);
    await chmod(path, 0o1777);
    await openDataFolder(path);
    expect(await modeOf(path)).toBe('1777');
    expect(await modesIn(path)).toEqual({ format: '600' });
  });
});
