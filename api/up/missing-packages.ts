import { isChdbInstalled } from '../../engine/adapters/clickhouse/load-chdb.ts';
import { embeddedPostgresPackage } from '../../engine/adapters/postgres/embedded.ts';

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
  const postgres = databaseUrl === null ? embeddedPostgresPackage() : null;
  const missing = [
    ...(postgres?.isInstalled === false ? [{ name: postgres.name, setting: 'DATABASE_URL' }] : []),
    ...(clickhouseUrl === null && !isChdbInstalled() ? [{ name: 'chdb', setting: 'CLICKHOUSE_URL' }] : []),
  ];
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(' and ');
  const settings = missing.map(({ setting }) => setting).join(' and ');
  throw new Error(
    `${names} must be installed: run "npm ci" without --omit=optional, or set ${settings} to servers of your own`,
  );
}
