import { parseRow } from '../../api/cli/import/row.ts';
import { storeBatch } from '../../api/cli/import/store.ts';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import { buildApp } from '../../test/support/builders.ts';
import { median, tenths } from '../median.ts';
import { readDatabaseUs } from '../stand/database-time.ts';
import { startPostgres } from '../stand/databases.ts';
import { importLines } from './lines.ts';

/** What a line costs Postgres in one way to write it, in µs of all its processes. */
export interface PartRow {
  readonly part: string;
  readonly postgres_us_per_line: number;
}

/** As an import has them. */
const LINES_PER_BATCH = 10_000;
const tables = [
  'subscriptions',
  'subscription_facets',
  'subscription_activity',
  'subscription_tags',
] as const;

/**
 * The import as it is, without what lists and tags need, and built once: rows into tables without indexes, each of which
 * is then made in one go. The last copies rows that are there, so it is less than such an import would cost.
 *
 * Each round empties the tables again; the median of the rounds is counted. Autovacuum is off: it would be counted where
 * it happens to run. @throws Error where the machine does not know the time of other processes.
 */
export async function measureParts(
  lines: number,
  rounds: number,
  say: (text: string) => void,
): Promise<PartRow[]> {
  await using opened = new AsyncDisposableStack();
  say('starting Postgres');
  const { database, folder } = await startPostgres(opened);
  await database.query('ALTER SYSTEM SET autovacuum = off');
  await database.query('SELECT pg_reload_conf()');
  const { id: app } = await buildApp(database);
  const partition = await partitionOf(database, app);
  const rows = [...importLines(0, lines)].map((line) => {
    const row = parseRow(JSON.parse(line), { hosts: ['fcm.googleapis.com'], allowAnyHost: true });
    if (typeof row === 'string') throw new Error(row);
    return row;
  });
  const found = new Map<string, number[]>();
  const measure = async (part: string, work: () => Promise<unknown>): Promise<void> => {
    say(part);
    const before = await readDatabaseUs(folder);
    await work();
    const after = await readDatabaseUs(folder);
    if (before === null || after === null) throw new Error('this machine does not know what Postgres used');
    found.set(part, [...(found.get(part) ?? []), (after - before) / lines]);
  };
  const importAll = async (): Promise<void> => {
    for (let from = 0; from < lines; from += LINES_PER_BATCH)
      await storeBatch(database, app, rows.slice(from, from + LINES_PER_BATCH));
  };
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}`);
    await database.query('ALTER TABLE subscriptions DISABLE TRIGGER subscriptions_added');
    await measure('the import, without lists, searches and tags', importAll);
    await database.query('ALTER TABLE subscriptions ENABLE TRIGGER subscriptions_added');
    await empty(database, partition);
    await measure('the import as it is', importAll);
    await measure('built once: rows into tables without indexes', () => copyBare(database, partition));
    await measure('built once: the indexes', () => buildIndexes(database, partition));
    await empty(database, partition);
  }
  return [...found].map(([part, us]) => ({ part, postgres_us_per_line: tenths(median(us)) }));
}

/** The number of the app's partition, as the tables' names have it. */
async function partitionOf(database: Database, app: AppId): Promise<string> {
  const [row] = await database.query<{ part: string }>(
    `SELECT lpad(part::text, 2, '0') AS part FROM generate_series(0, 15) AS part
     WHERE satisfies_hash_partition('subscriptions'::regclass, 16, part, $1::integer)`,
    [app],
  );
  if (row === undefined) throw new Error('the app is in no partition');
  return row.part;
}

async function empty(database: Database, partition: string): Promise<void> {
  await database.query(`TRUNCATE ${tables.map((table) => `${table}_${partition}`).join(', ')}`);
  await database.query(`DROP TABLE IF EXISTS ${tables.map((table) => `bare_${table}`).join(', ')}`);
}

async function copyBare(database: Database, partition: string): Promise<void> {
  for (const table of tables) {
    await database.query(
      `CREATE TABLE bare_${table} (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`,
    );
    await database.query(`INSERT INTO bare_${table} SELECT * FROM ${table}_${partition}`);
  }
}

async function buildIndexes(database: Database, partition: string): Promise<void> {
  for (const table of tables) {
    const indexes = await database.query<{ definition: string }>(
      'SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index WHERE indrelid = $1::regclass',
      [`${table}_${partition}`],
    );
    for (const { definition } of indexes)
      await database.query(definition.replace(/INDEX \S+ ON \S+/, `INDEX ON bare_${table}`));
  }
}
