import { type Command, Option } from 'commander';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { type ImportConfig, readImportConfig } from '../../config.ts';
import { keyNumbersOf } from '../app-transfer/import-store.ts';
import { withDatabase } from '../database.ts';
import { CliError } from '../endings.ts';
import { type ImportFormat, readRecords } from './records.ts';
import { createProgress, createRejects, printSummary } from './report.ts';
import { type ImportCounts, runImport } from './run-import.ts';
import { formatOf, openSource } from './source.ts';
import { findAppId, storeBatch } from './store.ts';

interface ImportOptions {
  readonly app: string;
  readonly format?: ImportFormat;
  readonly rejects?: string;
  readonly json?: boolean;
  readonly database?: string;
}

const help = `
A line is a JSON object, or a row of a CSV whose first line names the fields:
  endpoint, p256dh, auth     required, as the browser gave them
  user_identity              who it is to your site
  tags                       JSON object of texts
  country, device            two letters; desktop, mobile or tablet
  created_at                 ISO 8601
  vapid_key                  the public key it was made with, where the app has two (default: the active one)

A line that is wrong is told with its number and reason, and the import goes on. Running it again doubles
nothing: an endpoint that is known is updated. Who has unsubscribed stays unsubscribed.

Exit codes: 0 all lines are in, 1 it could not be done, 2 wrong command, 3 done but for refused lines.

Examples:
  broadside import subscriptions --app news-k3x9qa subscribers.ndjson
  broadside import subscriptions --app news-k3x9qa --rejects bad.ndjson subscribers.csv
  gunzip -c subscribers.csv.gz | broadside import subscriptions --app news-k3x9qa --format csv -`;

const EXIT_REFUSED = 3;

export function addImportCommand(program: Command): void {
  program
    .command('import')
    .description('Brings data in.')
    .command('subscriptions')
    .description('Imports subscriptions of an app from NDJSON or CSV.')
    .argument('<file>', 'the file; - reads standard input')
    .requiredOption('--app <identifier>', 'the app that they are for')
    .addOption(
      new Option('--format <format>', 'instead of what the file is named like').choices(['ndjson', 'csv']),
    )
    .option('--rejects <file>', 'write every refused line there, with its reason (JSON lines)')
    .option('--database <url>', 'Postgres URL (default: DATABASE_URL, else the one in DATA_FOLDER)')
    .option('--json', 'print the summary as one JSON object')
    .addHelpText('after', help)
    .action(importSubscriptions);
}

async function importSubscriptions(file: string, options: ImportOptions): Promise<void> {
  const config = readImportConfig(options.database);
  const startedAt = performance.now();
  const counts = await withDatabase(config, (database) => importFile(database, config, file, options));
  printSummary(options.app, counts, performance.now() - startedAt, options.json === true);
  if (counts.refused > 0) process.exitCode = EXIT_REFUSED;
}

async function importFile(
  database: Database,
  config: ImportConfig,
  file: string,
  options: ImportOptions,
): Promise<ImportCounts> {
  const format = formatOf(file, options.format);
  const appId = await findAppId(database, options.app);
  if (appId === null) throw new CliError(`there is no app "${options.app}"`);
  const keyNumbers = await keyNumbersOf(database, appId);
  const source = await openSource(file);
  const rejects = await createRejects(options.rejects);
  const progress = createProgress(source.totalBytes, source.readBytes);
  try {
    return await runImport(readRecords(source.bytes, format), {
      storeBatch: (rows) => storeBatch(database, appId, rows),
      policy: { hosts: config.pushServiceHosts, allowAnyHost: config.allowAnyPushHost },
      keyNumbers,
      onRefusal: rejects.add,
      onProgress: progress.show,
    });
  } finally {
    progress.stop();
    await rejects.close();
  }
}
