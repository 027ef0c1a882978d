// tier: unit
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installLibrary } from '../../../../api/cli/encryption/install-library.ts';
import { readFolderState } from '../../../../api/up/data-folder.ts';
import { librariesFolder, libraryFolder } from '../../../../engine/kit/fast-library/files.ts';
import { lookAt } from '../../../../engine/kit/fast-library/look.ts';
import { makeWheel } from './made-up-wheels.ts';

type Made = Awaited<ReturnType<typeof makeWheel>>;
const runtime = { 'libimf.so': 'mathematics', 'libsvml.so': 'vectors '.repeat(50_000) };

describe('the installation of the encryption library', () => {
  let [folder, data]: [string, string] = ['', ''];
  let made: readonly [Made, Made];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'broadside-install-'));
    data = join(folder, 'data');
    made = [
      await makeWheel(folder, 'made-up-crypto', { 'libcrypto_mb.so.13': 'eight at a time' }),
      await makeWheel(folder, 'made-up-runtime', runtime),
    ];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const install = (paths: readonly string[] = made.map(({ path }) => path), of: readonly Made[] = made) =>
    installLibrary({ dataFolder: data, wheels: of.map(({ wheel }) => wheel), bring: async () => paths });
  const look = () => lookAt(data, { files: made.flatMap(({ wheel }) => wheel.files) });

  it('leaves the files and the licences in a folder of their own, and nothing else', async () => {
    expect(await install()).toBe('installed');
    expect(await look()).toBe('whole');
    expect((await readdir(libraryFolder(data))).toSorted()).toEqual([
      'LICENSE-made-up-crypto.txt',
      'LICENSE-made-up-runtime.txt',
      ...['libcrypto_mb.so.13', 'libimf.so', 'libsvml.so'],
    ]);
    expect(await readFile(join(libraryFolder(data), 'libsvml.so'), 'utf8')).toBe(runtime['libsvml.so']);
    expect((await readdir(librariesFolder(data))).length).toBe(1);
    expect((await stat(data)).mode & 0o777).toBe(0o700);
  });

  it('brings nothing where the library is there, and installs a damaged one again', async () => {
    await install();
    const nothing = () => Promise.reject(new Error('it was asked for'));
    const wheels = made.map(({ wheel }) => wheel);
    expect(await installLibrary({ dataFolder: data, wheels, bring: nothing })).toBe('there already');
    await appendFile(join(libraryFolder(data), 'libimf.so'), '!');
    expect(await look()).toBe('damaged');
    expect(await install()).toBe('installed');
    expect(await look()).toBe('whole');
  });

  it('does no harm to another one that runs at the same time', async () => {
    const endings = await Promise.all(Array.from({ length: 6 }, () => install()));
    expect(endings.filter((ending) => ending === 'installed').length).toBeGreaterThan(0);
    expect(await look()).toBe('whole');
    expect((await readdir(librariesFolder(data))).length).toBe(1);
  });

  it.each<[what: string, paths: () => Promise<string[]>, message: RegExp]>([
    ['is missing', async () => [made[0].path], /a file of made-up-runtime is missing/],
    ['has another byte', async () => [made[0].path, await flipped(made[1].path)], /is another file than/],
    ['is longer', async () => [made[0].path, await longer(made[1].path)], /is another file than/],
    ['is not there', async () => [join(folder, 'nowhere.whl')], /cannot read .*nowhere.whl \(ENOENT\)/],
    ['is a folder', async () => [folder], /is another file than/],
    ['never ends', async () => ['/dev/zero'], /is another file than/],
  ])('installs nothing where a file %s', async (_what, paths, message) => {
    await expect(install(await paths())).rejects.toThrow(message);
    expect(await look()).toBe('none');
    expect(await readdir(librariesFolder(data))).toEqual([]);
  });

  it.each<[what: string, packed: Readonly<Record<string, string>>]>([
    ['unpacks to more than is known of it', { ...runtime, 'libimf.so': '0'.repeat(5_000_000) }],
    ['unpacks to something else', { ...runtime, 'libimf.so': 'Mathematics' }],
    ['is not in the wheel', { 'libimf.so': 'mathematics' }],
  ])('keeps no file that %s, though the wheel’s digest is right', async (_what, packed) => {
    const odd = await makeWheel(folder, 'made-up-runtime', runtime, packed);
    await expect(install([odd.path, made[0].path], [odd, made[0]])).rejects.toThrow(/should/);
    expect(await look()).toBe('none');
    expect(await readdir(librariesFolder(data))).toEqual([]);
  });

  it('writes nothing where an entry of a wheel names another place', async () => {
    const packed = { ...runtime, 'made/lib/libimf.so': 'x', 'other/libcrypto_mb.so.13': 'x' };
    const odd = await makeWheel(folder, 'made-up-runtime', runtime, packed);
    await install([odd.path, made[0].path], [odd, made[0]]);
    expect(await look()).toBe('whole');
    expect((await readdir(data, { recursive: true })).length).toBe(2 + 5);
  });

  it('removes what a run that was killed left behind, not what another one just writes', async () => {
    const [old, young] = [join(librariesFolder(data), 'part-old'), join(librariesFolder(data), 'part-young')];
    for (const part of [old, young]) {
      await mkdir(part, { recursive: true });
      await writeFile(join(part, 'x.whl'), 'x');
    }
    const yesterday = Date.now() / 1_000 - 86_400;
    for (const ending of ['installed', 'there already']) {
      await mkdir(old, { recursive: true });
      await utimes(old, yesterday, yesterday);
      expect(await install()).toBe(ending);
      expect((await readdir(librariesFolder(data))).filter((name) => name.startsWith('part'))).toEqual([
        'part-young',
      ]);
    }
  });

  it.runIf(process.platform === 'linux')('ends where the system makes no folder', async () => {
    const wheels = made.map(({ wheel }) => wheel);
    const bring = async () => made.map(({ path }) => path);
    await expect(installLibrary({ dataFolder: '/proc/here/data', wheels, bring })).rejects.toThrow(
      /the data folder \/proc\/here\/data cannot be made/,
    );
  });

  async function flipped(path: string): Promise<string> {
    const bytes = await readFile(path);
    bytes.writeUInt8((bytes[100] as number) ^ 1, 100);
    await writeFile(join(folder, 'flipped.whl'), bytes);
    return join(folder, 'flipped.whl');
  }

  async function longer(path: string): Promise<string> {
    await writeFile(join(folder, 'longer.whl'), Buffer.concat([await readFile(path), Buffer.alloc(1)]));
    return join(folder, 'longer.whl');
  }
});

it('leaves a data folder empty for a restore: it holds nothing that would be lost', async () => {
  const data = await mkdtemp(join(tmpdir(), 'broadside-empty-'));
  try {
    await mkdir(libraryFolder(data), { recursive: true });
    expect(await readFolderState(data)).toBe('empty');
    await writeFile(join(data, 'format'), '1');
    expect(await readFolderState(data)).toBe('filled');
  } finally {
    await rm(data, { recursive: true, force: true });
  }
});
