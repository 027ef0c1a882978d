import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
/** A run leaves far less behind at any time; Docker gives a container 64 MB there. */
const LEAST_FREE_BYTES = 4 * 1024 ** 3;

/**
 * Where a run keeps its temporary folders: in memory, where Linux has room for them. A database is a thousand small
 * files, and each test that wants one of its own copies them: on a disk that takes ten times as long.
 */
export function temporaryFolder(): string {
  if (process.env.TMPDIR !== undefined || !existsSync(IN_MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize < LEAST_FREE_BYTES ? tmpdir() : IN_MEMORY;
}
