import { createWriteStream } from 'node:fs';
import { readFile, rename, stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { Command } from 'commander';
import { createSealer, type Sealer } from '../../../engine/adapters/postgres/sealed-secret.ts';
import { counted, pluralOf } from '../../../engine/contract/counted.ts';
import { withDatabase } from '../../../engine/kit/command-line/database.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { readRecords } from '../../../engine/kit/command-line/file/records.ts';
import { createProgress, createRejects } from '../../../engine/kit/command-line/file/report.ts';
import { openSource } from '../../../engine/kit/command-line/file/source.ts';
import { print } from '../../../engine/kit/command-line/terminal.ts';
import { readTransferConfig, type TransferConfig } from '../../settings/config.ts';
import { printSummary } from '../import/report.ts';
import { subscriptionRules } from '../import/rules.ts';
import { masterKeysOf } from '../master-key/keys.ts';
import { adoptKeys } from './adopt-keys.ts';
import { exportApp } from './export-app.ts';
import { importLines } from './import-lines.ts';
import { parseVapidPair } from './vapid-pair.ts';

const databaseOption = [
  '--database <url>',
  'Postgres URL (default: DATABASE_URL, otherwise the one in DATA_FOLDER)',
] as const;
const passphraseOption = [
  '--passphrase-file <file>',
  'file whose first line is the passphrase of the keys',
] as const;

/** Work on the database itself, like "broadside import": an app of millions is not matter for HTTP. */
export function addTransferCommands(apps: Command): void {
  apps
    .command('export')
    .description('Writes an app with its keys, segments, categories and subscriptions to a file.')
    .requiredOption('--app <identifier>', 'the app')
    .requiredOption('--out <file>', 'the file to write; it must not exist yet')
    .option(...passphraseOption)
    .option('--plain-keys', 'write the private keys unencrypted: anyone with the file can send as the app')
    .option(...databaseOption)
    .action(runExport);
  apps
    .command('import')
    .description('Creates an app from such a file, or continues where an earlier run stopped.')
    .argument('<file>', 'a file written by "apps export"')
    .requiredOption('--organization <name>', 'the organization that it is for')
    .option(...passphraseOption)
    .option('--rejects <file>', 'write every refused line there, with its reason (JSON lines)')
    .option(...databaseOption)
    .option('--json', 'print the summary as one JSON object')
    .action(runImport);
  apps
    .command('adopt-keys')
    .description('Gives an app without subscriptions the VAPID key pair that its publisher had elsewhere.')
    .requiredOption('--app <identifier>', 'the app')
    .requiredOption('--vapid-public <file>', 'file with the public key, base64url')
    .requiredOption('--vapid-private <file>', 'file with the private key, base64url')
    .option(...databaseOption)
    .action(runAdopt);
}

interface ExportOptions {
  readonly app: string;
  readonly out: string;
  readonly passphraseFile?: string;
  readonly plainKeys?: boolean;
  readonly database?: string;
}

async function runExport(options: ExportOptions): Promise<void> {
  const passphrase = await passphraseOf(options.passphraseFile);
  if ((passphrase === null) !== (options.plainKeys === true))
    throw new CliError('use --passphrase-file FILE, or --plain-keys to write the private keys unencrypted');
  if (await stat(options.out).catch(() => null)) throw new CliError(`${options.out} is there already`);
  const config = readTransferConfig(options.database);
  const sealer = await sealerOf(config);
  const file = await openPart(options.out);
  let [done, all] = [0, 1];
  const progress = createProgress(1_000, () => Math.round((done / all) * 1_000), 'Exporting');
  const subscriptions = await withDatabase(config, (database) =>
    exportApp(
      { app: options.app, passphrase },
      {
        database,
        sealer,
        write: file.write,
        onProgress: (doneSeqs, allSeqs, lines) => {
          [done, all] = [doneSeqs, allSeqs];
          progress.show({ lines, refused: 0 });
        },
      },
    ),
  ).finally(progress.stop);
  await file.complete();
  print(
    `${counted(subscriptions, 'subscription')} of ${options.app} ${pluralOf(subscriptions, 'is', 'are')} in ${options.out}.`,
  );
}

/** Under another name until it is complete, and readable by its owner alone. */
async function openPart(out: string) {
  const part = `${out}.part`;
  const stream = createWriteStream(part, { mode: 0o600 });
  await new Promise<void>((resolve, reject) => {
    stream.once('open', () => resolve());
    stream.once('error', (error) => reject(new CliError(`cannot write ${part}: ${error.message}`)));
  });
  return {
    write: async (lines: readonly string[]): Promise<void> => {
      if (lines.length === 0) return;
      await new Promise<void>((resolve, reject) =>
        stream.write(`${lines.join('\n')}\n`, (error) => (error ? reject(error) : resolve())),
      );
    },
    complete: async (): Promise<void> => {
      stream.end();
      await finished(stream);
      await rename(part, out);
    },
  };
}

interface ImportOptions {
  readonly organization: string;
  readonly passphraseFile?: string;
  readonly rejects?: string;
  readonly database?: string;
  readonly json?: boolean;
}

const EXIT_REFUSED = 3;

async function runImport(path: string, options: ImportOptions): Promise<void> {
  const startedAt = performance.now();
  const config = readTransferConfig(options.database);
  const request = {
    organization: options.organization,
    passphrase: await passphraseOf(options.passphraseFile),
  };
  const sealer = await sealerOf(config);
  const source = await openSource(path);
  const rejects = await createRejects(options.rejects, [path]);
  const progress = createProgress(source.totalBytes, source.readBytes);
  const { app, counts } = await withDatabase(config, (database) =>
    importLines(readRecords(source.bytes, 'ndjson', subscriptionRules), request, {
      database,
      sealer,
      policy: { hosts: config.pushServiceHosts, allowAnyHost: config.allowAnyPushHost },
      base: config.publicBaseUrl ?? `http://${config.apiHost}:${config.apiPort}`,
      onRefusal: rejects.add,
      onProgress: progress.show,
    }),
  ).finally(async () => {
    progress.stop();
    await rejects.close();
  });
  const elapsedMs = performance.now() - startedAt;
  printSummary({ app: app.identifier, counts, elapsedMs }, options.json === true);
  if (counts.refused > 0) process.exitCode = EXIT_REFUSED;
}

interface AdoptOptions {
  readonly app: string;
  readonly vapidPublic: string;
  readonly vapidPrivate: string;
  readonly database?: string;
}

async function runAdopt(options: AdoptOptions): Promise<void> {
  const config = readTransferConfig(options.database);
  const pair = parseVapidPair(await textOf(options.vapidPublic), await textOf(options.vapidPrivate));
  if (pair === null) throw new CliError('the two files do not contain a pair of VAPID keys in base64url');
  const sealer = await sealerOf(config);
  await withDatabase(config, (database) => adoptKeys(database, sealer, options.app, pair));
  print(`${options.app} has the key ${pair.publicKey}.`);
}

async function sealerOf(config: TransferConfig): Promise<Sealer> {
  const keys = await masterKeysOf(config);
  return createSealer(keys.current, keys.old);
}

const MIN_PASSPHRASE = 8;

async function passphraseOf(file: string | undefined): Promise<string | null> {
  if (file === undefined) return null;
  const passphrase = (await textOf(file)).split('\n')[0]?.trim() ?? '';
  if (passphrase.length < MIN_PASSPHRASE)
    throw new CliError(`the passphrase in ${file} has less than ${MIN_PASSPHRASE} characters`);
  return passphrase;
}

const textOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`cannot read ${file} (${error.code})`);
  });
