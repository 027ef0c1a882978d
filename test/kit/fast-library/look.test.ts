// tier: unit
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Kept, libraryFolder, libraryPath } from '../../../engine/kit/fast-library/files.ts';
import { adviceOn, findFastLibrary, lookAt, whyImpossible } from '../../../engine/kit/fast-library/look.ts';

const text = 'made-up library';
const files: readonly Kept[] = ['libcrypto_mb.so.13', 'libimf.so'].map((name) => ({
  name,
  bytes: text.length,
  sha256: createHash('sha256').update(text).digest('hex'),
}));

describe('the installed encryption library', () => {
  let data: string;
  const at = (name: string): string => join(libraryFolder(data), name);
  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'broadside-library-'));
    await mkdir(libraryFolder(data), { recursive: true, mode: 0o755 });
    for (const { name } of files) await writeFile(at(name), text, { mode: 0o644 });
  });
  afterEach(() => rm(data, { recursive: true, force: true }));
  const find = (impossible: string | null = null) => findFastLibrary(data, impossible, { files });

  it('is found in the data folder, whole', async () => {
    expect(await find()).toEqual({ path: libraryPath(data), advice: null });
  });

  it.each<[what: string, change: () => Promise<unknown>]>([
    ['misses a file', () => rm(at('libimf.so'))],
    ['has another byte', () => writeFile(at('libimf.so'), text.replace('m', 'n'))],
    ['ends early', () => truncate(at('libimf.so'), 4)],
    ['is a link', () => rm(at('libimf.so')).then(() => symlink('/etc/hostname', at('libimf.so')))],
    ['is a folder', () => rm(at('libimf.so')).then(() => mkdir(at('libimf.so')))],
  ])('is not loaded where it %s, and the advice is to install it again', async (_what, change) => {
    await change();
    expect(await find()).toEqual({
      path: null,
      advice: expect.stringContaining('encryption install" again'),
    });
  });

  it.each<[what: string, path: () => string]>([
    ['a file', () => at('libimf.so')],
    ['its folder', () => libraryFolder(data)],
    ['the folder of libraries', () => join(data, 'crypto-mb')],
    ['the data folder', () => data],
  ])('is not loaded where others may write to %s', async (_what, path) => {
    await chmod(path(), 0o777);
    expect(await find()).toEqual({ path: null, advice: expect.stringMatching(/^Other accounts may write/) });
  });

  it('is not loaded where another account put it', async () => {
    expect(await lookAt(data, { files, owners: [-1] })).toBe('open to others');
  });

  it('is loaded from a shared folder where nobody can rename what others own', async () => {
    await chmod(data, 0o1777);
    expect(await lookAt(data, { files })).toBe('whole');
  });

  it('is advised where this machine could use it and has none', async () => {
    await rm(libraryFolder(data), { recursive: true });
    expect(await find()).toEqual({ path: null, advice: expect.stringContaining('twice as fast') });
    expect(await find('this CPU has no AVX-512 IFMA')).toEqual({ path: null, advice: null });
  });

  it('is not advised to an operator who chose another backend or library, or where it is used', async () => {
    const found = { path: null, advice: 'Install it.' };
    const left = { encryptionBackend: 'auto', cryptoMbLibrary: null };
    expect(adviceOn(found, left, 'openssl')).toBe('Install it.');
    expect(adviceOn(found, { ...left, encryptionBackend: 'multibuffer' }, 'openssl')).toBe('Install it.');
    expect(adviceOn(found, left, 'multibuffer')).toBeNull();
    expect(adviceOn(found, { ...left, encryptionBackend: 'node' }, 'node')).toBeNull();
    expect(adviceOn(found, { ...left, cryptoMbLibrary: '/opt/x.so' }, 'openssl')).toBeNull();
  });

  it('needs Linux on x64 and a CPU with AVX-512 IFMA', () => {
    const flags = (text: string) => () => `flags : fpu ${text} sse\n`;
    expect(whyImpossible('linux', 'x64', flags('avx512ifma'))).toBeNull();
    expect(whyImpossible('linux', 'x64', flags('avx512f'))).toBe('this CPU has no AVX-512 IFMA');
    expect(whyImpossible('darwin', 'arm64', flags('avx512ifma'))).toContain('darwin on arm64');
  });
});
