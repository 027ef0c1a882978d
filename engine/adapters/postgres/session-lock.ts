import { connectClient } from './connection.ts';

/** A lock that lives as long as one connection: a process that dies releases it. */
export interface SessionLock {
  release(): Promise<void>;
}

/**
 * Takes the named lock of this database, or finds it taken.
 * @returns null where another process holds it.
 */
export async function takeSessionLock(url: string, name: string): Promise<SessionLock | null> {
  const client = await connectClient(url, { application_name: `broadside ${name}` });
  const { rows } = await client.query<{ held: boolean }>(
    'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held',
    [`broadside ${name}`],
  );
  if (rows[0]?.held) return { release: () => client.end().catch(() => {}) };
  await client.end();
  return null;
}
