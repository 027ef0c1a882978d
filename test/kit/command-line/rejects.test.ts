// tier: unit
import { link, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { createRejects } from '../../../engine/kit/command-line/file/report.ts';

/** Many times what the file's stream buffers. */
const LINES = 5_000;
const raw = 'x'.repeat(1_000);

describe('the refused lines of an import', async () => {
  let shown: string[];
  const folder = await mkdtemp(join(tmpdir(), 'broadside-rejects-'));
  afterAll(() => rm(folder, { recursive: true }));
  beforeEach(() => {
    shown = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => shown.push(String(text).trimEnd()) > 0);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('are all written to the file, however slowly it takes them, without a warning of Node', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on('warning', onWarning);
    const file = join(folder, 'rejects.ndjson');
    const rejects = await createRejects(file, []);
    for (let line = 1; line <= LINES; line++) await rejects.add({ line, reason: 'is not an object', raw });
    await rejects.close();
    process.off('warning', onWarning);
    const written = (await readFile(file, 'utf8')).trim().split('\n');
    expect(written.map((text) => JSON.parse(text).line)).toEqual(
      Array.from({ length: LINES }, (_, n) => n + 1),
    );
    expect(warnings).toEqual([]);
  });

  it('are never written over a file that is read, by whatever name it has', async () => {
    const list = join(folder, 'list.csv');
    await writeFile(list, 'a,b\n');
    await link(list, join(folder, 'linked.csv'));
    await symlink(list, join(folder, 'pointer.csv'));
    for (const name of ['list.csv', 'linked.csv', 'pointer.csv'])
      await expect(createRejects(join(folder, name), ['other.csv', list])).rejects.toThrow(
        /is a file that is read: it would be emptied/,
      );
    expect(await readFile(list, 'utf8')).toBe('a,b\n');
  });

  it('are for the user alone, since they hold keys of readers', async () => {
    const file = join(folder, 'private.ndjson');
    await (await createRejects(file, [])).close();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('are counted by reason where not all of them are shown', async () => {
    const few = await createRejects(undefined, []);
    for (let line = 1; line <= 20; line++) await few.add({ line, reason: 'is not an object', raw });
    await few.close();
    expect(shown).toHaveLength(20);
    shown = [];
    const many = await createRejects(undefined, []);
    for (let line = 1; line <= 2_000; line++)
      await many.add({ line, reason: line % 10 === 0 ? 'endpoint is missing' : 'is not an object', raw });
    await many.close();
    expect(shown.slice(20)).toEqual([
      '… and 1,980 more refused lines (--rejects FILE writes all of them)',
      'Refused lines by reason:\n  1,800: is not an object\n  200: endpoint is missing',
    ]);
  });

  it('end the import where the file cannot be written', async () => {
    await expect(createRejects(join(folder, 'absent', 'rejects.ndjson'), [])).rejects.toThrow(CliError);
    // Every write to it fails as on a full disk; where there is no such device, nothing is to be seen.
    if (process.platform !== 'linux') return;
    const rejects = await createRejects('/dev/full', []);
    const addAll = async () => {
      for (let line = 1; line <= LINES; line++) await rejects.add({ line, reason: 'is not an object', raw });
      await rejects.close();
    };
    await expect(addAll()).rejects.toThrow(/^cannot write \/dev\/full: ENOSPC/);
  });
});
