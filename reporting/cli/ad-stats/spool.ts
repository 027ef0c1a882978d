import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CliError } from '../../../engine/kit/command-line/endings.ts';

/** The file name for standard input. */
export const STANDARD_INPUT = '-';

/** A file to be read, and its name in messages. */
export interface Input extends AsyncDisposable {
  readonly path: string;
  readonly name: string;
}

/**
 * Standard input is written to a temporary file first: whether it is one that is in already is known by all of
 * its bytes, before the first row is taken.
 * @throws CliError where there is no room for it.
 */
export async function openInput(file: string): Promise<Input> {
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
