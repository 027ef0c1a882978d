import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { openArchive } from './reading/archive.ts';

/** The file name for standard input. */
export const STANDARD_INPUT = '-';

/** A file to be read, and its name in messages. */
export interface Input extends AsyncDisposable {
  readonly path: string;
  readonly name: string;
}

/** Files of an archive that are none of its data. */
const isBeside = (name: string): boolean =>
  name.endsWith('/') || name.startsWith('__MACOSX/') || /(?:^|\/)\.[^/]*$/.test(name);

export const isArchive = (file: string): boolean => file.toLowerCase().endsWith('.zip');

/**
 * The files of an archive, each unpacked into a temporary file: a file in it is one that is in already if its own bytes are.
 * @throws CliError where it is not an archive, or is damaged.
 */
export async function openInputs(file: string): Promise<readonly Input[]> {
  if (!isArchive(file)) return [await openInput(file)];
  const archive = await openArchive(file);
  const folder = await mkdtemp(join(tmpdir(), 'broadside-input-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const inputs: Input[] = [];
    for (const entry of archive.entries.filter(({ name }) => !isBeside(name))) {
      const path = join(folder, String(inputs.length));
      await pipeline(archive.bytesOf(entry), createWriteStream(path, { mode: 0o600 }));
      inputs.push({ path, name: `${file}/${entry.name}`, [Symbol.asyncDispose]: remove });
    }
    if (inputs.length === 0) throw new CliError(`${file} has no files in it`);
    return inputs;
  } catch (error) {
    await remove();
    throw error instanceof CliError ? error : new CliError(`${file}: ${(error as Error).message}`);
  } finally {
    await archive.close();
  }
}

/**
 * Standard input is written to a temporary file first: whether it is one that is in already is known by all of
 * its bytes, before the first row is taken.
 * @throws CliError where there is no room for it.
 */
async function openInput(file: string): Promise<Input> {
  if (file !== STANDARD_INPUT) return { path: file, name: file, [Symbol.asyncDispose]: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'broadside-input-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'input');
  try {
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    await remove();
    throw new CliError(`standard input: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { path, name: 'standard input', [Symbol.asyncDispose]: remove };
}
