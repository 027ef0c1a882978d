import { createReadStream, fstat } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { CliError } from '../endings.ts';
import type { ImportFormat } from './records.ts';

export interface Source {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** 0 where it is not known: a pipe. */
  readonly totalBytes: number;
  readBytes(): number;
  /** Ends the bytes here, also where a pipe gives none for now. */
  stop(): void;
}

const CHUNK_BYTES = 262_144;

/**
 * It is opened as it is read: a file that nobody comes to read is not, and what fails then meets its reader.
 * @throws CliError where the file is missing or none; so do its bytes, where it cannot be read.
 */
export async function openSource(file: string): Promise<Source> {
  const totalBytes = file === '-' ? 0 : await sizeOf(file);
  let read = 0;
  let stopped = false;
  let stream: Readable | undefined;

  async function* bytesOf(): AsyncGenerator<Uint8Array> {
    if (stopped) return;
    stream = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES });
    try {
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        read += chunk.length;
        yield chunk;
      }
    } catch (error) {
      // A stream that is destroyed in the middle reports that to its reader.
      if (!stopped) throw unreadable(file, error);
    }
  }

  return {
    bytes: bytesOf(),
    totalBytes,
    readBytes: () => read,
    stop: () => {
      stopped = true;
      stream?.destroy();
    },
  };
}

/**
 * Before it is opened for writing, which empties it.
 * @throws CliError where it is one of the files that are read, by whatever name.
 */
export async function refuseInput(output: string, inputs: readonly string[]): Promise<void> {
  const place = await stat(output).catch(() => null);
  if (place === null || !place.isFile()) return;
  for (const input of inputs) {
    const read = await (input === '-' ? standardInput() : stat(input)).catch(() => null);
    if (read?.ino === place.ino && read.dev === place.dev)
      throw new CliError(
        `${output} is a file that is read: it would be emptied. Name another one to write to`,
      );
  }
}

const standardInput = promisify(fstat).bind(null, 0);

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  if (found.isDirectory()) throw new CliError(`${file} is a directory`);
  return found.size;
}

function unreadable(file: string, error: unknown): CliError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new CliError(code === 'ENOENT' ? `there is no file ${file}` : `cannot read ${file}: ${message}`);
}

const formats: Readonly<Record<string, ImportFormat>> = {
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'ndjson',
  '.csv': 'csv',
};

const unpackers: Readonly<Record<string, string>> = {
  '.gz': 'gunzip -c',
  '.zst': 'zstd -dc',
  '.bz2': 'bunzip2 -c',
  '.xz': 'xz -dc',
  '.zip': 'unzip -p',
};

/** @throws CliError where neither the name nor the option says, or the file is packed. */
export function formatOf(file: string, asked: ImportFormat | undefined): ImportFormat {
  const ending = extname(file).toLowerCase();
  const unpack = unpackers[ending];
  if (unpack !== undefined) {
    const inside = asked ?? formats[extname(file.slice(0, -ending.length)).toLowerCase()] ?? 'ndjson or csv';
    throw new CliError(
      `${file} is packed: give what is in it on standard input, with ${unpack} FILE | broadside … --format ${inside} -`,
    );
  }
  const format = asked ?? formats[extname(file).toLowerCase()];
  if (format === undefined) {
    throw new CliError(
      `unknown format of ${file === '-' ? 'standard input' : file}: add --format ndjson or csv`,
    );
  }
  return format;
}
