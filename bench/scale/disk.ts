import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** Of a subscriber and a delivery to it, in all files of a stand: what a run of a million took, and a third more. */
const BYTES_A_SUBSCRIBER = 4_000;
/** Both databases without anything in them, and Postgres' log of changes. */
const BYTES_OF_A_STAND = 4e9;

/** Why an audience of this size does not fit on the disk of this folder, and what to do; null where it does. */
export async function diskRefusal(
  subscribers: number,
  folder: string,
  freeBytes: (folder: string) => Promise<number> = readFree,
): Promise<string | null> {
  const needed = BYTES_OF_A_STAND + subscribers * BYTES_A_SUBSCRIBER;
  const free = await freeBytes(folder);
  if (free >= needed) return null;
  return (
    `${subscribers.toLocaleString('en')} subscribers need ${gigabytes(needed)} GB, and ${folder} has ${gigabytes(free)} GB free: ` +
    'name a folder on a larger disk by TMPDIR, or a smaller audience by --max.'
  );
}

async function readFree(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(1);

/** What all files below a folder take now, in bytes; files that go meanwhile are left out. */
export async function bytesBelow(folder: string): Promise<number> {
  let sum = 0;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => null);
    sum += (found?.blocks ?? 0) * BLOCK_BYTES;
  }
  return sum;
}

/** Of `stat`, whatever the file system's are. */
const BLOCK_BYTES = 512;
