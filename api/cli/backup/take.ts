import { hash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { FrozenStatistics, StatisticsCopy } from '../../../engine/adapters/clickhouse/backup/copy.ts';
import { openSnapshot, type PostgresSnapshot } from '../../../engine/adapters/postgres/backup/snapshot.ts';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { withDatabase } from '../../../engine/kit/command-line/database.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { makeFolder } from '../../../engine/kit/command-line/make-folder.ts';
import type { BackupConfig } from '../../settings/config.ts';
import { keyFiles } from '../../up/data-folder.ts';
import { type FileEntry, keyFile, type Manifest, pieceFile, tableFile } from './check-manifest.ts';
import { oneChunk, writePacked } from './files.ts';
import { withOutcomesHeld } from './hold.ts';
import { readLag } from './log.ts';
import { filesOf, writeManifest } from './manifest.ts';
import type { Progress } from './progress.ts';
import { type BackupParts, openCopy } from './statistics.ts';

export interface BackupOptions {
  readonly config: BackupConfig;
  /** The backup's; not there yet, or empty. */
  readonly folder: string;
  readonly withKeys: boolean;
  readonly version: string;
  readonly parts: BackupParts;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

export interface Taken {
  readonly manifest: Manifest;
  readonly bytes: number;
  /** How long outcomes waited in the outbox. */
  readonly heldMs: number;
}

/**
 * The folder gets its name when it is whole. Until then it is called otherwise, and goes where anything fails: what a
 * power cut leaves has no manifest.
 * @throws CliError where the folder is in use, or outcomes do not reach ClickHouse.
 */
export async function takeBackup(options: BackupOptions): Promise<Taken> {
  const folder = resolve(options.folder);
  await refuseUsed(folder);
  await makeFolder(dirname(folder));
  const partial = await mkdtemp(join(dirname(folder), `${basename(folder)}.partial-`));
  try {
    const taken = await withDatabase(options.config, (database, url) =>
      copyAll(options, partial, database, url),
    );
    await rename(partial, folder);
    return taken;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function refuseUsed(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new CliError(`${folder} cannot be used: ${error.message}`);
  });
  if (found.length > 0) throw new CliError(`${folder} is not empty: name a folder that does not exist yet`);
}

async function copyAll(
  options: BackupOptions,
  folder: string,
  database: Database,
  url: string,
): Promise<Taken> {
  await using opened = new AsyncDisposableStack();
  const { copy, isServed, close } = await openCopy(options.config, options.parts);
  opened.defer(close);
  opened.defer(() => copy.thaw());
  const { snapshot, frozen, heldMs } = await freezeBoth(options, { database, url, copy, isServed });
  opened.defer(() => snapshot.close());
  options.progress.begin('Backing up', workIn(snapshot, frozen));
  const manifest: Manifest = {
    format: 1,
    broadside: options.version,
    taken_at: snapshot.takenAt,
    postgres: {
      server: snapshot.server,
      migrations: snapshot.migrations,
      sequences: snapshot.sequences,
      tables: await writeTables(options, folder, snapshot),
    },
    clickhouse: {
      server: frozen.version,
      migrations: frozen.migrations,
      tables: await writeStatistics(options, folder, copy, frozen),
    },
    keys: options.withKeys ? await writeKeys(options.config, folder) : [],
  };
  await writeManifest(folder, manifest);
  return { manifest, heldMs, bytes: filesOf(manifest).reduce((sum, { bytes }) => sum + bytes, 0) };
}

interface Sources {
  readonly database: Database;
  readonly url: string;
  readonly copy: StatisticsCopy;
  readonly isServed: boolean | null;
}

/**
 * Postgres first, ClickHouse second: the second can only hold more, and what that can be while outcomes are held (ad
 * statistics that do not count yet, events) changes no count of a delivery.
 */
async function freezeBoth(
  { config, signal }: BackupOptions,
  { database, url, copy, isServed }: Sources,
): Promise<{ snapshot: PostgresSnapshot; frozen: FrozenStatistics; heldMs: number }> {
  const lag = () => readLag(config, database);
  const startedAt = performance.now();
  return withOutcomesHeld(database, { readLag: lag, isServed: isServed ?? true, signal }, async () => {
    const snapshot = await openSnapshot(url);
    try {
      const frozen = await copy.freeze();
      return { snapshot, frozen, heldMs: performance.now() - startedAt };
    } catch (error) {
      await snapshot.close();
      throw error;
    }
  });
}

/** Bytes of a table and rows of a piece, brought to one measure. */
const BYTES_PER_ROW = 20;

const workIn = ({ tables }: PostgresSnapshot, frozen: FrozenStatistics): number =>
  tables.reduce((sum, { bytes }) => sum + bytes, 0) +
  frozen.tables.flatMap(({ pieces }) => pieces).reduce((sum, { rows }) => sum + rows * BYTES_PER_ROW, 0);

/** A name becomes a file: of a table that an operator made beside ours it may be anything. */
function plainName(name: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(name)) return name;
  throw new CliError(
    `the table ${JSON.stringify(name)} is none of Broadside's: move it to a schema of its own`,
  );
}

async function writeTables(
  { progress, signal }: BackupOptions,
  folder: string,
  snapshot: PostgresSnapshot,
): Promise<Manifest['postgres']['tables']> {
  const written = [];
  for (const table of snapshot.tables) {
    const rows = snapshot.copyOut(table);
    let left = table.bytes;
    const onBytes = (bytes: number): void => {
      progress.add(Math.min(left, bytes));
      left = Math.max(0, left - bytes);
    };
    const file = await writePacked(folder, tableFile(plainName(table.name)), rows, { signal, onBytes });
    progress.add(left);
    written.push({ name: table.name, columns: table.columns, rows: rows.rowCount, file });
  }
  return written;
}

async function writeStatistics(
  { progress, signal }: BackupOptions,
  folder: string,
  copy: StatisticsCopy,
  { tables }: FrozenStatistics,
): Promise<Manifest['clickhouse']['tables']> {
  const written = [];
  for (const { name, columns, pieces } of tables) {
    const files: FileEntry[] = [];
    for (const [index, piece] of pieces.entries()) {
      signal.throwIfAborted();
      const path = pieceFile(plainName(name), index);
      const rows = oneChunk(path, await copy.readPiece(piece));
      files.push(await writePacked(folder, path, rows, { signal, onBytes: () => {} }));
      progress.add(piece.rows * BYTES_PER_ROW);
    }
    written.push({ name, columns, rows: pieces.reduce((sum, { rows }) => sum + rows, 0), files });
  }
  return written;
}

/** Those of the data folder. A key that is a setting is the operator's to keep. */
async function writeKeys({ dataFolder, masterKey }: BackupConfig, folder: string): Promise<FileEntry[]> {
  const written: FileEntry[] = [];
  if (masterKey !== null) return written;
  for (const name of keyFiles) {
    const text = await readFile(join(dataFolder, name)).catch(() => null);
    if (text === null) continue;
    await mkdir(join(folder, 'keys'), { recursive: true, mode: 0o700 });
    await writeFile(join(folder, 'keys', name), text, { mode: 0o600, flush: true });
    written.push({ path: keyFile(name), bytes: text.length, sha256: hash('sha256', text) });
  }
  return written;
}
