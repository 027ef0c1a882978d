import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliError } from './endings.ts';
import { makeFolder } from './make-folder.ts';

/** With the folders above it. @throws CliError in one line. */
export async function writeTextFile(file: string, text: string): Promise<void> {
  await makeFolder(dirname(file));
  await writeFile(file, text).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`cannot write ${file}: ${error.message}`, { cause: error });
  });
}
