// tier: system
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkManifest, type Manifest } from '../../api/cli/backup/check-manifest.ts';
import { openPacked, readPacked } from '../../api/cli/backup/files.ts';
import { findLink } from '../../api/up/data-folder.ts';
import { CliError } from '../../engine/kit/command-line/endings.ts';
import { runCliHere } from '../support/run-cli-here.ts';

const key = Buffer.alloc(32, 7).toString('base64');

/** What a folder says of a file, whatever is in it. */
const entryOf = (path: string, bytes: Uint8Array) => ({
  path,
  bytes: bytes.length,
  sha256: hash('sha256', bytes),
});

/** Of no table and one key, which is what a restore writes into the data folder by itself. */
const manifestOf = (more: object = {}): object => ({
  ...{ format: 1, broadside: '0.2.0', taken_at: '2030-01-31T00:00:00.000Z' },
  postgres: { server: '18.0', migrations: [], sequences: [], tables: [] },
  clickhouse: { server: '26.7', migrations: [], tables: [] },
  keys: [entryOf('keys/master.key', Buffer.from(key))],
  ...more,
});

const file = entryOf('postgres/apps.copy.zst', Buffer.from('rows'));
const apps = { name: 'apps', columns: ['id'], rows: 1 };
const postgres = { server: '18.0', migrations: [], sequences: [], tables: [{ ...apps, file }] };

describe('a backup that somebody prepared', () => {
  let room: string;
  let backup: string;
  let target: string;
  beforeEach(async () => {
    room = await mkdtemp(join(tmpdir(), 'broadside-hostile-'));
    [backup, target] = [join(room, 'backup'), join(room, 'data')];
    await mkdir(join(backup, 'keys'), { recursive: true });
    await writeFile(join(backup, 'keys', 'master.key'), key);
  });
  afterEach(() => rm(room, { recursive: true, force: true }));

  const write = async (manifest: unknown): Promise<void> => {
    const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
    await writeFile(join(backup, 'manifest.json'), text);
    await writeFile(join(backup, 'manifest.sha256'), hash('sha256', text));
  };
  const restore = (...args: readonly string[]) =>
    runCliHere(['restore', backup, ...args], { cwd: room, env: { DATA_FOLDER: target } });
  /** Refused in one line, with nothing written anywhere. */
  const expectRefused = async (...args: readonly string[]): Promise<string> => {
    const before = await readdir(room, { recursive: true });
    const { code, err } = await restore(...args);
    expect([code, err.replace(/^Checking: .*\n/gm, '')]).toEqual([
      1,
      expect.stringMatching(/^broadside: [^\n]+\n$/),
    ]);
    expect((await readdir(room, { recursive: true })).toSorted()).toEqual(before.toSorted());
    return err;
  };

  it.each([
    'keys/../../outside.key',
    '/tmp/outside.key',
    'keys/../master.key',
    'keys//master.key',
    './keys/master.key',
    'keys\\..\\..\\outside.key',
    'C:\\outside.key',
    'keys/master.key\0.txt',
    'keys/postgres.password',
    'keys/master.key/',
    'KEYS/MASTER.KEY',
    'keys/\u202Eyek.retsam',
    '\u001b]0;title\u0007',
  ])('writes no key to %j', async (path) => {
    // It is there, so that nothing but its place is wrong.
    if (!path.includes('\0')) {
      await mkdir(dirname(join(backup, path)), { recursive: true });
      await writeFile(join(backup, path), key).catch(() => {});
    }
    await write(manifestOf({ keys: [entryOf(path, Buffer.from(key))] }));
    const said = await expectRefused();
    expect(said).toContain('cannot be restored: its manifest.json');
    expect([...said].filter((each) => '\u001b\u0007\u202e'.includes(each))).toEqual([]);
  });

  it.each([
    ['a table of Postgres itself', { tables: [{ ...apps, name: 'pg_authid', file }] }],
    ['a table with a way in its name', { tables: [{ ...apps, name: '../../apps', file }] }],
    ['another file than the table’s', { tables: [{ ...apps, file: { ...file, path: 'keys/master.key' } }] }],
    ['a table twice', { tables: [postgres.tables[0], postgres.tables[0]] }],
    ['a column twice', { tables: [{ ...apps, columns: ['id', 'id'], file }] }],
    ['a negative size', { tables: [{ ...apps, file: { ...file, bytes: -1 } }] }],
    ['a size that is no number', { tables: [{ ...apps, file: { ...file, bytes: '1' } }] }],
    ['no hash', { tables: [{ ...apps, file: { ...file, sha256: '' } }] }],
    ['no tables', { tables: null }],
    ['a sequence that is a statement', { sequences: [{ name: "x'); DROP TABLE apps; --", value: 1 }] }],
    ['a field of its own', { run: 'this' }],
  ])('is refused with %s', async (_, change) => {
    await write(manifestOf({ postgres: { ...postgres, ...change } }));
    await expectRefused();
  });

  it.each(['', 'null', '[]', '{', '"x"', '1e999', '{"format":1}', `${'['.repeat(100_000)}`])(
    'is refused where its manifest is %.20s',
    async (text) => {
      await write(text);
      await expectRefused();
    },
  );

  it('is refused by its size before its manifest is read', async () => {
    await write(manifestOf());
    await truncate(join(backup, 'manifest.json'), 1024 ** 3);
    const before = process.memoryUsage().rss;
    expect(await expectRefused()).toContain('manifest.json');
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1024 ** 2);
  });

  it.each(['manifest.json', 'manifest.sha256', 'keys', 'keys/master.key'])(
    'is refused where %s is a symbolic link',
    async (path) => {
      await write(manifestOf());
      await rename(join(backup, path), join(room, 'elsewhere'));
      await symlink(join(room, 'elsewhere'), join(backup, path));
      expect(await expectRefused()).toContain('is a link or no plain file');
    },
  );

  it.each(['manifest.json', 'keys/master.key'])('is refused where %s is a pipe', async (path) => {
    await write(manifestOf());
    await rm(join(backup, path));
    execFileSync('/usr/bin/env', ['mkfifo', join(backup, path)]);
    expect(await expectRefused()).toContain('is a link or no plain file');
  });

  it('is refused where a file is a hard link', async () => {
    await write(manifestOf());
    await link(join(backup, 'keys', 'master.key'), join(room, 'other'));
    expect(await expectRefused()).toContain('copy the folder first');
  });

  it.each([
    ['smaller', -1],
    ['larger', 1],
  ])('is refused where a file is %s than it says', async (_, by) => {
    const { bytes, ...entry } = entryOf('keys/master.key', Buffer.from(key));
    await write(manifestOf({ keys: [{ ...entry, bytes: bytes - by }] }));
    expect(await expectRefused()).toContain('is not the file that was written');
  });

  it.each(['restoring', 'master.key', 'postgres', 'clickhouse', 'format'])(
    'is not restored through a link in the data folder: %s',
    async (name) => {
      await write(manifestOf());
      await mkdir(target);
      await writeFile(join(room, 'precious'), 'kept');
      await symlink(join(room, 'precious'), join(target, name));
      expect(await expectRefused('--overwrite')).toContain(`${name} in the data folder`);
      expect(await readFile(join(room, 'precious'), 'utf8')).toBe('kept');
      expect((await lstat(join(target, name))).isSymbolicLink()).toBe(true);
      expect(await findLink(target)).toBe(name);
    },
  );

  const pack = async (bytes: Uint8Array, more: object = {}) => {
    const packed = zstdCompressSync(bytes);
    await mkdir(join(backup, 'clickhouse'), { recursive: true });
    await writeFile(join(backup, file.path.replace('postgres', 'clickhouse')), packed);
    return { ...entryOf(file.path.replace('postgres', 'clickhouse'), packed), ...more };
  };

  it('unpacks no further than rows can have been packed', async () => {
    const entry = await pack(Buffer.alloc(512 * 1024 ** 2));
    expect(entry.bytes).toBeLessThan(100_000);
    await expect(readPacked(backup, entry, () => {})).rejects.toThrow(
      /unpacks to more than 1000 times its size/,
    );
  });

  it('is checked once more as it comes in, so that nobody swaps a file after the check', async () => {
    const entry = await pack(Buffer.from('one row\n'.repeat(1_000)));
    const rows = openPacked(backup, { ...entry, sha256: '0'.repeat(64) }, () => {});
    await expect(rows.toArray()).rejects.toThrow('is not the file that was written');
    expect(String(await readPacked(backup, entry, () => {}))).toHaveLength(8_000);
  });
});

