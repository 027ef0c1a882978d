import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '../../../engine/kit/command-line/endings.ts';

/** Windows has neither, and no links that an ordinary account may make. */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/**
 * Opens a plain file of the folder. Whoever made the folder may have put a link there that leads out of it, or a pipe
 * that never ends: on the way down every step is a real folder, and at its end stands a file with this one name.
 * @param path of known names alone, separated by slashes.
 * @returns null: it is not there.
 * @throws CliError where it is anything else.
 */
export async function openWithin(folder: string, path: string): Promise<FileHandle | null> {
  const names = path.split('/');
  for (let depth = 1; depth < names.length; depth++) {
    const way = names.slice(0, depth).join('/');
    const found = await look(join(folder, way));
    if (found === null) return null;
    if (!found.isDirectory()) throw notPlain(folder, way);
  }
  const file = join(folder, path);
  const found = await look(file);
  if (found === null) return null;
  if (!found.isFile()) throw notPlain(folder, path);
  if (found.nlink > 1) {
    throw new CliError(
      `${path} in ${folder} is a hard link, whose other name may be changed by somebody else: copy the folder first ("cp -r"), and restore from the copy`,
    );
  }
  const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: Error) => {
    throw new CliError(`${path} in ${folder} cannot be read: ${error.message}`);
  });
  const opened = await handle.stat();
  if (opened.ino === found.ino && opened.dev === found.dev) return handle;
  await handle.close();
  throw notPlain(folder, path);
}

const look = (path: string) =>
  lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw new CliError(error.message);
  });

const notPlain = (folder: string, path: string): CliError =>
  new CliError(
    `${path} in ${folder} is a link or no plain file, and a backup has neither: take a copy of the backup as it was written`,
  );

/** All of a small file. @returns null: it is not there. */
export async function readWithin(folder: string, path: string, mostBytes: number): Promise<Buffer | null> {
  await using handle = await openWithin(folder, path);
  if (handle === null) return null;
  const { size } = await handle.stat();
  if (size > mostBytes)
    throw new CliError(
      `${path} in ${folder} is larger than any backup’s (${size} bytes of at most ${mostBytes})`,
    );
  return handle.readFile();
}
