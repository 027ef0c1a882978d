import { randomBytes } from 'node:crypto';
import { constants, copyFile, link, readFile, rm, stat, writeFile } from 'node:fs/promises';

/**
 * A file with a secret that is made on first use, whole or not at all: neither a full disk nor a power cut leaves half of
 * one, and two first starts agree. An empty one, which older releases could leave, is made again.
 * @returns what the file holds now. @throws Error where it cannot be written, such as ENOSPC.
 */
export async function readOrWriteOnce(file: string, text: string): Promise<string> {
  const found = await stat(file).catch(() => null);
  if (found !== null && found.size > 0) return readFile(file, 'utf8');
  const whole = `${file}.${randomBytes(6).toString('hex')}.new`;
  try {
    await writeFile(whole, text, { mode: 0o600, flush: true });
    if (found !== null) await rm(file, { force: true });
    await link(whole, file)
      // Not every disk has links.
      .catch(() => copyFile(whole, file, constants.COPYFILE_EXCL))
      // Another start was faster.
      .catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
  } finally {
    await rm(whole, { force: true });
  }
  return readFile(file, 'utf8');
}
