import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
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

/** @throws CliError where the file is missing or none. */
export async function openSource(file: string): Promise<Source> {
  const totalBytes = file === '-' ? 0 : await sizeOf(file);
  const stream = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES });
  let read = 0;
  let stopped = false;
  return {
    bytes: untilStopped(
      counted(stream, (bytes) => (read += bytes)),
      () => stopped,
    ),
    totalBytes,
    readBytes: () => read,
    stop: () => {
      stopped = true;
      stream.destroy();
    },
  };
}

async function* untilStopped(
  bytes: AsyncIterable<Uint8Array>,
  isStopped: () => boolean,
): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    // A stream that is destroyed in the middle reports that to its reader.
    if (!isStopped()) throw error;
  }
}

async function* counted(
  stream: AsyncIterable<Uint8Array>,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    count(chunk.length);
    yield chunk;
  }
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(
      error.code === 'ENOENT' ? `there is no file ${file}` : `cannot read ${file}: ${error.message}`,
    );
  });
  if (found.isDirectory()) throw new CliError(`${file} is a directory`);
  return found.size;
}

const formats: Readonly<Record<string, ImportFormat>> = {
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'ndjson',
  '.csv': 'csv',
};

/** @throws CliError where neither the name nor the option says. */
export function formatOf(file: string, asked: ImportFormat | undefined): ImportFormat {
  const format = asked ?? formats[extname(file).toLowerCase()];
  if (format === undefined) {
    throw new CliError(
      `unknown format of ${file === '-' ? 'standard input' : file}: add --format ndjson or csv`,
    );
  }
  return format;
}
