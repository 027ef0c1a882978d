import { embeddedPostgresPackage } from '../../engine/adapters/postgres/embedded.ts';
import { isInstalled } from '../shared/is-installed.ts';

/** The servers that were named in settings: `up` needs no package in their place. */
export interface Servers {
  readonly databaseUrl: string | null;
  readonly clickhouseUrl: string | null;
}

/**
 * @throws Error in one line that names every package which `up` needs and this installation has left out, before
 *   anything is started.
 */
export function refuseMissingPackages({ databaseUrl, clickhouseUrl }: Servers): void {
  const needed = [
    ...(databaseUrl === null ? [{ name: embeddedPostgresPackage(), setting: 'DATABASE_URL' }] : []),
    ...(clickhouseUrl === null ? [{ name: 'chdb', setting: 'CLICKHOUSE_URL' }] : []),
  ];
  const missing = needed.filter(({ name }) => !isInstalled(name));
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(' and ');
  const settings = missing.map(({ setting }) => setting).join(' and ');
  throw new Error(
    `${names} must be installed: run "npm ci" without --omit=optional, or set ${settings} to servers of your own`,
  );
}
