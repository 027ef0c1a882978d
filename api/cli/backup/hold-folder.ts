import { resolve } from 'node:path';
import { hasEmbeddedPostgres, startEmbeddedPostgres } from '../../../engine/adapters/postgres/embedded.ts';
import { takeSessionLock } from '../../../engine/adapters/postgres/session-lock.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import type { BackupConfig } from '../../settings/config.ts';
import { beginFolderRestore, endFolderRestore, findLink, readFolderState } from '../../up/data-folder.ts';

export interface HeldFolder extends AsyncDisposable {
  /** Absolute; null: both databases are servers, and no folder is filled. */
  readonly path: string | null;
  /** From now on roles start on it. */
  whole(): Promise<void>;
}

/**
 * The data folder for the time of a restore: emptied, with a mark on it, and no other process on its Postgres.
 * @throws CliError where it holds something and may not be overwritten, or a Broadside runs on it.
 */
export async function holdFolder(config: BackupConfig, overwrite: boolean): Promise<HeldFolder> {
  const isUsed = config.databaseUrl === null || config.clickhouseUrl === null;
  if (!isUsed) return { path: null, whole: async () => {}, [Symbol.asyncDispose]: async () => {} };
  const path = resolve(config.dataFolder);
  await refuseFilled(path, overwrite);
  if (await hasEmbeddedPostgres(path)) await endPostgres(path);
  await beginFolderRestore(path);
  if (config.databaseUrl !== null)
    return { path, whole: () => endFolderRestore(path), [Symbol.asyncDispose]: async () => {} };
  const postgres = await startEmbeddedPostgres({ folder: path, port: 0, durable: true }).catch(
    async (error) => {
      // Nothing has come in: an empty folder is better than one that is marked.
      await beginFolderRestore(path);
      await endFolderRestore(path);
      throw new CliError((error as Error).message);
    },
  );
  const lock = await takeSessionLock(postgres.url, 'data folder');
  return {
    path,
    whole: () => endFolderRestore(path),
    [Symbol.asyncDispose]: async () => {
      await lock?.release();
      await postgres.stop();
    },
  };
}

async function refuseFilled(path: string, overwrite: boolean): Promise<void> {
  const link = await findLink(path);
  if (link !== null) {
    throw new CliError(
      `${link} in the data folder ${path} is a symbolic link, which a restore does not follow: mount the other disk there instead, or set DATA_FOLDER to another folder`,
    );
  }
  const state = await readFolderState(path);
  if (state === 'empty' || overwrite) return;
  if (state === 'half-restored') {
    throw new CliError(
      `a restore into ${path} has not ended: wait for it, or, if it died, use --overwrite to begin again`,
    );
  }
  throw new CliError(
    `the data folder ${path} is not empty: set DATA_FOLDER to another one, or use --overwrite to remove what it holds`,
  );
}

/** Of a Broadside that does not run, so that its files can go. */
async function endPostgres(path: string): Promise<void> {
  // One that a dead restore left may not start at all; one that runs is taken over.
  const postgres = await startEmbeddedPostgres({ folder: path, port: 0, durable: true }).catch(() => null);
  if (postgres === null) return;
  const lock = await takeSessionLock(postgres.url, 'data folder');
  if (lock === null) {
    await postgres.release();
    throw new CliError(
      `a Broadside runs on the data folder ${path}: stop it first. (After a restore that was killed, its last statement may still run for a minute.)`,
    );
  }
  await lock.release();
  await postgres.stop();
}
