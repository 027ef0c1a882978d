import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { lastReleaseIn } from './release-heading.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const git = async (...args: readonly string[]): Promise<string> =>
  (await run('git', ['-C', root, ...args])).stdout.trim();

export interface LastRelease {
  readonly commit: string;
  /** Names of its migrations of Postgres, in their order. */
  readonly migrations: readonly string[];
}

/**
 * The commit that gave CHANGELOG.md its newest heading of a release.
 * @throws Error where the clone is without its history.
 */
export async function findLastRelease(): Promise<LastRelease> {
  const heading = lastReleaseIn(await readFile(join(root, 'CHANGELOG.md'), 'utf8'));
  if (heading === null) throw new Error('CHANGELOG.md has no release with a date');
  const commit = (await git('log', '--format=%H', `-S${heading}`, '--', 'CHANGELOG.md')).split('\n').at(-1);
  if (!commit) throw new Error(`no commit of "${heading}" is in this clone: git fetch --unshallow`);
  const folder = 'engine/adapters/postgres/migrations/';
  const files = (await git('ls-tree', '--name-only', commit, folder)).split('\n');
  return { commit, migrations: files.map((file) => basename(file, '.sql')).toSorted() };
}

/** Its files in a folder of its own, with this checkout's packages. @returns the folder. */
export async function checkOut({ commit }: LastRelease, parent: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'release-'));
  const archive = join(folder, 'files.tar');
  await git('archive', `--output=${archive}`, commit);
  await run('tar', ['-xf', archive, '-C', folder]);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
