// tier: system, alone
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { openClickHouse } from '../../engine/adapters/clickhouse/client.ts';
import { migrateClickHouse, migrationsFolder } from '../../engine/adapters/clickhouse/migrate.ts';
import { startClickHouseBridge } from '../support/clickhouse-bridge/bridge.ts';

const bridge = await startClickHouseBridge();
const path = await mkdtemp(join(tmpdir(), 'broadside-chdb-'));
afterAll(async () => {
  await bridge.stop();
  await rm(path, { recursive: true, force: true });
});

let databases = 0;
const openServer = (database = `migrations_${++databases}`): Promise<ClickHouse> =>
  openClickHouse({
    kind: 'http',
    ...{ url: bridge.url, database, username: 'default', password: '' },
    requestTimeoutMs: 30_000,
    maxConnections: 4,
  });
/** One engine a process: the databases lie side by side in it. */
const openHere = (): Promise<ClickHouse> =>
  openClickHouse({ kind: 'embedded', path, database: `migrations_${++databases}` });

interface Table {
  readonly name: string;
  readonly create_table_query: string;
}

/** Without the database's name. */
async function schemaOf({ client, database }: ClickHouse): Promise<Table[]> {
  const answer = await client.query({
    query: `SELECT name, replaceAll(create_table_query, currentDatabase(), 'here') AS create_table_query
      FROM system.tables WHERE database = '${database}' ORDER BY name`,
    format: 'JSONEachRow',
  });
  return answer.json<Table>();
}

async function recordedIn({ client }: ClickHouse): Promise<string[]> {
  const answer = await client.query({
    query: 'SELECT DISTINCT name FROM schema_migrations ORDER BY name',
    format: 'JSONEachRow',
  });
  return (await answer.json<{ name: string }>()).map(({ name }) => name);
}

/**
 * The same ClickHouse, which dies before the given statement. Died after one, with its answer lost, is the same
 * as died before the next.
 */
function dyingAt(clickhouse: ClickHouse, statement: number): ClickHouse {
  let commands = 0;
  const client = new Proxy(clickhouse.client, {
    get: (target, name) => {
      if (name !== 'command') return Reflect.get(target, name);
      return (params: Parameters<typeof target.command>[0]) => {
        if (++commands >= statement) throw new Error('the process dies here');
        return target.command(params);
      };
    },
  });
  return { ...clickhouse, client };
}

const entry = fileURLToPath(new URL('../support/migrate-process.ts', import.meta.url));

