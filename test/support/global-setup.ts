import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createDatabase } from '../../engine/adapters/postgres/database.ts';
import { startEmbeddedPostgres } from '../../engine/adapters/postgres/embedded.ts';
import { migrateDatabase } from '../../engine/adapters/postgres/migrate.ts';

/** One Postgres cluster for the run, with a migrated template that each test's database is copied from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-test-'));
  await chmod(folder, 0o755);
  const postgres = await startEmbeddedPostgres({ folder, port: 0, durable: false });
  const template = new URL(postgres.url);
  template.pathname = '/template_broadside';
  const open = (url: string) =>
    createDatabase({
      url,
      applicationName: 'broadside-test-setup',
      maxConnections: 2,
      connectTimeoutMs: 5_000,
      statementTimeoutMs: 30_000,
    });
  const admin = open(postgres.url);
  await admin.query('CREATE DATABASE template_broadside');
  await admin.close();
  const database = open(template.href);
  await migrateDatabase(template.href, database);
  await database.close();
  project.provide('postgresUrl', postgres.url);
  project.provide('runFolder', folder);
  return async () => {
    await postgres.stop();
    // A browser that was killed with its process may write there for a moment.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}
