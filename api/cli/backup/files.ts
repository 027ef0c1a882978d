import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import type { FileEntry } from './check-manifest.ts';
import { openWithin } from './within.ts';

/** The fastest level: rows shrink to a fraction all the same, and Postgres sends faster than level 3 packs. */
const LEVEL = 1;
/** A file of a few kilobytes can be packed terabytes. Rows shrink to a tenth, and those of one value to a hundredth. */
const MOST_GROWTH = 1_000;
const ALWAYS_FINE_BYTES = 64 * 1024 ** 2;
/** Of a file that is held in memory. */
const MOST_PIECE_BYTES = 1024 ** 3;

interface Watched {
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
}

/** Writes a packed file of the folder, on disk when this resolves. `onBytes` hears of bytes before packing. */
export async function writePacked(
  folder: string,
  path: string,
  rows: Readable,
  { signal, onBytes }: Watched,
): Promise<FileEntry> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const counted = passing((chunk) => onBytes(chunk.length));
  const sum = createSum();
  const packed = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
  const output = createWriteStream(file, { mode: 0o600, flush: true });
  await pipeline(rows, counted, packed, passing(sum.add), output, { signal });
  return { path, bytes: sum.bytes(), sha256: sum.digest() };
}

/**
 * The bytes of a packed file as they were before. It was checked a while ago: once more on the way, so that what comes
 * in is what was checked.
 */
export function openPacked(folder: string, entry: FileEntry, onBytes: (bytes: number) => void): Readable {
  const output = bounded(entry.path, Math.max(ALWAYS_FINE_BYTES, entry.bytes * MOST_GROWTH));
  const packed = Readable.from(checkedBytes(folder, entry, onBytes), { objectMode: false });
  // An error of any of them is the reader's.
  pipeline(packed, createZstdDecompress(), output).catch((error) => output.destroy(error));
  return output;
}

/** @throws CliError where the file is missing, or is not the one that was written. */
export async function checkFile(
  folder: string,
  entry: FileEntry,
  { signal, onBytes }: Watched,
): Promise<void> {
  for await (const chunk of checkedBytes(folder, entry, () => {})) {
    signal.throwIfAborted();
    onBytes(chunk.length);
  }
}

/** @throws CliError where the bytes, at their end, are not those of the entry. */
async function* checkedBytes(
  folder: string,
  { path, bytes, sha256 }: FileEntry,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  await using handle = await openWithin(folder, path);
  if (handle === null) throw new CliError(`${folder} is damaged: ${path} is missing`);
  const damaged = () => new CliError(`${folder} is damaged: ${path} is not the file that was written`);
  if ((await handle.stat()).size !== bytes) throw damaged();
  const sum = createSum();
  for await (const chunk of handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
    sum.add(chunk);
    if (sum.bytes() > bytes) throw damaged();
    onBytes(chunk.length);
    yield chunk;
  }
  if (sum.bytes() !== bytes || sum.digest() !== sha256) throw damaged();
}

/** A small file, or a piece of ClickHouse's. */
export async function readPacked(
  folder: string,
  entry: FileEntry,
  onBytes: (bytes: number) => void,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of openPacked(folder, entry, onBytes) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_PIECE_BYTES) throw tooLarge(entry.path);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A file that is not packed, such as a key. */
export async function readChecked(folder: string, entry: FileEntry): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of checkedBytes(folder, entry, () => {})) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** @throws CliError where a restore could not take it. */
export function oneChunk(path: string, bytes: Uint8Array): Readable {
  if (bytes.length > MOST_PIECE_BYTES) throw tooLarge(path);
  return Readable.from([bytes]);
}

const tooLarge = (path: string): CliError =>
  new CliError(`${path} holds more than any backup’s file: more than a restore takes into its memory`);

function createSum() {
  const sum = createHash('sha256');
  let bytes = 0;
  return {
    add: (chunk: Buffer): void => {
      sum.update(chunk);
      bytes += chunk.length;
    },
    bytes: () => bytes,
    digest: () => sum.digest('hex'),
  };
}

function bounded(path: string, mostBytes: number): Transform {
  let bytes = 0;
  return passing((chunk) => {
    bytes += chunk.length;
    if (bytes > mostBytes)
      throw new CliError(
        `${path} unpacks to more than ${MOST_GROWTH} times its size, which no backup’s file does`,
      );
  });
}

/** What `look` throws ends the stream. */
const passing = (look: (chunk: Buffer) => void): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        look(chunk);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
