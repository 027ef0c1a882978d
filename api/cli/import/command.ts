import { type Command, Option } from 'commander';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { type ImportConfig, readImportConfig } from '../../config.ts';
import { keyNumbersOf } from '../app-transfer/import-store.ts';
import { withDatabase } from '../database.ts';
import { CliError } from '../endings.ts';
import { explained, onInterruption } from './interruptions.ts';
import {
  checkQuotes,
  type ImportEncoding,
  type ImportFormat,
  importEncodings,
  readRecords,
  subscriptionRules,
} from './records.ts';
import { createProgress, createRejects, printSummary, type Summary } from './report.ts';
import { runImport } from './run-import.ts';
import { formatOf, openSource } from './source.ts';
import { findAppId, storeBatch } from './store.ts';
import { createUnknownFields } from './unknown-fields.ts';

interface ImportOptions {
  readonly app: string;
  readonly format?: ImportFormat;
  readonly encoding: ImportEncoding;
  readonly rejects?: string;
  readonly json?: boolean;
  readonly database?: string;
}

const help = `
A line is a JSON object, or a row of a CSV whose first line names the fields:
  endpoint, p256dh, auth     required, as the browser gave them
  user_identity              who it is to your site
  tags                       JSON object of texts
  country                    two letters
  device_type (or device)    desktop, mobile or tablet
  created_at                 ISO 8601
  vapid_key                  the public key it was made with, where the app has two (default: the active one)

A line that is wrong is told with its number and reason, and the import goes on. So is one over 64 KB, and one that is
not UTF-8 (--encoding latin1 reads files of older systems). A quote in a CSV that does not close within 100 lines ends
the import: of a file nothing is taken then; what came through a pipe before it is in. Running it again doubles
nothing: an endpoint that is known is updated. Who has unsubscribed stays unsubscribed. Ctrl-C stops after what was
read; a second one stops at once.

Fields of other names are passed over and named at the end, with the field that was probably meant.

Exit codes: 0 all lines are in, 1 it could not be done, 2 wrong command, 3 done but for refused lines or for a
field that looks like a known one, 130 stopped by Ctrl-C.

Examples:
  broadside import subscriptions --app news-k3x9qa subscribers.ndjson
  broadside import subscriptions --app news-k3x9qa --rejects bad.ndjson subscribers.csv
  gunzip -c subscribers.csv.gz | broadside import subscriptions --app news-k3x9qa --format csv -`;

const EXIT_REFUSED = 3;
const EXIT_STOPPED = 130;

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
    .addOption(new Option('--encoding <name>', 'of the file').choices(importEncodings).default('utf-8'))
    .option('--rejects <file>', 'write every refused line there, with its reason (JSON lines)')
    .option('--database <url>', 'Postgres URL (default: DATABASE_URL, else the one in DATA_FOLDER)')
    .option('--json', 'print the summary as one JSON object')
    .addHelpText('after', help)
    .action(importSubscriptions);
}

async function importSubscriptions(file: string, options: ImportOptions): Promise<void> {
  const config = readImportConfig(options.database);
  const startedAt = performance.now();
  const done = await withDatabase(config, (database) => importFile(database, config, file, options));
  const elapsedMs = performance.now() - startedAt;
  printSummary({ app: options.app, ...done, elapsedMs }, options.json === true);
  if (done.counts.refused > 0 || done.unknownFields.some(({ likely }) => likely !== null))
    process.exitCode = EXIT_REFUSED;
  if (done.stopped) process.exitCode = EXIT_STOPPED;
}

async function importFile(
  database: Database,
  config: ImportConfig,
  file: string,
  options: ImportOptions,
): Promise<Required<Omit<Summary, 'app' | 'elapsedMs'>>> {
  const format = formatOf(file, options.format);
  const appId = await findAppId(database, options.app);
  if (appId === null) throw new CliError(`there is no app "${options.app}"`);
  const keyNumbers = await keyNumbersOf(database, appId);
  // What comes through a pipe can be read once.
  if (format === 'csv' && file !== '-') await checkQuotes((await openSource(file)).bytes);
  const source = await openSource(file);
  const records = readRecords(source.bytes, format, subscriptionRules, options.encoding);
  const rejects = await createRejects(options.rejects);
  const progress = createProgress(source.totalBytes, source.readBytes);
  const unknown = createUnknownFields();
  const interruption = onInterruption(source.stop);
  let linesIn = 0;
  try {
    const counts = await runImport(records, {
      storeBatch: (rows) => storeBatch(database, appId, rows),
      policy: { hosts: config.pushServiceHosts, allowAnyHost: config.allowAnyPushHost },
      keyNumbers,
      onRefusal: rejects.add,
      onLine: unknown.note,
      onProgress: (soFar) => {
        linesIn = soFar.inserted + soFar.updated;
        progress.show(soFar);
      },
      isStopped: interruption.happened,
    });
    return { counts, read: records.counts, unknownFields: unknown.list(), stopped: interruption.happened() };
  } catch (error) {
    throw explained(error, linesIn);
  } finally {
    interruption.forget();
    progress.stop();
    await rejects.close();
  }
}
