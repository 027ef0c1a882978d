import { execFile } from 'node:child_process';
import { chmod, chown, readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** The account of the embedded Postgres; empty: the account that Broadside runs as. */
export type Account = Partial<NamedAccount>;

interface NamedAccount {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const run = promisify(execFile);

/** Postgres refuses to run as root: there it runs as the system's `postgres`, otherwise as `nobody`. */
export async function serverAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const entry = lines.find(([name]) => name === 'postgres') ?? lines.find(([name]) => name === 'nobody');
  if (entry === undefined)
    throw new Error('Postgres cannot run as root, and there is no user "nobody" to run it as');
  return { name: entry[0] ?? '', uid: Number(entry[2]), gid: Number(entry[3]) };
}

/**
 * Under root the server has an account of its own, which must get through the folder to its files: its group
 * may pass (`x`), not look (`r`). Owned by that account instead, the folder would let a broken server replace
 * the master key.
 * @throws Error where a parent folder stops that account: that one is not ours to open.
 */
export async function letThrough(folder: string, account: Account): Promise<void> {
  if (!isNamed(account)) return;
  const { mode, uid } = await stat(folder);
  if ((mode & 0o001) === 0) {
    await chown(folder, uid, account.gid);
    await chmod(folder, (mode & 0o7700) | 0o010);
  }
  if (await enters(folder, account)) return;
  const closed = await closedFolder(await realpath(folder), account);
  throw new Error(
    `the data folder ${folder} is below ${closed}, which the account ${account.name} may not enter: started as root, ` +
      `Broadside runs the embedded Postgres as ${account.name}. Set DATA_FOLDER to a folder outside ${closed}, ` +
      `let other accounts pass through it (chmod o+x ${closed}), or start Broadside as the account that owns it, not as root`,
  );
}

const isNamed = (account: Account): account is NamedAccount => account.uid !== undefined;

/** Checked by the system itself: an access control list may override the mode. */
const enters = (folder: string, { uid, gid }: NamedAccount): Promise<boolean> =>
  run('/bin/sh', ['-c', 'cd -- "$0"', folder], { uid, gid, cwd: '/' }).then(
    () => true,
    () => false,
  );

/** The first of the folders from the root on that the account may not enter. */
async function closedFolder(folder: string, account: NamedAccount): Promise<string> {
  const above = dirname(folder);
  if (above === folder) return folder;
  return (await enters(above, account)) ? folder : closedFolder(above, account);
}
