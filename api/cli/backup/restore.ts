import { realpath, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import {
  emptyStatistics,
  hasStatistics,
  loadStatistics,
  unknownStatisticsMigrations,
} from '../../../engine/adapters/clickhouse/backup/load.ts';
import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import { compileOptions } from '../../../engine/adapters/pgboss/options.ts';
import { loadTables, type Requeued } from '../../../engine/adapters/postgres/backup/load.ts';
import {
  beginRestore,
  emptyTarget,
  endRestore,
  makeTables,
  readTargetState,
  unknownMigrations,
} from '../../../engine/adapters/postgres/backup/target.ts';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { withDatabase } from '../../../engine/kit/command-line/database.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import type { BackupConfig } from '../../settings/config.ts';
import { type Compared, compareBooks } from './books.ts';
import type { Manifest } from './check-manifest.ts';
import { checkFile, openPacked, readChecked, readPacked } from './files.ts';
import { holdFolder } from './hold-folder.ts';
import { readLag } from './log.ts';
import { filesOf, readManifest } from './manifest.ts';
import type { Progress } from './progress.ts';
import { openStatisticsOf } from './statistics.ts';

export interface RestoreOptions {
  readonly config: BackupConfig;
  readonly folder: string;
  /** Removes what the target holds; otherwise a target that holds anything is refused. */
  readonly overwrite: boolean;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

export interface Restored {
  readonly manifest: Manifest;
  readonly requeued: Requeued;
  readonly books: Compared;
}

/**
 * Everything that can be refused is refused before the target is touched. Then a mark stands in the target until all
 * of it is in: no role starts on a restore that died, and only another one with `overwrite` goes on there.
 * @throws CliError where the backup is damaged or newer, or the target is not empty.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  // Whoever runs the command may name the folder by a link; inside of it there is none.
  const folder = await realpath(options.folder).catch(() => resolve(options.folder));
  const manifest = await readManifest(folder);
  await refuseNewer(manifest);
  refuseMissingKeys(options.config, manifest);
  await checkFiles(options, folder, manifest);
  await using held = await holdFolder(options.config, options.overwrite);
  if (held.path !== null) await writeKeys(folder, manifest, held.path);
  const restored = await withDatabase(options.config, (database, url) =>
    fill({ ...options, folder }, manifest, database, url),
  );
  await held.whole();
  return restored;
}

/** The emptied folder has none of them: a file that is there now is somebody else's. */
async function writeKeys(folder: string, { keys }: Manifest, target: string): Promise<void> {
  for (const entry of keys) {
    const file = join(target, basename(entry.path));
    await writeFile(file, await readChecked(folder, entry), { flag: 'wx', mode: 0o600, flush: true });
  }
}

async function refuseNewer({ broadside, postgres, clickhouse }: Manifest): Promise<void> {
  const unknown = [
    ...(await unknownMigrations(postgres.migrations)),
    ...(await unknownStatisticsMigrations(clickhouse.migrations)),
  ];
  if (unknown.length === 0) return;
  throw new CliError(
    `the backup is of a newer Broadside (${broadside}; it has "${unknown[0]}", which this version does not know): restore it with that version`,
  );
}

/** Without its key a database cannot sign, and a role that starts on a folder without one makes another. */
function refuseMissingKeys({ masterKey }: BackupConfig, { keys }: Manifest): void {
  if (masterKey !== null || keys.length > 0) return;
  throw new CliError(
    'the backup holds no master key: set MASTER_KEY to the key of the Broadside that it is of',
  );
}

async function checkFiles(
  { progress, signal }: RestoreOptions,
  folder: string,
  manifest: Manifest,
): Promise<void> {
  const files = filesOf(manifest);
  progress.begin('Checking', sizeOf(files));
  for (const file of files) await checkFile(folder, file, { signal, onBytes: progress.add });
}

const sizeOf = (files: readonly { readonly bytes: number }[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);

async function fill(
  options: RestoreOptions,
  manifest: Manifest,
  database: Database,
  url: string,
): Promise<Restored> {
  await using opened = new AsyncDisposableStack();
  const clickhouse = await openStatisticsOf(options.config);
  opened.defer(() => clickhouse.close());
  await clickhouse.createDatabase();
  await refuseFilled(options, database, clickhouse);
  await beginRestore(database, options.folder);
  await emptyTarget(database, compileOptions({ url }).schema);
  await emptyStatistics(clickhouse);
  options.progress.begin('Restoring', sizeOf(filesOf(manifest)));
  await makeTables(url, database, manifest.postgres.migrations);
  const requeued = await fillPostgres(options, manifest, url);
  await fillClickHouse(options, manifest, clickhouse);
  const books = await compareBooks(database, clickhouse);
  options.signal.throwIfAborted();
  await endRestore(database);
  return { manifest, requeued, books };
}

async function refuseFilled(
  { config, overwrite }: RestoreOptions,
  database: Database,
  clickhouse: ClickHouse,
): Promise<void> {
  const waiting = Object.entries(config.logBackend === 'kafka' ? await readLag(config, database) : {});
  const [topic] = waiting.find(([, messages]) => messages > 0) ?? [];
  if (topic !== undefined) {
    throw new CliError(
      `messages of another Broadside wait on Kafka's ${config.kafkaTopicPrefix}${topic}: set KAFKA_TOPIC_PREFIX to one that was never used`,
    );
  }
  if (overwrite) return;
  const state = await readTargetState(database);
  if (state === 'half-restored') {
    throw new CliError(
      'a restore into this database has not ended: wait for it, or, if it died, use --overwrite to begin again',
    );
  }
  if (state === 'filled') throw new CliError(`the database is not empty: ${orOverwrite}`);
  if (await hasStatistics(clickhouse))
    throw new CliError(`the ClickHouse database ${config.clickhouseDatabase} is not empty: ${orOverwrite}`);
}

const orOverwrite = 'name another one, or use --overwrite to remove what it holds';

const fillPostgres = (
  { folder, progress, signal }: RestoreOptions,
  { postgres }: Manifest,
  url: string,
): Promise<Requeued> =>
  loadTables(url, {
    signal,
    sequences: postgres.sequences,
    tables: postgres.tables.map(({ name, columns, rows, file }) => ({
      ...{ name, columns, rows },
      open: () => openPacked(folder, file, progress.add),
    })),
  });

const fillClickHouse = (
  { folder, progress, signal }: RestoreOptions,
  { clickhouse: { migrations, tables } }: Manifest,
  clickhouse: ClickHouse,
): Promise<void> =>
  loadStatistics(
    clickhouse,
    migrations,
    tables.map(({ name, columns, rows, files }) => ({
      ...{ name, columns, rows },
      pieces: (async function* () {
        for (const file of files) {
          signal.throwIfAborted();
          yield readPacked(folder, file, progress.add);
        }
      })(),
    })),
  );
