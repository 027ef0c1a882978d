import { type Command, Option } from 'commander';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { createSealer } from '../../../engine/adapters/postgres/sealed-secret.ts';
import { withDatabase } from '../../../engine/kit/command-line/database.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import {
  checkQuotes,
  type ImportEncoding,
  type ImportFormat,
  type ImportRecord,
  importEncodings,
  readRecords,
} from '../../../engine/kit/command-line/file/records.ts';
import { createProgress, createRejects } from '../../../engine/kit/command-line/file/report.ts';
import { formatOf, openSource } from '../../../engine/kit/command-line/file/source.ts';
import { readTransferConfig, type TransferConfig } from '../../settings/config.ts';
import { keyNumbersOf } from '../app-transfer/import-store.ts';
import { masterKeysOf } from '../master-key/keys.ts';
import { createCountBatch } from './dry-run.ts';
import { explained, onInterruption } from './interruptions.ts';
import { createLosses, openReport } from './losses.ts';
import { readOldPair, type TakenPair, takeOldPair } from './old-pair.ts';
import { createParse } from './parse-line.ts';
import { printSummary, reportOf, type Summary } from './report.ts';
import { rulesOf } from './rules.ts';
import { runImport } from './run-import.ts';
import { PLAIN, sourceNames, sourceOf, sources } from './sources/sources.ts';
import { findAppId, storeBatch } from './store.ts';
import { createUnknownFields } from './unknown-fields.ts';
import { addWorkerCommand } from './worker-command.ts';

