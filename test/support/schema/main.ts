import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openClickHouse } from '../../../engine/adapters/clickhouse/client.ts';
import { migrateClickHouse } from '../../../engine/adapters/clickhouse/migrate.ts';
import { startEmbeddedPostgres } from '../../../engine/adapters/postgres/embedded.ts';
import { migrateDatabase } from '../../../engine/adapters/postgres/migrate.ts';
import { openDatabase } from '../postgres.ts';
import { temporaryFolder } from '../run/memory-folder.ts';
import { readPostgresSchema } from './read-postgres.ts';

/** `npm run schema`: today's tables of both databases, as all migrations together make them. */
await using opened = new AsyncDisposableStack();
const folder = await mkdtemp(join(temporaryFolder(), 'broadside-schema-'));
await chmod(folder, 0o755);
opened.defer(() => rm(folder, { recursive: true, force: true }));

const postgres = await startEmbeddedPostgres({ folder, port: 0, durable: false });
opened.defer(() => postgres.stop());
const database = openDatabase(postgres.url, 2);
opened.defer(() => database.close());
await migrateDatabase(postgres.url, database);
console.log(`# Postgres\n\n${await readPostgresSchema(database)}`);

const clickhouse = await openClickHouse({
  kind: 'embedded',
  path: join(folder, 'clickhouse'),
  database: 'broadside',
});
opened.defer(() => clickhouse.close());
await migrateClickHouse(clickhouse);
const answer = await clickhouse.client.query({
  query: `SELECT formatQuery(replaceAll(create_table_query, 'broadside.', '')) AS text FROM system.tables
    WHERE database = 'broadside' ORDER BY name`,
  format: 'JSONEachRow',
});
const made = await answer.json<{ text: string }>();
console.log(`\n# ClickHouse\n\n${made.map(({ text }) => text).join('\n\n')}`);
