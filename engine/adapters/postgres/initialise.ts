import { execFile } from 'node:child_process';
import { chown, mkdir, open, readdir, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Account } from './server-account.ts';

const MAJOR = '18';
/** Of the embedded databases, empty. */
const FIRST_MB = 100;
const run = promisify(execFile);

export interface NewCluster {
  /** The program. */
  readonly initdb: string;
  readonly account: Account;
  /** Where the cluster will be; absolute. */
  readonly data: string;
  readonly password: string;
}

/**
 * Makes the files of the embedded Postgres where there are none: beside their place, and then moved there. So a first start that
 * is killed at any time leaves nothing that a next one would take for a database, and of two first starts one wins.
 * @throws Error in one clear line: another major version, no space, no right to write.
 */
export async function initialise({ initdb, account, data, password }: NewCluster): Promise<void> {
  const version = await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => null);
  if (version?.trim() === MAJOR) return;
  if (version !== null) {
    throw new Error(
      `${data} holds a Postgres ${version.trim()} database, this Broadside runs Postgres ${MAJOR}`,
    );
  }
  await removeHalfMade(data);
  await refuseFullDisk(dirname(data));
  const made = `${data}.new.${process.pid}`;
  const secret = `${made}.password`;
  try {
    await mkdir(made, { mode: 0o700 });
    // Initdb reads the password as the server's account, from a folder that account owns.
    await writeFile(secret, password, { mode: 0o600 });
    if (account.uid !== undefined && account.gid !== undefined) {
      await chown(made, account.uid, account.gid);
      await chown(secret, account.uid, account.gid);
    }
    const flags = [
      '--username=broadside',
      `--pwfile=${secret}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
    ];
    await run(initdb, ['-D', made, ...flags], { ...account, cwd: made });
    await moveInto(made, data);
  } catch (error) {
    throw new Error(`could not create the embedded Postgres in ${data}: ${reasonOf(error)}`);
  } finally {
    await rm(made, { recursive: true, force: true });
    await rm(secret, { force: true });
  }
}

/** What initdb says of a full disk depends on which of its files is the first to fail. */
async function refuseFullDisk(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const freeMb = Math.floor((bavail * bsize) / 1e6);
  if (freeMb >= FIRST_MB) return;
  throw new Error(
    `the disk of ${folder} has ${freeMb} MB left, and a first start takes ${FIRST_MB} MB: make room, or set DATA_FOLDER to a folder on another disk`,
  );
}

/** Where another start was faster, its cluster is as good as ours. */
async function moveInto(made: string, data: string): Promise<void> {
  await rename(made, data).catch(async () => {
    const isWhole = await readFile(join(data, 'PG_VERSION')).then(
      () => true,
      () => false,
    );
    if (isWhole) return;
    // What an older Broadside had begun.
    await rm(data, { recursive: true, force: true });
    await rename(made, data);
  });
  // The name itself must outlive a power cut, or a next start would find none and begin again.
  const folder = await open(dirname(data), 'r').catch(() => null);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

/** Of starts that were killed. One that runs now, in another process, is left alone. */
async function removeHalfMade(data: string): Promise<void> {
  const begin = `${basename(data)}.new.`;
  for (const name of await readdir(dirname(data))) {
    const pid = Number.parseInt(name.slice(begin.length), 10);
    if (!name.startsWith(begin) || (pid !== process.pid && isAlive(pid))) continue;
    await rm(join(dirname(data), name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Of what initdb said, the line that names what failed; it says first what it does. */
function reasonOf(error: unknown): string {
  const lines = ((error as { stderr?: string }).stderr || (error as Error).message).trim().split('\n');
  return lines.find((line) => /error|fatal|could not|denied/i.test(line)) ?? lines[0] ?? '';
}
