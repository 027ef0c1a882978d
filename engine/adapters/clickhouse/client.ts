import { Agent } from 'node:https';
import { rootCertificates } from 'node:tls';
import {
  type ClickHouseClient,
  type ClickHouseClientConfigOptions,
  ClickHouseLogLevel,
  createClient,
} from '@clickhouse/client';
import type { ClickHouse } from './clickhouse.ts';
import { onCluster } from './cluster.ts';
import { openEmbedded } from './embedded.ts';
import { overReplicas } from './fail-over.ts';

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
      /** `http://host:8123` or https, no credentials in it; or replicas of one server, separated by commas. */
      readonly url: string;
      readonly username: string;
      readonly password: string;
      readonly database: string;
      /** The timeout of a request; whether a timed-out request was carried out is unknown. */
      readonly requestTimeoutMs: number;
      /** To each replica. */
      readonly maxConnections: number;
      /** That the tables are made on. */
      readonly cluster?: string;
      /** PEM of the authorities that are trusted; without it the public ones. */
      readonly ca?: string;
      /** PEM. Without a password it logs the user in. */
      readonly certificate?: { readonly cert: string; readonly key: string };
    };

const DATABASE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/**
 * Opens the home. A server is not spoken to yet; the embedded engine is up when this resolves (0.7 s).
 * @throws Error where the folder is held by another process, or the database's name is not a plain name.
 */
export async function openClickHouse(home: ClickHouseHome): Promise<ClickHouse> {
  if (!DATABASE_NAME.test(home.database)) throw new Error(`not a database name: ${home.database}`);
  return home.kind === 'embedded' ? openEmbedded(home) : openServer(home);
}

type ServerHome = Extract<ClickHouseHome, { kind: 'http' }>;

function openServer(home: ServerHome): ClickHouse {
  const client = connect(home, home.database);
  return {
    client,
    database: home.database,
    replicas: urlsOf(home).length,
    ...(home.cluster === undefined ? {} : { cluster: home.cluster }),
    createDatabase: async () => {
      // A request that names a database which does not exist fails, even one that would make it.
      const outside = connect(home, 'default');
      try {
        const query = `CREATE DATABASE IF NOT EXISTS ${home.database}`;
        await outside.command({ query: onCluster(query, home.cluster) });
      } finally {
        await outside.close();
      }
    },
    ping: async () => (await client.ping({ select: true })).success,
    close: () => client.close(),
  };
}

const urlsOf = ({ url }: ServerHome): string[] => url.split(',').map((each) => each.trim());

function connect(home: ServerHome, database: string): ClickHouseClient {
  const [first, ...others] = urlsOf(home).map((url) => createServerClient(home, url, database));
  if (first === undefined) throw new Error('no address of ClickHouse');
  return others.length === 0 ? first : overReplicas([first, ...others]);
}

function createServerClient(home: ServerHome, url: string, database: string): ClickHouseClient {
  return createClient({
    url,
    username: home.username,
    password: home.password,
    database,
    application: 'broadside',
    request_timeout: home.requestTimeoutMs,
    max_open_connections: home.maxConnections,
    ...tlsOf(home),
    // Errors reach the caller as exceptions; the client's own lines on stderr would repeat them.
    log: { level: ClickHouseLogLevel.OFF },
  });
}

/**
 * The client takes a certificate for the log-in, beside which a server refuses a password. Where there is one, the
 * certificate is for the connection alone, and that is an agent's matter.
 */
function tlsOf({ ca, certificate, password, maxConnections }: ServerHome): TlsOptions {
  if (certificate !== undefined && password !== '') {
    const bounds = { keepAlive: true, maxSockets: maxConnections };
    return { http_agent: new Agent({ ...bounds, ...certificate, ...(ca === undefined ? {} : { ca }) }) };
  }
  if (ca === undefined && certificate === undefined) return {};
  // It wants the authorities named where a certificate is.
  const trusted = { ca_cert: Buffer.from(ca ?? rootCertificates.join('\n')) };
  if (certificate === undefined) return { tls: trusted };
  return { tls: { ...trusted, cert: Buffer.from(certificate.cert), key: Buffer.from(certificate.key) } };
}

type TlsOptions = Partial<Pick<ClickHouseClientConfigOptions, 'tls' | 'http_agent'>>;
