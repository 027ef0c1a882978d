// tier: system
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../architecture/temporary-tree.ts';

const execute = promisify(execFile);

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const broadside = (root: string, ...options: string[]): Promise<Ended> =>
  execute(process.execPath, [join(root, 'api/bin.mjs'), ...options], { cwd: root }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
  );

describe('the demo', () => {
  let shipped: string;
  /** As an installation has it: the roles without the bench. */
  beforeAll(async () => {
    shipped = await mkdtemp(join(tmpdir(), 'broadside-shipped-'));
    for (const part of ['api', 'engine', 'reporting', 'package.json'])
      await cp(join(repositoryRoot, part), join(shipped, part), { recursive: true });
    await symlink(join(repositoryRoot, 'node_modules'), join(shipped, 'node_modules'));
  });
  afterAll(() => rm(shipped, { recursive: true, force: true }));

  it('is offered in a checkout', async () => {
    expect((await broadside(repositoryRoot, '--help')).stdout).toMatch(/^ {2}demo /m);
  });

  it('is not offered where the bench is not shipped, and says so in one line where it is asked for', async () => {
    const help = await broadside(shipped, '--help');
    expect([help.code, help.stdout]).toEqual([0, expect.stringMatching(/^ {2}up /m)]);
    expect(help.stdout).not.toContain('demo');
    for (const options of [['demo'], ['demo', '--subscribers', '5000', '--verify', 'all']]) {
      expect(await broadside(shipped, ...options)).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'broadside: the demo is not part of this installation: run it from a checkout of the sources\n',
      });
    }
  });
});
