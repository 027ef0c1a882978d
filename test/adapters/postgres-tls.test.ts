// tier: postgres
import { afterAll, describe, expect, it } from 'vitest';
import { createPgBossLog } from '../../engine/adapters/pgboss/log.ts';
import { connectionOf } from '../../engine/adapters/postgres/connection.ts';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { migrateDatabase } from '../../engine/adapters/postgres/migrate.ts';
import { readSettings } from '../../engine/adapters/settings/read-settings.ts';
import { SettingsError } from '../../engine/contract/settings/settings-error.ts';
import { databaseSettings } from '../../engine/contract/settings/shared-settings.ts';
import { startRestartablePostgres } from '../chaos/runner/restartable-postgres.ts';
import { makeAuthority } from '../support/authority.ts';
import { until } from '../support/engine-harness.ts';
import { openDatabase } from '../support/postgres.ts';

describe('a Postgres that speaks TLS alone', async () => {
  const settingsFor = (url: string, more: Readonly<Record<string, string>>) =>
    readSettings(databaseSettings, { DATABASE_URL: url, ...more }).databaseUrl;
  const verified = (host: string, ca: string): string =>
    settingsFor(at(host), { DATABASE_SSL_MODE: 'verify-full', DATABASE_SSL_CA: ca });
  const at = (host: string): string => postgres.url.replace('127.0.0.1', host);
  const open = (url: string): Database => openDatabase(url, 2);
  const isEncrypted = async (url: string): Promise<boolean> => {
    const database = open(url);
    try {
      const [row] = await database.query<{ ssl: boolean }>(
        'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
      );
      return row?.ssl === true;
    } finally {
      await database.close();
    }
  };

  const postgres = await startRestartablePostgres();
  const authority = await makeAuthority();
  const { cert, key } = await authority.issue({ name: 'postgres', hosts: ['localhost'] });
  const database = open(postgres.url);
  for (const [name, pem] of Object.entries({ 'server.crt': cert, 'server.key': key })) {
    // Only the server's own account may read its key.
    const lines = `SELECT unnest(string_to_array($pem$${pem}$pem$, E'\\n'))`;
    await database.query(`COPY (${lines}) TO PROGRAM 'umask 077; cat > ${name}'`);
  }
  const host = `hostssl all all all scram-sha-256`;
  await database.query(`COPY (SELECT '${host}') TO PROGRAM 'cat > pg_hba.conf'`);
  await database.query('ALTER SYSTEM SET ssl = on');
  await database.query('SELECT pg_reload_conf()');
  await database.close();
  const url = verified('localhost', authority.cert);
  await until('TLS', () => isEncrypted(url).catch(() => false));
  afterAll(() => postgres.stop());

  it('is reached by pools, migrations and the log where the certificate is right', async () => {
    const url = verified('localhost', authority.cert);
    const database = open(url);
    await migrateDatabase(url, database);
    const log = await createPgBossLog({ url, pool: connectionOf(url) });
    expect(await log.ping()).toBe(true);
    await log.close(1_000);
    await database.close();
    expect(await isEncrypted(settingsFor(at('127.0.0.1'), { DATABASE_SSL_MODE: 'require' }))).toBe(true);
  });

  it('is refused under another name than its certificate’s', async () => {
    await expect(isEncrypted(verified('127.0.0.1', authority.cert))).rejects.toThrow(
      /does not match certificate/,
    );
  });

  it('is refused where another authority signed its certificate', async () => {
    const { cert } = await makeAuthority('a stranger');
    await expect(isEncrypted(verified('localhost', cert))).rejects.toThrow(
      /unable to verify|self-signed|signature/,
    );
  });

  it('is not reached without TLS', async () => {
    await expect(isEncrypted(settingsFor(at('localhost'), { DATABASE_SSL_MODE: 'disable' }))).rejects.toThrow(
      /pg_hba/,
    );
  });
});

describe('settings of TLS', () => {
  it.each([
    [{ DATABASE_SSL_CA: '-----BEGIN CERTIFICATE-----' }, 'nothing is checked by it'],
    [{ DATABASE_SSL_MODE: 'verify' }, 'DATABASE_SSL_MODE'],
  ])('%o ends the start', (environment, reason) => {
    const read = () => readSettings(databaseSettings, { DATABASE_URL: 'postgres://a@b/c', ...environment });
    expect(read).toThrow(SettingsError);
    try {
      read();
    } catch (error) {
      expect((error as SettingsError).lines.join()).toContain(reason);
    }
  });
});
