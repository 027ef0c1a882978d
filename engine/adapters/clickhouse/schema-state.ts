import type { DiskSpace } from '../telemetry/service-metrics.ts';
import type { ClickHouse } from './clickhouse.ts';
import { readDiskSpace } from './disk-space.ts';
import { listStatisticsMigrations, readMigration } from './migrate.ts';

/** What a check from outside finds out about the server and of its tables. Nothing is changed. */
export interface ClickHouseState {
  readonly version: string;
  /** The release of its timezones, such as 2025a; null: it does not say. */
  readonly zones?: string | null;
  /** Its clock, in milliseconds since 1970. */
  readonly nowMs: number;
  readonly pending: readonly string[];
  readonly newer: readonly string[];
  readonly missingTables: readonly string[];
  /** Its fullest disk. */
  readonly disk: DiskSpace | null;
}

export async function readClickHouseState(clickhouse: ClickHouse): Promise<ClickHouseState> {
  const [server] = await rowsOf<{ version: string; now: string }>(
    clickhouse,
    'SELECT version() AS version, toString(toUnixTimestamp64Milli(now64(3))) AS now',
  );
  const [zones] = await rowsOf<{ value: string }>(
    clickhouse,
    "SELECT value FROM system.build_options WHERE name = 'TZDATA_VERSION'",
  );
  const tables = (
    await rowsOf<{ name: string }>(
      clickhouse,
      'SELECT name FROM system.tables WHERE database = currentDatabase()',
    )
  ).map(({ name }) => name);
  const run = tables.includes(recordTable)
    ? (await rowsOf<{ name: string }>(clickhouse, `SELECT DISTINCT name FROM ${recordTable}`)).map(
        ({ name }) => name,
      )
    : [];
  const known = await listStatisticsMigrations();
  const wanted = await tablesOf(known.filter((name) => run.includes(name)));
  return {
    version: server?.version ?? 'unknown',
    zones: zones?.value || null,
    nowMs: Number(server?.now),
    pending: known.filter((name) => !run.includes(name)),
    newer: run.filter((name) => !known.includes(name)),
    missingTables: wanted.filter((name) => !tables.includes(name)),
    disk: await readDiskSpace(clickhouse),
  };
}

const recordTable = 'schema_migrations';

async function rowsOf<Row>({ client }: ClickHouse, query: string): Promise<Row[]> {
  return (await client.query({ query, format: 'JSONEachRow' })).json<Row>();
}

async function tablesOf(migrations: readonly string[]): Promise<string[]> {
  const tables = new Set<string>();
  for (const name of migrations) {
    for (const [, verb, table = ''] of (await readMigration(name)).join(';\n').matchAll(statement)) {
      if (verb === 'CREATE') tables.add(table);
      else tables.delete(table);
    }
  }
  return [...tables];
}

const statement =
  /^(CREATE|DROP) (?:TABLE|MATERIALIZED VIEW|VIEW|DICTIONARY) (?:IF (?:NOT )?EXISTS )?(\w+)/gm;
