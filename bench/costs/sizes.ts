import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Servers } from '../crew/crew.ts';

/** Bytes that each store holds or has written so far. */
export interface Sizes {
  readonly wal: number;
  readonly log: number;
  readonly clickhouse: number;
}

export async function readSizes({ database, environment, logFolder }: Servers): Promise<Sizes> {
  const [wal] = await database.query<{ bytes: number }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes`,
  );
  return {
    wal: wal?.bytes ?? 0,
    log: await readLogBytes(logFolder),
    clickhouse: await readClickHouseBytes(environment.CLICKHOUSE_URL ?? ''),
  };
}

/** Records alone: their indexes are made in full beforehand, and the offsets of groups are not what engines write. */
async function readLogBytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const segments = names.filter((name) => /broadside-[^/]*\/[^/]+\.log$/.test(name));
  const sizes = await Promise.all(segments.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function readClickHouseBytes(url: string): Promise<number> {
  const query = 'SELECT sum(bytes_on_disk) FROM system.parts WHERE active FORMAT TabSeparated';
  const response = await fetch(`${url}/?${new URLSearchParams({ query })}`, { method: 'POST' });
  if (!response.ok) throw new Error(`ClickHouse answered ${response.status}: ${await response.text()}`);
  return Number(await response.text());
}

/** Of a subscription in Postgres, with its part of the indexes. */
export async function readReaderBytes({ database }: Servers): Promise<number> {
  const [row] = await database.query<{ bytes: number }>(
    `SELECT (SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('subscriptions'))::float8
       / greatest((SELECT count(*) FROM subscriptions), 1) AS bytes`,
  );
  return row?.bytes ?? 0;
}
