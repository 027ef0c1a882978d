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
    await server.stop();
    expect(server.adopted).toBe(false);
  });
});
