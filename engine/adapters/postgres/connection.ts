import { isIP } from 'node:net';
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';
import pg from 'pg';
import { type Host, type PostgresUrl, parsePostgresUrl } from '../../contract/settings/postgres-url.ts';

/**
 * A machine that loses its power or its network says nothing. By the defaults of TCP, Postgres would keep its locks
 * for two hours, and we would wait as long for a server that is gone: after this silence each side sends keepalive
 * probes, and drops a connection whose other side does not answer them.
 */
const SILENCE_S = 10;
const serverKeepalive = [
  `-c tcp_keepalives_idle=${SILENCE_S}`,
  '-c tcp_keepalives_interval=5',
  '-c tcp_keepalives_count=3',
].join(' ');
const clientKeepalive = { keepAlive: true, keepAliveInitialDelayMillis: SILENCE_S * 1_000 } as const;

/** What pg's pools and clients are given for a DATABASE_URL, TLS and several hosts included. */
export interface ConnectionConfig {
  readonly connectionString: string;
  /** Settings of each session; what the URL asks for comes last, and wins. */
  readonly options: string;
  readonly keepAlive: boolean;
  readonly keepAliveInitialDelayMillis: number;
  readonly ssl?: boolean | ConnectionOptions;
  /** Of a pool: where the URL names several hosts. */
  readonly Client?: new (
    config?: pg.ClientConfig,
  ) => pg.Client;
}

/** Each call remembers by itself which of several hosts takes writes. */
export function connectionOf(text: string): ConnectionConfig {
  const parsed = parsePostgresUrl(text);
  const [first, ...others] = parsed.hosts;
  const config = {
    connectionString: parsed.url,
    options: `${serverKeepalive} ${parsed.options}`.trimEnd(),
    ...clientKeepalive,
    ...tlsFor(parsed, first),
  };
  return others.length === 0 ? config : { ...config, Client: clientOfWritable(parsed) };
}

/** A client of its own, connected. @throws as pg does. */
export async function connectClient(url: string, given: pg.ClientConfig): Promise<pg.Client> {
  const { Client = pg.Client, ...config } = connectionOf(url);
  const client = new Client({ ...config, ...given });
  client.on('error', () => {});
  await client.connect();
  return client;
}

function tlsFor({ tls }: PostgresUrl, host: Host | undefined): { ssl?: boolean | ConnectionOptions } {
  if (tls === null) return {};
  if (tls.mode === 'disable') return { ssl: false };
  if (tls.mode === 'require') return { ssl: { rejectUnauthorized: false } };
  const name = host?.host ?? '';
  return {
    ssl: {
      rejectUnauthorized: true,
      ...(tls.ca === null ? {} : { ca: tls.ca }),
      // Pg names no server to TLS where the host is an address, and Node would compare with localhost then.
      ...(isIP(name) === 0 ? {} : { checkServerIdentity: (_, cert) => checkServerIdentity(name, cert) }),
    },
  };
}

const PROBE_TIMEOUT_MS = 2_000;

/** Of several hosts the one that takes writes, as libpq's target_session_attrs=read-write looks for it. */
function clientOfWritable(parsed: PostgresUrl): new (config?: pg.ClientConfig) => pg.Client {
  let known: Promise<Host> | null = null;
  const find = (config: pg.ClientConfig): Promise<Host> => {
    known ??= findWritable(parsed, config);
    known.catch(() => {
      known = null;
    });
    return known;
  };
  class WritableClient extends pg.Client {
    readonly #config: pg.ClientConfig;
    constructor(config: pg.ClientConfig = {}) {
      super(config);
      this.#config = config;
    }
    // A pool passes a callback, everybody else awaits.
    override connect(callback?: (error: never, client: never) => void): never {
      const connecting = this.#connect();
      if (callback === undefined) return connecting as never;
      connecting.then(
        () => callback(null as never, this as never),
        (error) => callback(error as never, undefined as never),
      );
      return undefined as never;
    }
    async #connect(): Promise<this> {
      const place = await find(this.#config);
      const { ssl } = tlsFor(parsed, place);
      // Pg reads these when it connects.
      Object.assign(this, place);
      if (ssl !== undefined) Object.assign((this as unknown as { connection: object }).connection, { ssl });
      try {
        await super.connect();
        if (await isReadOnly(this as never)) throw new NoPrimary(`${place.host} takes no writes any more`);
        return this;
      } catch (error) {
        known = null;
        await super.end().catch(() => {});
        throw error;
      }
    }
  }
  return WritableClient as never;
}

async function findWritable(parsed: PostgresUrl, config: pg.ClientConfig): Promise<Host> {
  let reason = '';
  for (const place of parsed.hosts) {
    const { connectionString: _, ...rest } = config;
    const { user, password, database } = new pg.Client({ connectionString: parsed.url });
    const client = new pg.Client({
      ...rest,
      ...{ ...place, ...tlsFor(parsed, place), connectionTimeoutMillis: PROBE_TIMEOUT_MS },
      user,
      password: password ?? undefined,
      database,
    } as pg.ClientConfig);
    client.on('error', () => {});
    try {
      await client.connect();
      if (!(await isReadOnly(client))) return place;
      reason = 'it takes no writes';
    } catch (error) {
      reason = (error as Error).message;
    } finally {
      await client.end().catch(() => {});
    }
  }
  throw new NoPrimary(`of the hosts in DATABASE_URL none takes writes (the last one: ${reason})`);
}

async function isReadOnly(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ value: string }>({
    text: `SELECT current_setting('transaction_read_only') AS value`,
    query_timeout: PROBE_TIMEOUT_MS,
  } as never);
  return rows[0]?.value === 'on';
}

/** In the middle of a fail-over; it passes. */
class NoPrimary extends Error {
  /** Postgres' own: read_only_sql_transaction. */
  readonly code = '25006';
}
