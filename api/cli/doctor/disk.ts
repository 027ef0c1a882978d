import { statfs } from 'node:fs/promises';
import type { DiskSpace } from '../../../engine/adapters/telemetry/service-metrics.ts';
import { limits } from '../../../engine/kit/monitoring/limits.ts';
import { type Found, ok, problem, reasonOf, skipped, warning } from './finding.ts';

const GIB = 1024 ** 3;

/** By the limits that alerts have. @param name what is on it. */
export function judgeDisk(name: string, { freeBytes, sizeBytes }: DiskSpace, mend: string): Found {
  const share = freeBytes / sizeBytes;
  const text = `${name}: ${(freeBytes / GIB).toFixed(1)} of ${(sizeBytes / GIB).toFixed(1)} GB free`;
  if (share < limits.diskFreeShare.critical) return problem(text, mend);
  return share < limits.diskFreeShare.warning ? warning(text, mend) : ok(text);
}

/** What `statfs` of Node answers. */
export type ReadSpace = (folder: string) => Promise<{ bavail: number; bsize: number; blocks: number }>;

export async function checkFolder(
  name: string,
  folder: string,
  mend: string,
  read: ReadSpace = statfs,
): Promise<Found> {
  try {
    const { bavail, bsize, blocks } = await read(folder);
    return judgeDisk(`${name} ${folder}`, { freeBytes: bavail * bsize, sizeBytes: blocks * bsize }, mend);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return skipped(`${name} ${folder} is not there yet`);
    return problem(`${name} ${folder}: ${reasonOf(error)}`, 'Give this user read access to the folder.');
  }
}
