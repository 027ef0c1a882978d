import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Servers } from '../crew/crew.ts';
import { median } from '../median.ts';

/** Only the statement that releases shards begins so. */
const RELEASE = 'WITH in_hand AS';

/**
 * How long the statement takes that releases shards, while `work` runs, by Postgres' own log.
 * @returns the median, in ms.
 */
export async function measureRelease({ database }: Servers, work: () => Promise<unknown>): Promise<number> {
  const [row] = await database.query<{ data_directory: string }>('SHOW data_directory');
  const file = join(row?.data_directory ?? '', 'server.log');
  const before = (await readFile(file, 'utf8')).length;
  await setDuration(database, '0');
  await work();
  await setDuration(database, '-1');
  const text = (await readFile(file, 'utf8')).slice(before);
  const durations = [
    ...text.matchAll(/duration: ([\d.]+) ms\s+(?:statement|execute [^:]*):\s+([^\n]*\n?[^\n]*)/g),
  ]
    .filter(([, , statement = '']) => statement.includes(RELEASE))
    .map(([, ms]) => Number(ms));
  if (durations.length === 0) throw new Error('Postgres logged no release of shards');
  return median(durations);
}

async function setDuration(database: Servers['database'], ms: string): Promise<void> {
  await database.query(`ALTER SYSTEM SET log_min_duration_statement = ${ms}`);
  await database.query('SELECT pg_reload_conf()');
}
