import { type Command, Option } from 'commander';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { withDatabase } from '../../../engine/command-line/database.ts';
import { CliError } from '../../../engine/command-line/endings.ts';
import {
  checkQuotes,
  type ImportEncoding,
  type ImportFormat,
  importEncodings,
  readRecords,
} from '../../../engine/command-line/file/records.ts';
import { createProgress, createRejects } from '../../../engine/command-line/file/report.ts';
import { formatOf, openSource } from '../../../engine/command-line/file/source.ts';
import { type ImportConfig, readImportConfig } from '../../config.ts';
import { keyNumbersOf } from '../app-transfer/import-store.ts';
import { explained, onInterruption } from './interruptions.ts';
import { printSummary, type Summary } from './report.ts';
import { subscriptionRules } from './rules.ts';
import { runImport } from './run-import.ts';
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
  user_identity              your site’s name for the reader
  tags                       JSON object of texts
  country                    two letters
  device_type (or device)    desktop, mobile or tablet
  time_zone                  IANA name, such as Europe/Berlin
  language                   BCP 47, such as de or pt-BR
  created_at                 ISO 8601
  vapid_key                  the public key it was made with, if the app has two (default: the active one)

A wrong line is reported with its number and the reason, and the import goes on. The same holds for a line over 64 KB,
and for one that is not UTF-8 (--encoding latin1 reads files of older systems). If a quote in a CSV does not close
within 100 lines, the import ends: nothing of a file is imported then, but what came through a pipe before it is.
Importing again doubles nothing: a known endpoint is updated, and unsubscribed readers stay unsubscribed. Ctrl-C stops
after the lines that were read; a second Ctrl-C stops at once.

Fields with other names are ignored and listed at the end, with the field that was probably meant.

Exit codes: 0 all lines are in, 1 error, 2 wrong command, 3 some lines were refused, or a field looks like a known
one, 130 stopped by Ctrl-C.

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
    .addOption(new Option('--format <format>', 'instead of the file’s extension').choices(['ndjson', 'csv']))
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
  // Input from a pipe can be read only once.
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
      onProgress: (soFar, parsed) => {
        linesIn = soFar.inserted + soFar.updated;
        progress.show(soFar, parsed);
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
