import { randomBytes } from 'node:crypto';
import { appendFile, chmod, lstat, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readOrWriteOnce } from '../../engine/adapters/postgres/write-once.ts';
import { makeFolder, whyNotWritten } from '../../engine/kit/command-line/make-folder.ts';
import { LIBRARIES_FOLDER } from '../../engine/kit/fast-library/files.ts';

/**
 * The folder of the embedded mode:
 *
 *     format               the format's version, so that an older Broadside does not touch a newer one's data
 *     master.key           seals the apps' private keys; without it they are lost: back it up apart
 *     master.keys-old      former keys, one a line: they may still open older values
 *     postgres/  postgres.password
 *     postgres.users/      a file for each process that uses the embedded Postgres now
 *     clickhouse/
 *     crypto-mb/           the encryption library, where it was installed
 *     restoring            stands while a restore into the folder has not ended
 *
 * Only its owner may read it. (Under root the account of the embedded Postgres may pass through.)
 */
export interface DataFolder {
  readonly path: string;
  readonly clickhousePath: string;
}

const FORMAT = 1;

/** @throws Error in one clear line where a newer Broadside wrote it, or it cannot be written. */
export async function openDataFolder(path: string): Promise<DataFolder> {
  const folder = resolve(path);
  await makeDataFolder(folder);
  if (await isHalfRestored(folder)) {
    throw new Error(
      `a restore into the data folder ${folder} has not ended: wait for it, or run "broadside restore" again with --overwrite`,
    );
  }
  const file = join(folder, 'format');
  const found = await readFile(file, 'utf8').catch(() => null);
  if (found !== null && Number(found) > FORMAT) {
    throw new Error(
      `the data folder ${folder} was written by a newer Broadside (format ${found.trim()}, this one knows ${FORMAT})`,
    );
  }
  if (found === null) {
    await writeFile(file, `${FORMAT}\n`, { mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
      throw new Error(
        `the data folder ${folder} cannot be written (${whyNotWritten(error)}): set DATA_FOLDER to another one`,
      );
    });
  }
  await makePrivate(folder);
  return { path: folder, clickhousePath: join(folder, 'clickhouse') };
}

/** @throws CliError in one line, with the setting. */
export const makeDataFolder = (folder: string): Promise<void> =>
  makeFolder(folder, { mode: 0o700, name: 'data folder', mend: 'set DATA_FOLDER to another one' });

const restoring = (folder: string): string => join(folder, 'restoring');

const isHalfRestored = (folder: string): Promise<boolean> =>
  stat(restoring(folder)).then(
    () => true,
    () => false,
  );

export type FolderState = 'empty' | 'filled' | 'half-restored';

/** What a restore would find; a folder that is not there is empty. */
export async function readFolderState(path: string): Promise<FolderState> {
  const folder = resolve(path);
  if (await isHalfRestored(folder)) return 'half-restored';
  const names = await readdir(folder).catch(() => []);
  // Libraries may be installed before anything is restored.
  return names.every((name) => name === LIBRARIES_FOLDER) ? 'empty' : 'filled';
}

/** A restore empties and fills these: behind a link they would be somebody else's. @returns the first that is a link. */
export async function findLink(path: string): Promise<string | null> {
  for (const name of ['restoring', ...owned]) {
    const found = await lstat(join(resolve(path), name)).catch(() => null);
    if (found?.isSymbolicLink()) return name;
  }
  return null;
}

/** Marks the folder, then empties it of what a Broadside keeps there. From here on none starts on it. */
export async function beginFolderRestore(path: string): Promise<void> {
  const folder = resolve(path);
  await makeDataFolder(folder);
  await writeFile(restoring(folder), '', { mode: 0o600, flush: true });
  for (const name of owned) await rm(join(folder, name), { recursive: true, force: true });
  await makePrivate(folder);
}

export const endFolderRestore = (path: string): Promise<void> =>
  rm(restoring(resolve(path)), { force: true });

/** Files of the folder that hold keys. */
export const keyFiles = ['master.key', 'master.keys-old'] as const;
/** What a Broadside keeps there, except for the mark of a restore. */
const owned = [
  ...['postgres', 'postgres.users', 'postgres.password', 'clickhouse', 'intake.json', 'format'],
  ...keyFiles,
];

const SHARED_BY_DESIGN = 0o1000;

/**
 * Also the folder and files of older releases, which were world-readable. A shared place (`/tmp`, by its sticky
 * bit) stays as it is, and so does a volume that another account owns: the files in it are private themselves.
 */
async function makePrivate(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  if ((mode & SHARED_BY_DESIGN) === 0) await chmod(folder, 0o700).catch(() => {});
  for (const name of ['format', 'postgres.password', ...keyFiles]) {
    await chmod(join(folder, name), 0o600).catch(() => {});
  }
}

/** The master key of the folder, made on first use; base64 of 32 random bytes. */
export async function readOrMakeMasterKey(folder: DataFolder): Promise<string> {
  const key = `${randomBytes(32).toString('base64')}\n`;
  return (await readOrWriteOnce(keyFile(folder.path), key)).trim();
}

const keyFile = (folder: string): string => join(resolve(folder), 'master.key');
const oldKeysFile = (folder: string): string => join(resolve(folder), 'master.keys-old');

/** The folder's keys; null where it has none. */
export async function readFolderKeys(
  folder: string,
): Promise<{ readonly current: string; readonly old: readonly string[] } | null> {
  const current = await readFile(keyFile(folder), 'utf8').catch(() => null);
  return current === null ? null : { current: current.trim(), old: await readOldMasterKeys(folder) };
}

export async function readOldMasterKeys(folder: string): Promise<readonly string[]> {
  const text = await readFile(oldKeysFile(folder), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

/**
 * Makes a new key the folder's, and keeps the former one. In this order: a crash in between leaves a key that
 * is both current and old, which is the same as current.
 * @throws Error where the folder has no key.
 */
export async function addMasterKey(folder: string): Promise<string> {
  const before = (await readFile(keyFile(folder), 'utf8')).trim();
  const key = randomBytes(32).toString('base64');
  await appendFile(oldKeysFile(folder), `${before}\n`, { mode: 0o600, flush: true });
  await writeFile(`${keyFile(folder)}.new`, `${key}\n`, { mode: 0o600, flush: true });
  await rename(`${keyFile(folder)}.new`, keyFile(folder));
  return key;
}
