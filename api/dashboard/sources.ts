import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashOfFiles } from '../shared/hash-of-files.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
export const webFolder = join(folder, 'web');
/** Holds one folder per build; they can be deleted at any time. */
export const buildsFolder = fileURLToPath(new URL('../../.cache/dashboard', import.meta.url));

/** The build that an installed package brings in the place of the pages' sources. */
const shipped = fileURLToPath(new URL('../../built/dashboard', import.meta.url));

/** The inputs of a build beside the pages: its script, and its versions. */
const others = [
  'build.ts',
  '../http-client/patient-fetch.ts',
  '../sdk/snippet.ts',
  '../../package-lock.json',
];

/** Where the build of exactly these sources is, or would be. */
export async function buildFolderOfSources(builds = buildsFolder): Promise<string> {
  if (existsSync(shipped)) return shipped;
  return join(builds, await hashOfFiles(folder, webFolder, others));
}
