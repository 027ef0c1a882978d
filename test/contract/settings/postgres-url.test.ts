// tier: unit
import { describe, expect, it } from 'vitest';
import {
  databaseContradictions,
  parsePostgresUrl,
  withDatabaseTls,
} from '../../../engine/contract/settings/postgres-url.ts';

describe('a DATABASE_URL', () => {
  it.each([
    ['postgres://a:b@one/x', [{ host: 'one', port: 5432 }], 'postgres://a:b@one/x'],
    [
      'postgresql://a:b@one:6000,two/x?target_session_attrs=read-write&sslmode=require',
      [
        { host: 'one', port: 6000 },
        { host: 'two', port: 5432 },
      ],
      'postgresql://a:b@one:6000/x?sslmode=require',
    ],
    ['postgres://[::1]:6000/x', [{ host: '::1', port: 6000 }], 'postgres://[::1]:6000/x'],
  ])('%s names its hosts, and leads to the first', (text, hosts, url) => {
    expect(parsePostgresUrl(text)).toEqual({ url, hosts, tls: null, options: '' });
  });

  it('carries the settings of TLS to whoever connects, however often they are given to it', () => {
    const settings = { databaseSslMode: 'verify-full', databaseSslCa: 'PEM +/=\nof an authority' } as const;
    const once = withDatabaseTls('postgres://a@b/c?sslmode=disable', settings);
    const parsed = { mode: 'verify-full', ca: settings.databaseSslCa };
    expect(parsePostgresUrl(once)).toMatchObject({ url: 'postgres://a@b/c', tls: parsed });
    expect(parsePostgresUrl(withDatabaseTls(once, settings)).tls).toEqual(parsed);
  });

  it('may not ask for a standby, nor for TLS to an embedded Postgres', () => {
    const standby = 'postgres://a@b/c?target_session_attrs=prefer-standby';
    expect(databaseContradictions({ databaseUrl: standby })).toHaveLength(1);
    expect(databaseContradictions({ databaseUrl: null, databaseSslMode: 'require' })).toHaveLength(1);
    expect(databaseContradictions({ databaseUrl: 'postgres://a@b,c/d' })).toEqual([]);
  });
});