async function spawnMigration(database: string): Promise<{ child: ChildProcess; ended: Promise<number> }> {
  const child = spawn(process.execPath, [entry, bridge.url, database], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(([code]) => Number(code));
  if (child.stdout !== null) await once(child.stdout, 'data');
  return { child, ended };
}

describe('the migrations of ClickHouse', () => {
  it('have numbers of their own, in the order in which they run', async () => {
    const folder = fileURLToPath(new URL('../../engine/adapters/clickhouse/migrations', import.meta.url));
    const numbers = (await readdir(folder)).toSorted().map((file) => file.slice(0, 5));
    expect(numbers.every((number) => /^\d{4}_$/.test(number))).toBe(true);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('leave views as they are: a changed one counts a batch twice that comes again after a restart', async () => {
    // 0005, 0006 and 0008 changed views whose targets are sets, or of which no insert was under way.
    const later = (await readdir(migrationsFolder)).filter((name) => name > '0009');
    expect(later.length).toBeGreaterThan(1);
    for (const name of later)
      expect(await readFile(join(migrationsFolder, name), 'utf8')).not.toMatch(/^[^-].*MODIFY QUERY/m);
  });

  it('make the same schema on a server and embedded, and record it', async () => {
    const [server, embedded] = [await openServer(), await openHere()];
    await migrateClickHouse(server);
    await migrateClickHouse(embedded);
    expect(await schemaOf(embedded)).toEqual(await schemaOf(server));
    expect(await recordedIn(embedded)).toEqual(await recordedIn(server));
    await Promise.all([server.close(), embedded.close()]);
  });

  it('can be run by several processes at once, on an empty database', async () => {
    const database = `migrations_${++databases}`;
    const processes = await Promise.all([1, 2, 3].map(() => spawnMigration(database)));
    for (const { child } of processes) child.stdin?.write('go\n');
    expect(await Promise.all(processes.map(({ ended }) => ended))).toEqual([0, 0, 0]);
    const [clickhouse, alone] = [await openServer(database), await openServer()];
    await migrateClickHouse(alone);
    expect(await schemaOf(clickhouse)).toEqual(await schemaOf(alone));
    expect(await recordedIn(clickhouse)).toEqual(await recordedIn(alone));
    await Promise.all([clickhouse.close(), alone.close()]);
  });

  it('go on where they died, before any statement and any number of times', async () => {
    const whole = await openHere();
    await migrateClickHouse(whole);
    const expected = { schema: await schemaOf(whole), recorded: await recordedIn(whole) };
    await whole.close();
    const clickhouse = await openHere();
    let deaths = 0;
    let recorded = 0;
    // One statement further each time; after a recorded migration comes the first statement of the next one.
    for (let statement = 1; ; statement++) {
      const ending = await migrateClickHouse(dyingAt(clickhouse, statement)).then(
        () => 'whole',
        (error: Error) => error.message,
      );
      if (ending === 'whole') break;
      expect(ending).toBe('the process dies here');
      deaths++;
      const found = deaths === 1 ? 0 : (await recordedIn(clickhouse)).length;
      if (found > recorded) statement = 1;
      recorded = found;
    }
    expect(deaths).toBeGreaterThan(2 * expected.recorded.length);
    expect({ schema: await schemaOf(clickhouse), recorded: await recordedIn(clickhouse) }).toEqual(expected);
    await clickhouse.close();
  });

  it('change nothing when every statement runs a second time', async () => {
    const clickhouse = await openHere();
    await migrateClickHouse(clickhouse);
    const before = await schemaOf(clickhouse);
    await clickhouse.client.command({ query: 'TRUNCATE TABLE schema_migrations' });
    await migrateClickHouse(clickhouse);
    expect(await schemaOf(clickhouse)).toEqual(before);
    await clickhouse.close();
  });

  it('make the views of a new installation as they stay, and change only those that differ', async () => {
    const clickhouse = await openServer();
    const changed: string[] = [];
    const { client } = clickhouse;
    const command: typeof client.command = (params) => {
      if (/MODIFY QUERY/.test(params.query)) changed.push(/ALTER TABLE (\w+)/.exec(params.query)?.[1] ?? '');
      return client.command(params);
    };
    const watched = {
      ...clickhouse,
      client: new Proxy(client, {
        get: (of, key) => (key === 'command' ? command : Reflect.get(of, key).bind(of)),
      }),
    };
    await migrateClickHouse(watched);
    // Of sets, which hold a batch that comes again once.
    expect(changed.toSorted()).toEqual(['clicks_to_subscriber', 'clicks_to_subscriber', 'events_to_day']);
    await client.command({
      query:
        'ALTER TABLE ad_stats_take MODIFY QUERY SELECT * EXCEPT (row, reason, raw) FROM ad_stats_checked',
    });
    await client.command({ query: 'TRUNCATE TABLE schema_migrations' });
    changed.length = 0;
    await migrateClickHouse(watched);
    expect(changed).toContain('ad_stats_take');
    expect(changed).not.toContain('ad_stats_check');
    await clickhouse.close();
  });

  it('refuse a database that a newer version wrote, and touch nothing', async () => {
    const clickhouse = await openHere();
    await clickhouse.client.command({
      query:
        'CREATE TABLE schema_migrations (name String, run_at DateTime64(3)) ENGINE = ReplacingMergeTree ORDER BY name',
    });
    await clickhouse.client.command({
      query: `INSERT INTO schema_migrations (name) SETTINGS async_insert = 0 VALUES ('9999_from-the-future')`,
    });
    await expect(migrateClickHouse(clickhouse)).rejects.toThrow(/newer Broadside.*9999_from-the-future/);
    expect((await schemaOf(clickhouse)).map(({ name }) => name)).toEqual(['schema_migrations']);
    await clickhouse.close();
  });
});
