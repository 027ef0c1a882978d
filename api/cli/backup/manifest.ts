import { hash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '../../../engine/command-line/endings.ts';

/**
 * The folder of a backup:
 *
 *     manifest.json          this; written last, so that a folder without it is none
 *     manifest.sha256        of manifest.json
 *     postgres/TABLE.copy.zst
 *     clickhouse/TABLE.N.native.zst
 *     keys/                  the master keys of the data folder
 */
export interface Manifest {
  readonly format: 1;
  /** Release of the Broadside that wrote it. */
  readonly broadside: string;
  /** By the clock of Postgres. */
  readonly taken_at: string;
  readonly postgres: {
    readonly server: string;
    readonly migrations: readonly string[];
    readonly sequences: readonly { readonly name: string; readonly value: number }[];
    readonly tables: readonly (TableEntry & { readonly file: FileEntry })[];
  };
  readonly clickhouse: {
    readonly server: string;
    readonly migrations: readonly string[];
    readonly tables: readonly (TableEntry & { readonly files: readonly FileEntry[] })[];
  };
  readonly keys: readonly FileEntry[];
}

interface TableEntry {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
}

export interface FileEntry {
  /** Within the folder. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

const FORMAT = 1;

export const filesOf = ({ postgres, clickhouse, keys }: Manifest): FileEntry[] => [
  ...postgres.tables.map(({ file }) => file),
  ...clickhouse.tables.flatMap(({ files }) => files),
  ...keys,
];

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  const options = { mode: 0o600, flush: true };
  await writeFile(join(folder, 'manifest.sha256'), `${hash('sha256', text)}\n`, options);
  await writeFile(join(folder, 'manifest.json'), text, options);
}

/** @throws CliError where the folder is no backup, or one that this release cannot read. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => {
    throw new CliError(`${folder} is no whole backup: it has no manifest.json`);
  });
  const sum = await readFile(join(folder, 'manifest.sha256'), 'utf8').catch(() => '');
  if (hash('sha256', text) !== sum.trim())
    throw new CliError(`${folder} is damaged: manifest.json is not what manifest.sha256 says`);
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format !== FORMAT) {
    throw new CliError(
      `${folder} was written by a newer Broadside (format ${manifest.format}, this one knows ${FORMAT})`,
    );
  }
  return manifest;
}
