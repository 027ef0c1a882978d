import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { createDatabase, type Database } from '../../engine/adapters/postgres/database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser URL of the cluster that the whole run shares; `template_broadside` holds the schema. */
    postgresUrl: string;
    /** Is gone when the run ends, with all that files of it left there. */
    runFolder: string;
    /** Answers with the Broadside that the run's tests in browsers share: `browsers/installation.ts`. */
    installationUrl: string;
  }
}

export interface TestDatabase {
  readonly url: string;
  readonly database: Database;
  drop(): Promise<void>;
}

/** One for all test files of this process: opening one each time takes a sixth of making and dropping a database. */
let admin: Database | undefined;

/** A database of its own, with Broadside's schema, on the run's Postgres. Made in about 30 ms. */
export const createTestDatabase = (): Promise<TestDatabase> =>
  createDatabaseAs('TEMPLATE template_broadside STRATEGY file_copy');

/** An empty one. @param locale as CREATE DATABASE takes it. */
export const createEmptyDatabase = (locale: string): Promise<TestDatabase> =>
  createDatabaseAs(`TEMPLATE template0 ENCODING 'UTF8' ${locale}`);

async function createDatabaseAs(options: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  admin ??= openDatabase(inject('postgresUrl'), 1);
  const { query } = admin;
  await query(`CREATE DATABASE ${name} ${options}`);
  const url = withDatabase(inject('postgresUrl'), name);
  const database = openDatabase(url, 10);
  return {
    url,
    database,
    drop: async () => {
      await database.close();
      await query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

export function openDatabase(url: string, maxConnections: number): Database {
  return createDatabase({
    url,
    applicationName: 'broadside-test',
    maxConnections,
    // A place in the pool may take its time on a busy machine.
    connectTimeoutMs: 60_000,
    statementTimeoutMs: 30_000,
  });
}

export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
