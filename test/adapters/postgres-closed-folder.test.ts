// tier: unit
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../../engine/adapters/postgres/embedded.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'broadside-closed-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const isRoot = process.getuid?.() === 0;
const start = (folder: string) => startEmbeddedPostgres({ folder, port: 0, durable: false });

describe('the embedded Postgres under root', () => {
  it.runIf(isRoot)(
    'names the parent folder that its account may not enter, and how to resolve it',
    async () => {
      const closed = join(home, 'closed');
      const data = join(closed, 'sites', 'data');
      await chmod(home, 0o755);
      await mkdir(data, { recursive: true, mode: 0o755 });
      await chmod(closed, 0o700);
      const failure = await start(data).then(
        () => null,
        (error: Error) => error,
      );
      expect(failure?.message).toContain(`is below ${closed}, which the account`);
      expect(failure?.message).toContain('started as root, Broadside runs the embedded Postgres as');
      expect(failure?.message).toContain('DATA_FOLDER');
      expect(failure?.message).toContain(`chmod o+x ${closed}`);
      expect(failure?.message).not.toContain('\n');
    },
  );

  it.runIf(isRoot)('starts once that folder lets other accounts pass', async () => {
    const closed = join(home, 'closed');
    await chmod(home, 0o755);
    await mkdir(join(closed, 'data'), { recursive: true, mode: 0o700 });
    await chmod(closed, 0o701);
    const server = await start(join(closed, 'data'));
    expect(server.url).toContain('@127.0.0.1:');
    await server.stop();
  });
});

describe('the embedded Postgres in a folder with an unusual name', () => {
  it.each(['a"b', 'a$HOME', 'a`b', 'a\\b'])('names what it cannot take of %s', async (name) => {
    await expect(start(join(home, name))).rejects.toThrow(/in its name, which the embedded Postgres cannot/);
  });

  it('starts with spaces, letters of other scripts and an apostrophe', async () => {
    await chmod(home, 0o755);
    const folder = join(home, "Ada's Ünï çodé 数据");
    await mkdir(folder, { mode: 0o755 });
    const server = await start(folder);
    await server.release();
    expect(server.url).toContain('@127.0.0.1:');
  });
});
