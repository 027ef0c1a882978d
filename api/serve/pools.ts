import type { Database } from '../../engine/adapters/postgres/database.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import type { Logger } from '../../engine/adapters/telemetry/logger.ts';
import type { ApiConfig } from '../settings/config.ts';

/** The API's additional connection pools; closed with the others. */
export function openApiPools(
  createPool: (applicationName: string, maxConnections: number) => Database,
  config: Pick<ApiConfig, 'apiPublicConnections' | 'apiReadConnections'>,
  opened: AsyncDisposableStack,
): { readonly publicDatabase: Database; readonly readDatabase: Database } {
  const publicDatabase = createPool('broadside-public', config.apiPublicConnections);
  opened.defer(() => publicDatabase.close());
  const readDatabase = createPool('broadside-reads', config.apiReadConnections);
  opened.defer(() => readDatabase.close());
  return { publicDatabase, readDatabase };
}

/** Opened only while a query is cancelled. */
const CANCELLING_CONNECTIONS = 1;

/** Most connections that one API opens. */
export const apiConnections = (
  config: Pick<ApiConfig, 'apiDatabaseConnections' | 'apiPublicConnections' | 'apiReadConnections'>,
): number =>
  config.apiDatabaseConnections +
  config.apiPublicConnections +
  config.apiReadConnections +
  CANCELLING_CONNECTIONS;

/** One line in the log where this process alone may ask for more connections than the server has. */
export async function warnOfTooManyConnections(
  sql: Sql,
  wanted: number,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  const [row] = await sql.query<{ most: number }>(
    `SELECT current_setting('max_connections')::integer
       - current_setting('superuser_reserved_connections')::integer AS most`,
  );
  const most = row?.most ?? 0;
  if (wanted <= most) return;
  logger.warn(
    { wanted, most },
    'this process may open more connections than Postgres has: raise max_connections, or lower DATABASE_CONNECTIONS, API_DATABASE_CONNECTIONS, API_PUBLIC_CONNECTIONS or API_READ_CONNECTIONS',
  );
}
