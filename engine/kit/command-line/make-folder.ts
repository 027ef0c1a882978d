import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CliError } from './endings.ts';

const reasons: Readonly<Record<string, string>> = {
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full',
  EACCES: 'this account has no right to',
  ENOTDIR: 'a file is in its way',
  EEXIST: 'a file is in its way',
};

/** Why a folder or a file in it cannot be written, for people. */
export const whyNotWritten = ({ code = '' }: NodeJS.ErrnoException): string => reasons[code] ?? code;

interface FolderOptions {
  readonly mode?: number;
  /** What it is, for people. */
  readonly name?: string;
  /** What to do where it cannot be made. */
  readonly mend?: string;
}

/**
 * With the folders above it. As `recursive` of Node, which names the wrong reason on a disk that is read-only, and never
 * ends where the system makes no folders, such as below /proc.
 * @throws CliError in one line.
 */
export async function makeFolder(
  path: string,
  { mode, name = 'folder', mend }: FolderOptions = {},
): Promise<void> {
  const folder = resolve(path);
  await make(folder, mode).catch((error: NodeJS.ErrnoException) => {
    const fault = `the ${name} ${folder} cannot be made (${whyNotWritten(error)})`;
    throw new CliError(mend === undefined ? fault : `${fault}: ${mend}`);
  });
}

async function make(folder: string, mode: number | undefined, isLastTry = false): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (await isFolder(folder)) return;
    if (code !== 'ENOENT' || isLastTry) throw error;
    // Another process may have made it meanwhile.
    if (!(await isFolder(dirname(folder)))) await make(dirname(folder), mode);
    await make(folder, mode, true);
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
