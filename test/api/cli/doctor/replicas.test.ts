// tier: system
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../../engine/adapters/postgres/free-port.ts';
import { migrateDatabase } from '../../../../engine/adapters/postgres/migrate.ts';
import { until } from '../../../support/engine-harness.ts';
import { openDatabase } from '../../../support/postgres.ts';
import { crashServer, startWithStandbys } from '../../../support/standby-postgres.ts';
import { examineWith, healthy } from './support.ts';

describe('broadside doctor at replicas of Postgres', async () => {
  const root = await mkdtemp(join(tmpdir(), 'broadside-doctor-replicas-'));
  await chmod(root, 0o755);
  const { primary, standbys } = await startWithStandbys(root, [{}, { recovery_min_apply_delay: '60s' }, {}]);
  const database = openDatabase(primary.url, 2);
  await migrateDatabase(primary.url, database);
  const [good, late, orphan] = standbys.map(({ url }) => url) as [string, string, string];
  afterAll(async () => {
    await database.close();
    await Promise.all([primary, ...standbys].map(crashServer));
    await rm(root, { recursive: true, force: true });
  });

  const examine = async (...urls: string[]) => {
    const { findings, code } = await examineWith({
      ...healthy(primary.url),
      DATABASE_READ_URLS: urls.join(','),
    });
    const found = findings.filter(({ text }) => text.includes('replica') || text.includes('_READ_URLS'));
    return { code, found: found.map(({ area, state, text, mend }) => ({ area, state, text, mend })) };
  };
  const placeOf = (url: string): string => new URL(url).host;

  it('finds one that is up to date, once it has replayed what it lacks', async () => {
    await database.query('CREATE TABLE something AS SELECT generate_series(1, 1000)');
    await until('it to have every table', async () => {
      const { found } = await examine(good);
      return found[0]?.state === 'ok';
    });
    expect(await examine(good)).toEqual({
      code: 0,
      found: [
        {
          ...{ area: 'postgres', state: 'ok', mend: null },
          text: `the replica ${placeOf(good)} is up to date`,
        },
      ],
    });
  });

  it('names each that is left out, with its reason, and that sending goes on', async () => {
    const nobody = new URL(good);
    nobody.port = String(await freePort());
    await database.query('CREATE DATABASE beside');
    const beside = new URL(good);
    beside.pathname = '/beside';
    await database.query(`CREATE ROLE reads_nothing LOGIN PASSWORD 'word'`);
    const powerless = new URL(good);
    [powerless.username, powerless.password] = ['reads_nothing', 'word'];
    const follower = openDatabase(orphan, 1);
    await follower.query(`ALTER SYSTEM SET primary_conninfo = ''`);
    await follower.query('SELECT pg_reload_conf()');
    await until(
      'it to receive nothing',
      async () => (await follower.query('SELECT FROM pg_stat_wal_receiver')).length === 0,
    );
    await follower.close();
    const asked = openDatabase(good, 1);
    await until(
      'the role to be there',
      async () => (await asked.query(`SELECT FROM pg_roles WHERE rolname = 'reads_nothing'`)).length === 1,
    );
    await asked.close();

    const { code, found } = await examine(
      ...[late, primary.url, nobody.href, beside.href, powerless.href, orphan],
    );
    expect(found.map(({ state, text }) => [state, text])).toEqual([
      ['warning', `the replica ${placeOf(late)} is more than two seconds behind the primary`],
      ['warning', `the replica ${placeOf(primary.url)} takes writes: it is a primary`],
      ['warning', expect.stringContaining(`the replica ${nobody.host} does not answer`)],
      ['warning', expect.stringContaining('of another cluster or database')],
      ['warning', `the replica ${powerless.host} gives its account no right to read`],
      ['warning', `the replica ${placeOf(orphan)} receives nothing from the primary`],
    ]);
    expect(found.every(({ mend }) => mend?.includes('targets are read from the primary'))).toBe(true);
    // Sending goes on without any of them.
    expect(code).toBe(0);
  });

  it('says what is wrong with an address, without its password', async () => {
    for (const url of [
      'postgres://user:secret-word@[bad/broadside',
      'https://user:secret-word@host/broadside',
    ]) {
      const { found } = await examine(url);
      expect(found.map(({ area, state }) => [area, state])).toEqual([['settings', 'problem']]);
      expect(JSON.stringify(found)).not.toContain('secret-word');
    }
  });
});
