import type { Command } from 'commander';
import { createLogger } from '../../engine/adapters/telemetry/logger.ts';
import { CliError } from '../../engine/kit/command-line/endings.ts';
import { say } from '../../engine/kit/command-line/terminal.ts';
import {
  createPool,
  migrateStatistics,
  openStatistics,
  prepareDatabase,
} from '../../engine/kit/roles/open-parts.ts';
import { readMigrateConfig } from '../settings/config.ts';
import { refusalToStart } from './roles.ts';

const examples = `
Every role does the same when it starts. Before an upgrade of several machines, one run of this makes a migration
that fails stop the upgrade, instead of the first role that starts. It waits for a server that does not answer, and
may run while roles of the release before do.

Examples:
  broadside migrate
  kubectl logs --namespace broadside job/broadside-migrate`;

/** Nothing else asks meanwhile. */
const CONNECTIONS = 2;

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('Brings Postgres and ClickHouse servers to the tables of this version, and ends.')
    .option('--json', 'print it as JSON')
    .addHelpText('after', examples)
    .action((options: { readonly json?: boolean }) =>
      migrate(options).catch((error) => Promise.reject(refusalToStart(error))),
    );
}

async function migrate({ json }: { readonly json?: boolean }): Promise<void> {
  const config = readMigrateConfig();
  if (config.clickhouseUrl === null)
    throw new CliError(
      'set CLICKHOUSE_URL to the server: an embedded ClickHouse gets its tables from "broadside up"',
    );
  const logger = createLogger({ level: config.logLevel, format: config.logFormat, role: 'migrate' });
  // A signal ends the process: each migration is one transaction, or can be repeated.
  const patience = { logger, signal: new AbortController().signal };
  await using opened = new AsyncDisposableStack();
  const database = createPool(config.databaseUrl, 'broadside-migrate', CONNECTIONS);
  opened.defer(() => database.close());
  await prepareDatabase(config.databaseUrl, database, patience);
  const clickhouse = await openStatistics(config, null);
  opened.defer(() => clickhouse.close());
  await migrateStatistics(clickhouse, patience);
  say(
    json,
    { postgres: 'migrated', clickhouse: 'migrated' },
    'Postgres and ClickHouse have the tables of this version.',
  );
}