interface ImportOptions {
  readonly app: string;
  readonly organization?: string;
  readonly from: string;
  readonly dryRun?: boolean;
  readonly report?: string;
  readonly vapid?: string;
  readonly vapidPublic?: string;
  readonly vapidPrivate?: string;
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
  external_ids               JSON object of texts: ids in other systems
  tags                       JSON object of texts
  country                    two letters
  device_type (or device)    desktop, mobile or tablet
  time_zone                  IANA name, such as Europe/Berlin
  language                   BCP 47, such as de or pt-BR
  created_at, last_seen_at   ISO 8601
  vapid_key                  the public key it was made with, if the app has two (default: the active one)

--from reads the export of another service in its own names: ${sources.map(({ name }) => name).join(', ')}. It needs the
VAPID key pair of that service, because browsers accept no other sender. An app without subscriptions takes the pair as
its own; another keeps it beside its own until its readers have moved. What cannot be moved is listed with its reason;
a wrong language or tag is left out and listed, and its reader is moved. --dry-run says all that and writes nothing.

A wrong line is reported with its number and the reason, and the import goes on. The same holds for a line over 64 KB,
and for one that is not UTF-8 (--encoding latin1 reads files of older systems). If a quote in a CSV does not close
within 100 lines, the import ends: nothing of a file is imported then, but what came through a pipe before it is.
Importing again creates no duplicates: a known endpoint is updated, and unsubscribed readers stay unsubscribed. Ctrl-C stops
after the lines that were read; a second Ctrl-C stops at once.

Fields with other names are ignored and listed at the end, with the field that was probably meant.

Exit codes: 0 all lines are in, 1 error, 2 wrong command, 3 some lines were refused, or a field looks like a known
one, 130 stopped by Ctrl-C.

Examples:
  broadside import subscriptions --app news-k3x9qa subscribers.ndjson
  broadside import subscriptions --app news-k3x9qa --rejects bad.ndjson subscribers.csv
  broadside import subscriptions --app news-k3x9qa --from onesignal --vapid old-keys.json --dry-run users.csv
  broadside import subscriptions --app news-k3x9qa --from webpush --vapid-public old.pub --vapid-private old.key dump.json
  gunzip -c subscribers.csv.gz | broadside import subscriptions --app news-k3x9qa --format csv -`;

const EXIT_REFUSED = 3;
const EXIT_STOPPED = 130;

export function addImportCommand(program: Command): void {
  const command = program.command('import').description('Imports data.');
  command
    .command('subscriptions')
    .description('Imports subscriptions of an app from NDJSON or CSV, or from another service’s export.')
    .argument('<file>', 'the file; - reads standard input')
    .requiredOption('--app <identifier>', 'the app that they are for')
    .option('--organization <name>', 'refuse an app of another organization')
    .addOption(new Option('--from <service>', 'whose export it is').choices(sourceNames).default(PLAIN))
    .option(
      '--vapid <file>',
      'JSON with publicKey and privateKey: the key pair that they were subscribed with',
    )
    .option('--vapid-public <file>', 'instead of it: file with the public key, base64url')
    .option('--vapid-private <file>', 'and file with the private key, base64url')
    .option('--dry-run', 'read and check everything, write nothing')
    .option('--report <file>', 'write there what cannot be moved and why, as one JSON object')
    .addOption(new Option('--format <format>', 'instead of the file’s extension').choices(['ndjson', 'csv']))
    .addOption(new Option('--encoding <name>', 'of the file').choices(importEncodings).default('utf-8'))
    .option('--rejects <file>', 'write every refused line there, with its reason (JSON lines)')
    .option('--database <url>', 'Postgres URL (default: DATABASE_URL, otherwise the one in DATA_FOLDER)')
    .option('--json', 'print the summary as one JSON object')
    .addHelpText('after', help)
    .action(importSubscriptions);
  addWorkerCommand(command);
}

async function importSubscriptions(file: string, options: ImportOptions): Promise<void> {
  const pair = await readOldPair(options);
  if (pair === null && options.from !== PLAIN) throw noPair(options.from);
  const config = readTransferConfig(options.database);
  const report = await openReport(options.report, file);
  const startedAt = performance.now();
  try {
    const done = await withDatabase(config, (database) =>
      importFile(database, config, file, { ...options, pair }),
    );
    const summary = { app: options.app, ...done, elapsedMs: performance.now() - startedAt };
    await report.write(reportOf(summary));
    printSummary(summary, options.json === true);
    if (done.counts.refused > 0 || done.unknownFields.some(({ likely }) => likely !== null))
      process.exitCode = EXIT_REFUSED;
    if (done.stopped) process.exitCode = EXIT_STOPPED;
  } finally {
    await report.close();
  }
}

const noPair = (from: string): CliError =>
  new CliError(
    `subscriptions of ${from} are bound to the VAPID key pair they were made with: with another one, push services ` +
      'answer 403. Ask that service for the pair, and name its file with --vapid (or --vapid-public and --vapid-private)',
  );

interface Request extends ImportOptions {
  readonly pair: Awaited<ReturnType<typeof readOldPair>>;
}
type Done = Required<Omit<Summary, 'app' | 'elapsedMs'>>;

// What is opened here is closed here, whatever happens in between.
async function importFile(
  database: Database,
  config: TransferConfig,
  file: string,
  options: Request,
): Promise<Done> {
  const format = formatOf(file, options.format);
  const appId = await findAppId(database, options.app, options.organization);
  if (appId === null) throw noApp(options);
  const foreign = sourceOf(options.from);
  const { pair, dryRun: isDry = false } = options;
  // Input from a pipe can be read only once.
  if (format === 'csv' && file !== '-') await checkQuotes((await openSource(file)).bytes);
  const source = await openSource(file);
  const records = readRecords(source.bytes, format, rulesOf(foreign), options.encoding);
  const rejects = await createRejects(options.rejects, [file]);
  const progress = createProgress(source.totalBytes, source.readBytes, isDry ? 'Reading' : 'Importing');
  const unknown = createUnknownFields(foreign);
  const [lost, left] = [createLosses(), createLosses()];
  const interruption = onInterruption(source.stop);
  let linesIn = 0;
  let taken: TakenPair | null = null;
  // Not before the file has shown that it can be read.
  const takePair = async (): Promise<void> => {
    if (pair === null) return;
    const { current, old } = await masterKeysOf(config);
    taken = await takeOldPair({ database, sealer: createSealer(current, old), isDry }, options.app, pair);
  };
  const policy = { hosts: config.pushServiceHosts, allowAnyHost: config.allowAnyPushHost };
  const parse = createParse({
    ...{ source: foreign, policy, keyNumbers: await keyNumbersOf(database, appId), onLeft: left.add },
    pair: pair === null ? null : { publicKey: pair.publicKey, number: () => taken?.number ?? null },
  });
  try {
    const counts = await runImport(begun(records, takePair), {
      storeBatch: isDry ? createCountBatch(database, appId) : (rows) => storeBatch(database, appId, rows),
      parse,
      onRefusal: (refusal) => {
        lost.add(refusal.reason, refusal.line, refusal.raw);
        return rejects.add(refusal);
      },
      onLine: unknown.note,
      onProgress: (soFar, parsed) => {
        linesIn = soFar.inserted + soFar.updated;
        progress.show(soFar, parsed);
      },
      isStopped: interruption.happened,
    });
    return {
      ...{ from: options.from, isDry, counts, read: records.counts, unknownFields: unknown.list() },
      vapid: pair === null || taken === null ? null : { publicKey: pair.publicKey, ...(taken as TakenPair) },
      lost: lost.list(),
      left: left.list(),
      stopped: interruption.happened(),
    };
  } catch (error) {
    throw explained(error, linesIn);
  } finally {
    interruption.forget();
    progress.stop();
    await rejects.close();
  }
}

/** Runs `begin` once the first records are there. */
async function* begun(
  records: AsyncIterable<ImportRecord[]>,
  begin: () => Promise<void>,
): AsyncGenerator<ImportRecord[]> {
  let isBegun = false;
  for await (const piece of records) {
    if (!isBegun) await begin();
    isBegun = true;
    yield piece;
  }
}

function noApp({ app, organization }: ImportOptions): CliError {
  const whose = organization === undefined ? '' : ` in the organization "${organization}"`;
  return new CliError(`there is no app "${app}"${whose}`);
}
