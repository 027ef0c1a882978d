import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouse } from './clickhouse.ts';
import { openEmbedded } from './embedded.ts';

/**
 * The location of ClickHouse: a server over HTTP, or the engine inside this process on a folder of its own. One
 * process holds a folder at a time, and one folder a process.
 */
export type ClickHouseHome =
  | {
      readonly kind: 'embedded';
      /** Made where it does not exist. */
      readonly path: string;
      readonly database: string;
    }
  | {
      readonly kind: 'http';
      /** `http://host:8123` or https; no credentials in it. */
      readonly url: string;
      readonly username: string;
      readonly password: string;
      readonly database: string;
      /** The timeout of a request; whether a timed-out request was carried out is unknown. */
      readonly requestTimeoutMs: number;
      readonly maxConnections: number;
    };

const DATABASE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/**
 * Opens the home. A server is not spoken to yet; the embedded engine is up when this resolves (0.7 s).
 * @throws Error where the folder is held by another process, or the database's name is no plain name.
 */
export async function openClickHouse(home: ClickHouseHome): Promise<ClickHouse> {
  if (!DATABASE_NAME.test(home.database)) throw new Error(`not a database name: ${home.database}`);
  return home.kind === 'embedded' ? openEmbedded(home) : openServer(home);
}

type ServerHome = Extract<ClickHouseHome, { kind: 'http' }>;

function openServer(home: ServerHome): ClickHouse {
  const client = createServerClient(home, home.database);
  return {
    client,
    database: home.database,
    createDatabase: async () => {
      // A request that names a database which does not exist fails, even one that would make it.
      const outside = createServerClient(home, 'default');
      try {
        await outside.command({ query: `CREATE DATABASE IF NOT EXISTS ${home.database}` });
      } finally {
        await outside.close();
      }
    },
    ping: async () => (await client.ping({ select: true })).success,
    close: () => client.close(),
  };
}

function createServerClient(home: ServerHome, database: string): ClickHouseClient {
  return createClient({
    url: home.url,
    username: home.username,
    password: home.password,
    database,
    application: 'broadside',
    request_timeout: home.requestTimeoutMs,
    max_open_connections: home.maxConnections,
    // Errors reach the caller as exceptions; the client's own lines on stderr would repeat them.
    log: { level: ClickHouseLogLevel.OFF },
  });
}
