import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Kafka's classes as Java has already read and checked them. */
export interface ClassArchive {
  /** Of a broker's Java: it uses the archive, or writes one as it ends in order. */
  readonly arguments: readonly string[];
  /** By the broker, as it ends in order. */
  readonly isWritten: boolean;
  /** Of any other program of Kafka's: it uses the archive where there is one. */
  readonly ready: readonly string[];
  /** After the broker has ended in order: the next ones use what it wrote. */
  publish(): Promise<void>;
}

/**
 * A broker starts with it in half the time. It belongs to one build of Java and to these very files, and so its name
 * says both; Java goes on without one that does not fit.
 * Source: JEP 350, Dynamic CDS Archives.
 */
export async function classArchive(libraries: string): Promise<ClassArchive> {
  const { stderr: java } = await promisify(execFile)('java', ['-version']);
  const { mtimeMs } = await stat(libraries);
  const build = createHash('sha256').update(`${java} ${mtimeMs}`).digest('hex').slice(0, 12);
  const archive = `${libraries}-${build}.jsa`;
  const ready = [`-XX:SharedArchiveFile=${archive}`];
  if (existsSync(archive)) return { arguments: ready, isWritten: false, ready, publish: async () => {} };
  const written = `${archive}.${randomBytes(4).toString('hex')}`;
  return {
    arguments: [`-XX:ArchiveClassesAtExit=${written}`],
    isWritten: true,
    ready: [],
    publish: async () => {
      if (existsSync(written)) await rename(written, archive);
    },
  };
}
