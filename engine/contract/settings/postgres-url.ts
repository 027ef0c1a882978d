import { optionalChoice, optionalText, type Values } from './settings.ts';

/** How the way to Postgres is protected, for every role and command. */
export const databaseTlsSettings = {
  databaseSslMode: optionalChoice(
    'DATABASE_SSL_MODE',
    'TLS to Postgres: verify-full (its certificate must be of DATABASE_SSL_CA and name the host), require (encrypted, to whoever answers) or disable. Without it, as sslmode in DATABASE_URL says.',
    ['disable', 'require', 'verify-full'],
  ),
  databaseSslCa: optionalText(
    'DATABASE_SSL_CA',
    'PEM of the authorities that sign Postgres’ certificate; without it, the public ones. With DATABASE_SSL_MODE=verify-full.',
    { pattern: '-----BEGIN CERTIFICATE-----', shape: 'one or more certificates in PEM', secret: true },
  ),
} as const;

export interface Host {
  readonly host: string;
  readonly port: number;
}

/** A DATABASE_URL, apart. */
export interface PostgresUrl {
  /** With the first host alone, and without what is below. */
  readonly url: string;
  /** In the order of the URL; more than one: the one that takes writes is looked for. */
  readonly hosts: readonly Host[];
  /** Null: as `url` says, by `sslmode`. */
  readonly tls: { readonly mode: SslMode; readonly ca: string | null } | null;
  /** Settings of the session, as the command line of Postgres takes them; empty: none. */
  readonly options: string;
}

type SslMode = 'disable' | 'require' | 'verify-full';

const DEFAULT_PORT = 5432;
const CA = 'broadside_ca';
const MODE = 'broadside_sslmode';
const SHAPE = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(\/[^?]*)?(?:\?(.*))?$/;
const HOST = /^(\[[^\]]+\]|[^:]*)(?::(\d+))?$/;

/** @throws Error where it is not a URL of Postgres. */
export function parsePostgresUrl(text: string): PostgresUrl {
  const [, before = '', places, path = '', query = ''] = SHAPE.exec(text) ?? [];
  if (places === undefined) throw new Error('DATABASE_URL is not a URL of Postgres');
  const params = new URLSearchParams(query);
  const [mode, ca] = [params.get(MODE) as SslMode | null, params.get(CA)];
  const hosts = places.split(',').map(hostOf);
  const options = params.get('options') ?? '';
  for (const name of [MODE, CA, 'target_session_attrs', 'options']) params.delete(name);
  if (mode !== null) params.delete('sslmode');
  const rest = params.size > 0 ? `?${params}` : '';
  return {
    url: `${before}${places.split(',')[0]}${path}${rest}`,
    hosts,
    tls: mode === null ? null : { mode, ca: ca === null ? null : decodeURIComponent(ca) },
    options,
  };
}

function hostOf(place: string): Host {
  const [, host = '', port] = HOST.exec(place) ?? [];
  return { host: host.replace(/^\[|\]$/g, ''), port: port === undefined ? DEFAULT_PORT : Number(port) };
}

type Given = Partial<Values<typeof databaseTlsSettings>>;

/**
 * The settings of the way, carried in the URL itself: it goes to pools, the log and migrations, and none of them may
 * be reached another way than the others. Safe to repeat.
 */
export function withDatabaseTls(url: string, { databaseSslMode, databaseSslCa }: Given): string {
  if (!databaseSslMode) return url;
  const [before = '', query = ''] = url.split('?');
  const params = new URLSearchParams(query);
  params.set(MODE, databaseSslMode);
  if (databaseSslCa) params.set(CA, encodeURIComponent(databaseSslCa));
  return `${before}?${params}`;
}

export function databaseContradictions(values: Given & { readonly databaseUrl?: string | null }): string[] {
  const { databaseUrl, databaseSslMode, databaseSslCa } = values;
  const lines: string[] = [];
  if (databaseSslMode && databaseUrl === null)
    lines.push(
      'DATABASE_SSL_MODE is set, and DATABASE_URL is not: the embedded Postgres is not reached over a network',
    );
  if (databaseSslCa && databaseSslMode !== 'verify-full')
    lines.push('DATABASE_SSL_CA is set, and nothing is checked by it: set DATABASE_SSL_MODE=verify-full');
  const attributes = databaseUrl
    ? new URLSearchParams(databaseUrl.split('?')[1]).get('target_session_attrs')
    : null;
  if (attributes !== null && attributes !== 'read-write' && attributes !== 'primary')
    lines.push('target_session_attrs in DATABASE_URL must be read-write: nothing works on a standby');
  return lines;
}
