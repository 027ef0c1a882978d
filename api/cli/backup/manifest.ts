import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { checkManifest, type FileEntry, type Manifest } from './check-manifest.ts';
import { readWithin } from './within.ts';

export const filesOf = ({ postgres, clickhouse, keys }: Manifest): FileEntry[] => [
  ...postgres.tables.map(({ file }) => file),
  ...clickhouse.tables.flatMap(({ files }) => files),
  ...keys,
];

/** A terabyte of rows is named in 6 MB. */
const MOST_MANIFEST_BYTES = 64 * 1024 ** 2;
const MOST_SUM_BYTES = 1_024;

/**
 * Writes it last, so that a folder without it is not a backup.
 * @throws CliError where this release would not read it again: better now than at a restore.
 */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  const checked = checkManifest(text);
  if (checked.kind === 'wrong') throw new CliError(`this cannot be backed up: ${checked.why}`);
  if (Buffer.byteLength(text) > MOST_MANIFEST_BYTES)
    throw new CliError('this cannot be backed up: its manifest would be larger than a restore reads');
  const options = { mode: 0o600, flush: true };
  await writeFile(join(folder, 'manifest.sha256'), `${hash('sha256', text)}\n`, options);
  await writeFile(join(folder, 'manifest.json'), text, options);
}

/** @throws CliError where the folder is not a backup, or one that this release cannot read. */
export async function readManifest(folder: string): Promise<Manifest> {
  const bytes = await readWithin(folder, 'manifest.json', MOST_MANIFEST_BYTES);
  if (bytes === null) throw new CliError(`${folder} is not a whole backup: it has no manifest.json`);
  const text = bytes.toString('utf8');
  const sum = await readWithin(folder, 'manifest.sha256', MOST_SUM_BYTES);
  if (hash('sha256', bytes) !== sum?.toString('utf8').trim())
    throw new CliError(`${folder} is damaged: manifest.json is not what manifest.sha256 says`);
  const checked = checkManifest(text);
  if (checked.kind === 'wrong') throw new CliError(`${folder} cannot be restored: ${checked.why}`);
  return checked.manifest;
}
