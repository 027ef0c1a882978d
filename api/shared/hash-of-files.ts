import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Characters of a hash: enough to tell the builds of a checkout apart. */
const LENGTH = 16;

/**
 * Names a build by what it is made of, so that none can be old.
 * @param base where the paths of `files` begin.
 * @param below a folder under `base`, of which every file counts.
 */
export async function hashOfFiles(base: string, below: string, files: readonly string[]): Promise<string> {
  const entries = await readdir(below, { recursive: true, withFileTypes: true });
  const found = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(base, join(entry.parentPath, entry.name)));
  const hash = createHash('sha256');
  for (const file of [...found.toSorted(), ...files]) {
    const text = await readFile(join(base, file));
    hash.update(`${file}\n${text.length}\n`).update(text);
  }
  return hash.digest('hex').slice(0, LENGTH);
}
