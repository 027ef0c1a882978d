import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cacheFolder = fileURLToPath(new URL('../../../.cache/kafka/', import.meta.url));
/** Named for the version, so that an upgrade never meets the jars of the one before. */
const libraryFolder = join(cacheFolder, 'lib-4.1.0');
const DOWNLOAD_TIMEOUT_MS = 180_000;

const dependencies = [
  'org.apache.kafka:kafka_2.13:4.1.0',
  'org.apache.kafka:kafka-tools:4.1.0',
  'org.slf4j:slf4j-simple:1.7.36',
] as const;

export type KafkaAvailability =
  | { readonly available: true }
  | { readonly available: false; readonly reason: string };

/** Whether this machine can run a broker: `java` always, `mvn` as long as the jars are not in the cache. */
export function kafkaAvailability(): KafkaAvailability {
  if (!answers('java', '-version')) return missing('java', 'Java 17 or newer');
  if (!existsSync(libraryFolder) && !answers('mvn', '--version')) return missing('mvn', 'Maven');
  return { available: true };
}

function missing(command: string, name: string): KafkaAvailability {
  return {
    available: false,
    reason: `\`${command}\` is not on the PATH: install ${name} to run a Kafka broker`,
  };
}

function answers(command: string, flag: string): boolean {
  return spawnSync(command, [flag], { stdio: 'ignore' }).status === 0;
}

/**
 * The folder with Kafka's jars, downloaded once (54 MB, about 7 s) into the repository's cache.
 * @throws Error when Maven cannot fetch them.
 */
export async function kafkaLibraries(): Promise<string> {
  if (existsSync(libraryFolder)) return libraryFolder;
  await mkdir(cacheFolder, { recursive: true });
  const folder = await mkdtemp(join(cacheFolder, 'download-'));
  await writeFile(join(folder, 'pom.xml'), pom());
  await run(
    'mvn',
    [
      '-q',
      '-B',
      '-f',
      join(folder, 'pom.xml'),
      'dependency:copy-dependencies',
      `-DoutputDirectory=${folder}/lib`,
    ],
    { timeout: DOWNLOAD_TIMEOUT_MS },
  );
  await publish(join(folder, 'lib'));
  await rm(folder, { recursive: true, force: true });
  return libraryFolder;
}

/** A rename is atomic: two test processes that download at once end with one whole folder. */
async function publish(downloaded: string): Promise<void> {
  try {
    await rename(downloaded, libraryFolder);
  } catch (error) {
    if (!existsSync(libraryFolder)) throw error;
  }
}

function pom(): string {
  const entries = dependencies.map((dependency) => {
    const [group, artifact, version] = dependency.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  });
  return [
    '<project><modelVersion>4.0.0</modelVersion>',
    '<groupId>broadside</groupId><artifactId>test-kafka</artifactId><version>1</version>',
    `<dependencies>${entries.join('')}</dependencies></project>`,
  ].join('\n');
}