describe('the check of a manifest', () => {
  const whole = (): Manifest => {
    const checked = checkManifest(JSON.stringify(manifestOf({ postgres })));
    if (checked.kind === 'wrong') throw new CliError(checked.why);
    return checked.manifest;
  };

  it('takes what a backup writes', () => {
    expect(whole().postgres.tables).toEqual(postgres.tables);
  });

  it('says that a newer Broadside wrote it', () => {
    expect(checkManifest(JSON.stringify(manifestOf({ format: 2 })))).toEqual({
      kind: 'wrong',
      why: 'a newer Broadside wrote it (format 2, this one knows 1)',
    });
  });

  it('lets no path through but those of known names, whatever is put where', () => {
    const strange = fc.oneof(
      fc.constantFrom('..', '/', '\\', '\0', '../x', 'keys/master.key', '', '__proto__', -1, 1e308),
      fc.anything({ maxDepth: 2 }),
      fc.string(),
    );
    const leaves: (readonly (string | number)[])[] = [];
    const walk = (value: unknown, path: readonly (string | number)[]): void => {
      leaves.push(path);
      if (typeof value !== 'object' || value === null) return;
      for (const [name, inner] of Object.entries(value)) walk(inner, [...path, name]);
    };
    walk(manifestOf({ postgres }), []);
    expect(leaves.length).toBeGreaterThan(25);
    let passed = 0;
    fc.assert(
      fc.property(fc.constantFrom(...leaves), strange, (path, value) => {
        const changed = structuredClone(manifestOf({ postgres })) as Record<string, unknown>;
        const parent = path.slice(0, -1).reduce((at, name) => at[name] as never, changed);
        const last = path.at(-1);
        const text = JSON.stringify(
          last === undefined ? value : Object.assign(parent, { [last]: value }) && changed,
        );
        const checked = checkManifest(text ?? '');
        if (checked.kind === 'wrong') return;
        passed++;
        const { manifest } = checked;
        const paths = [...manifest.postgres.tables.map((one) => one.file), ...manifest.keys].map(
          (one) => one.path,
        );
        for (const each of paths)
          expect(each).toMatch(/^(postgres\/[a-z_0-9]+\.copy\.zst|keys\/master\.key(s-old)?)$/);
      }),
      { numRuns: 3_000 },
    );
    expect(passed).toBeGreaterThan(0);
  });
});
