import { connectClient } from './connection.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * A pooler that gives each transaction another session of the server breaks what is kept for a session: the time limit
 * of statements, the lock around migrations, an import's temporary table, and the number by which a running read is
 * cancelled, which is the pooler's own and may be another session's at the server.
 * @throws PoolerRefused where one stands between; any other error as connecting does.
 */
export async function refusePooler(url: string): Promise<void> {
  const client = await connectClient(url, {
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
  }).catch((error: unknown) => {
    throw isRefusedSetting(error) ? new PoolerRefused() : error;
  });
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const { processID } = client as unknown as { readonly processID: number | null };
    if (rows[0]?.pid !== processID) throw new PoolerRefused();
  } finally {
    await client.end().catch(() => {});
  }
}

/** A pooler may refuse the settings of a session before it can be asked. */
const isRefusedSetting = (error: unknown): boolean =>
  (error as { code?: unknown }).code === '08P01' && (error as Error).message.includes('startup parameter');

export class PoolerRefused extends Error {
  constructor() {
    super(
      'DATABASE_URL leads to a pooler such as PgBouncer. Broadside keeps few connections, and needs sessions of its own: ' +
        'for the time limits of statements, the lock of migrations, temporary tables of imports, and to cancel reads. ' +
        'Let DATABASE_URL name Postgres itself',
    );
  }
}
