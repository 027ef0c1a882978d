import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const DOWNLOAD_TIMEOUT_MS = 180_000;

export interface MavenLibraries {
  /** Of a folder in the repository's cache. */
  readonly name: string;
  /** Named for the version, so that an upgrade never meets the jars of the one before. */
  readonly folder: string;
  /** `group:artifact:version` */
  readonly dependencies: readonly string[];
}

export type JavaAvailability =
  | { readonly available: true }
  | { readonly available: false; readonly reason: string };

const cacheOf = ({ name }: MavenLibraries): string =>
  fileURLToPath(new URL(`../../.cache/${name}/`, import.meta.url));
const folderOf = (libraries: MavenLibraries): string => join(cacheOf(libraries), libraries.folder);

/**
 * Whether this machine can run them: `java` always, `mvn` as long as the jars are not in the cache.
 * @param what "to run a Kafka broker"
 */
export function javaAvailability(libraries: MavenLibraries, what: string): JavaAvailability {
  const missing = (command: string, name: string): JavaAvailability => ({
    available: false,
    reason: `\`${command}\` is not on the PATH: install ${name} ${what}`,
  });
  if (!answers('java', '-version')) return missing('java', 'Java 17 or newer');
  if (!existsSync(folderOf(libraries)) && !answers('mvn', '--version')) return missing('mvn', 'Maven');
  return { available: true };
}

function answers(command: string, flag: string): boolean {
  return spawnSync(command, [flag], { stdio: 'ignore' }).status === 0;
}

/**
 * The folder with the jars, downloaded once into the repository's cache.
 * @throws Error when Maven cannot fetch them.
 */
export async function mavenLibraries(libraries: MavenLibraries): Promise<string> {
  const libraryFolder = folderOf(libraries);
  if (existsSync(libraryFolder)) return libraryFolder;
  await mkdir(cacheOf(libraries), { recursive: true });
  const folder = await mkdtemp(join(cacheOf(libraries), 'download-'));
  await writeFile(join(folder, 'pom.xml'), pom(libraries));
  const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${folder}/lib`];
  await run('mvn', ['-q', '-B', '-f', join(folder, 'pom.xml'), ...goal], { timeout: DOWNLOAD_TIMEOUT_MS });
  await publish(join(folder, 'lib'), libraryFolder);
  await rm(folder, { recursive: true, force: true });
  return libraryFolder;
}

/** A rename is atomic: two test processes that download at once end with one whole folder. */
async function publish(downloaded: string, libraryFolder: string): Promise<void> {
  try {
    await rename(downloaded, libraryFolder);
  } catch (error) {
    if (!existsSync(libraryFolder)) throw error;
  }
}

function pom({ name, dependencies }: MavenLibraries): string {
  const entries = dependencies.map((dependency) => {
    const [group, artifact, version] = dependency.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  });
  return [
    '<project><modelVersion>4.0.0</modelVersion>',
    `<groupId>broadside</groupId><artifactId>test-${name}</artifactId><version>1</version>`,
    `<dependencies>${entries.join('')}</dependencies></project>`,
  ].join('\n');
}
