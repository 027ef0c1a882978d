// tier: system
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { listMigrationNames, runMigrations } from '../../engine/adapters/postgres/migrate.ts';
import { until } from '../support/engine-harness.ts';
import { describeKafka } from '../support/kafka/describe-kafka.ts';
import { openDatabase, withDatabase } from '../support/postgres.ts';
import { SERVER_SUBSCRIBERS, type Servers, startServers } from '../support/servers.ts';
import { checkOut, findLastRelease, type LastRelease } from './last-release.ts';

describeKafka('an engine of the last release that one of this release replaces', () => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  let admin: Database;
  let database: Database;
  let servers: Servers;
  let release: LastRelease;
  let folder: string;

  beforeAll(async () => {
    release = await findLastRelease();
    admin = openDatabase(inject('postgresUrl'), 1);
    await admin.query(`CREATE DATABASE ${name}`);
    const url = withDatabase(inject('postgresUrl'), name);
    database = openDatabase(url, 4);
    await runMigrations(url, release.migrations);
    servers = await startServers(database, url);
    folder = await mkdtemp(join(tmpdir(), 'broadside-upgrade-'));
  });
  afterAll(async () => {
    await servers?.[Symbol.asyncDispose]();
    await database?.close();
    await admin?.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const countMigrations = async (): Promise<number> =>
    (await database.query('SELECT FROM schema_migrations')).length;

  it('hands its delivery over in the middle, on the new tables, and nobody is lost or served twice', async ({
    onTestFailed,
  }) => {
    const { pushService } = servers;
    await pushService.setFaults([{ action: { kind: 'latency', ms: 1_000 } }]);
    const old = await servers.startEngine({}, await checkOut(release, folder));
    onTestFailed(() => console.error(old.output()));
    expect(await countMigrations()).toBe(release.migrations.length);
    const begun = await servers.send();
    const accepted = async (): Promise<number> => (await pushService.ledger()).accepted;
    await until('a tenth', async () => (await accepted()) > SERVER_SUBSCRIBERS / 10);

    const present = await servers.startEngine();
    onTestFailed(() => console.error(present.output()));
    expect(await countMigrations()).toBe((await listMigrationNames()).length);
    // While both run: the old one plans and sends on tables that it does not know.
    const beside = await servers.send();
    expect(await accepted()).toBeLessThan(SERVER_SUBSCRIBERS * 2);
    expect(await old.stop(60_000)).toBe(0);
    await pushService.setFaults([]);

    for (const id of [begun, beside]) {
      expect(await servers.readBooks(id)).toMatchObject({
        delivery: { status: 'success', success_count: SERVER_SUBSCRIBERS, failed_count: 0 },
        recorded: { acceptedSubscribers: SERVER_SUBSCRIBERS, attempts: { accepted: SERVER_SUBSCRIBERS } },
      });
    }
    const { accepted: sent } = await pushService.ledger();
    expect(sent).toBe(SERVER_SUBSCRIBERS * 2);
  }, 480_000);
});
