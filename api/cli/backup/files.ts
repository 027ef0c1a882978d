import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { CliError } from '../../../engine/command-line/endings.ts';
import type { FileEntry } from './manifest.ts';

/** The fastest level: rows shrink to a fraction all the same, and Postgres sends faster than level 3 packs. */
const LEVEL = 1;

/** Writes a packed file of the folder, on disk when this resolves. `onBytes` hears of bytes before packing. */
export async function writePacked(
  folder: string,
  path: string,
  rows: Readable,
  { signal, onBytes }: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
): Promise<FileEntry> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const counted = passing((chunk) => onBytes(chunk.length));
  const sum = createHash('sha256');
  let bytes = 0;
  const summed = passing((chunk) => {
    sum.update(chunk);
    bytes += chunk.length;
  });
  const packed = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
  const output = createWriteStream(file, { mode: 0o600, flush: true });
  await pipeline(rows, counted, packed, summed, output, { signal });
  return { path, bytes, sha256: sum.digest('hex') };
}

/** The bytes of a packed file as they were before. */
export function openPacked(folder: string, path: string, onBytes: (bytes: number) => void): Readable {
  const output = createZstdDecompress();
  const counted = passing((chunk) => onBytes(chunk.length));
  // An error of any of them is the reader's.
  pipeline(createReadStream(join(folder, path)), counted, output).catch((error) => output.destroy(error));
  return output;
}

/** @throws CliError where the file is missing, or is not the one that was written. */
export async function checkFile(
  folder: string,
  { path, bytes, sha256 }: FileEntry,
  { signal, onBytes }: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
): Promise<void> {
  const file = join(folder, path);
  const found = await stat(file).catch(() => null);
  if (found === null) throw new CliError(`${folder} is damaged: ${path} is missing`);
  const sum = createHash('sha256');
  if (found.size === bytes) {
    for await (const chunk of createReadStream(file, { signal }) as AsyncIterable<Buffer>) {
      sum.update(chunk);
      onBytes(chunk.length);
    }
  }
  if (found.size !== bytes || sum.digest('hex') !== sha256)
    throw new CliError(`${folder} is damaged: ${path} is not the file that was written`);
}

export async function readPacked(
  folder: string,
  path: string,
  onBytes: (bytes: number) => void,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of openPacked(folder, path, onBytes) as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export const oneChunk = (bytes: Uint8Array): Readable => Readable.from([bytes]);

const passing = (look: (chunk: Buffer) => void): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      look(chunk);
      done(null, chunk);
    },
  });
