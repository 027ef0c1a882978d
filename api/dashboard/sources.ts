import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
export const webFolder = join(folder, 'web');
/** Holds one folder per build; they can be deleted at any time. */
export const buildsFolder = fileURLToPath(new URL('../../.cache/dashboard', import.meta.url));

/** The inputs of a build beside the pages: its script, and its versions. */
const others = [
  'build.ts',
  '../http-client/patient-fetch.ts',
  '../sdk/snippet.ts',
  '../../package-lock.json',
];

/** Where the build of exactly these sources is, or would be. */
export async function buildFolderOfSources(builds = buildsFolder): Promise<string> {
  const entries = await readdir(webFolder, { recursive: true, withFileTypes: true });
  const pages = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const hash = createHash('sha256');
  for (const file of [...pages.toSorted(), ...others]) {
    const text = await readFile(join(folder, file));
    hash.update(`${file}\n${text.length}\n`).update(text);
  }
  return join(builds, hash.digest('hex').slice(0, 16));
}
