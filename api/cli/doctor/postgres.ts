import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { listNamesakes } from '../../../engine/adapters/postgres/namesakes.ts';
import { PoolerRefused, refusePooler } from '../../../engine/adapters/postgres/refuse-pooler.ts';
import { readPostgresState, readSchemaState } from '../../../engine/adapters/postgres/schema-state.ts';
import { counted } from '../../../engine/contract/counted.ts';
import { shown } from '../../../engine/contract/shown.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { type Found, ok, problem, reasonOf, skipped, warning } from './finding.ts';

const OLDEST_MAJOR = 15;
/** Of the connections that Postgres gives; beyond, the next process may get none. */
const FULL_SHARE = 0.9;
const MOST_NAMESAKES = 20;

/** @param url of the server; null: it is the embedded one. */
export async function checkPostgres(database: Database, url: string | null): Promise<Found[]> {
  const state = await readPostgresState(database);
  const { version, major, maxConnections, usedConnections } = state;
  const used = `${usedConnections} of ${maxConnections} connections in use`;
  const found: Found[] = [];
  if (major < OLDEST_MAJOR)
    found.push(problem(`Postgres ${version} is too old`, `Upgrade it to Postgres ${OLDEST_MAJOR} or newer.`));
  else found.push(ok(`Postgres ${version} answers, ${used}`));
  if (usedConnections > maxConnections * FULL_SHARE) {
    const mend = 'Raise max_connections, or lower the settings …_CONNECTIONS of the roles.';
    found.push(warning(used, mend));
  }
  if (state.isStandby)
    found.push(problem('this server is a standby and takes no writes', 'Let DATABASE_URL name the primary.'));
  if (!state.hasTrigrams)
    found.push(
      problem('the extension pg_trgm is not there', 'Install Postgres’ contrib modules on the server.'),
    );
  if (url !== null && (await isBehindPooler(url)))
    found.push(
      problem('a pooler such as PgBouncer stands before Postgres', 'Let DATABASE_URL name Postgres itself.'),
    );
  return [...found, ...(await checkTables(database))];
}

const isBehindPooler = (url: string): Promise<boolean> =>
  refusePooler(url).then(
    () => false,
    (error) => error instanceof PoolerRefused,
  );

async function checkTables(database: Database): Promise<Found[]> {
  const { pending, newer, missingTables } = await readSchemaState(database);
  if (newer.length > 0) return [newerFound('the database', newer)];
  if (missingTables.length > 0) {
    const mend = 'Restore the database from a backup: a migration that was run is not run again.';
    return [problem(`tables are missing: ${missingTables.join(', ')}`, mend)];
  }
  if (pending.length > 0) return [pendingFound(pending)];
  return [ok('every table is there, and up to date'), ...(await checkNamesakes(database))];
}

/** Named before "in any case" meant the same on every server. */
async function checkNamesakes(database: Database): Promise<Found[]> {
  const names = await listNamesakes(database, MOST_NAMESAKES);
  return names.map(({ what, name, older, where }) =>
    warning(
      `the ${what} ${shown(name)} of ${shown(where)} is ${shown(older)} in any case`,
      what === 'category' ? 'Rename one of them.' : 'Remove one of the two users.',
    ),
  );
}

export const newerFound = (what: string, newer: readonly string[]): Found =>
  problem(
    `${what} was written by a newer Broadside (it has ${newer[0]})`,
    'Start that release, or use another database.',
  );

export const pendingFound = (pending: readonly string[]): Found =>
  warning(
    `${counted(pending.length, 'migration has', 'migrations have')} not been run, from ${pending[0]}`,
    'Start a role: the first one brings the tables to this release.',
  );

/** Why no connection could be had, by Postgres' own code or that of the network. */
export function postgresAway(error: unknown): Found {
  // Of a data folder where nothing has been started yet.
  if (error instanceof CliError) return skipped(error.message);
  const { code } = error as { code?: string };
  return problem(`no connection: ${reasonOf(error)}`, mends[code ?? ''] ?? away);
}

const away = 'Check whether the server runs, and check host and port in DATABASE_URL.';
const mends: Readonly<Record<string, string>> = {
  '28P01': 'Correct the user or the password in DATABASE_URL.',
  '28000': 'Let pg_hba.conf admit this user from this machine, or correct DATABASE_URL.',
  '3D000': 'Create the database, or correct its name in DATABASE_URL.',
  '53300': 'Raise max_connections of Postgres, or lower the settings …_CONNECTIONS of the roles.',
  ENOTFOUND: 'Correct the host in DATABASE_URL, or this machine’s name resolution.',
};
