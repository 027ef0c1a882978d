import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ResultStore, ResultsAway } from './store.ts';

/** A folder of this machine, or one that all reporting processes have mounted. */
export function createFolderStore(folder: string): ResultStore {
  const pathOf = (key: string): string => join(folder, key);
  return {
    put: async (key, path) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await rename(path, pathOf(key));
    },
    read: async (key, start) => {
      const file = await open(pathOf(key)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw new ResultsAway(error.message, { cause: error });
      });
      return file?.createReadStream({ start }) ?? null;
    },
    remove: (key) => rm(pathOf(key), { force: true }),
  };
}
