import { createHash, type Hash, randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { createGunzip, createZstdDecompress, gzipSync, zstdCompressSync } from 'node:zlib';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { openSource } from '../../../engine/kit/command-line/file/source.ts';
import { withinReason } from './reading/within-reason.ts';
import { STANDARD_INPUT } from './spool.ts';

export const adStatsFormats = ['csv', 'ndjson', 'json', 'parquet', 'xlsx'] as const;
export type AdStatsFormat = (typeof adStatsFormats)[number];

const formats: Readonly<Record<string, AdStatsFormat>> = {
  csv: 'csv',
  tsv: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'json',
  parquet: 'parquet',
  xlsx: 'xlsx',
};
const archives = {
  gz: { unpack: createGunzip, pack: gzipSync },
  zst: { unpack: createZstdDecompress, pack: zstdCompressSync },
} as const;
type Compression = keyof typeof archives;

export interface FileKind {
  readonly format: AdStatsFormat;
  readonly compression: Compression | null;
}

/** By the file's name, such as `stats.csv.gz`, unless the format is given. @throws CliError where neither says. */
export function kindOf(file: string, asked: AdStatsFormat | undefined): FileKind {
  const parts = basename(file).toLowerCase().split('.').slice(1);
  const last = parts.at(-1) ?? '';
  const compression = Object.hasOwn(archives, last) ? (last as Compression) : null;
  const extension = (compression === null ? last : parts.at(-2)) ?? '';
  const format = asked ?? (Object.hasOwn(formats, extension) ? formats[extension] : undefined);
  if (format === undefined) {
    const name = file === STANDARD_INPUT ? 'standard input' : file;
    if (extension === 'zip')
      throw new CliError(`${name} is an archive in an archive: unpack the outer one, and import those in it`);
    const mend = extension === 'xls' ? 'save it as .xlsx, or ' : '';
    throw new CliError(`unknown format of ${name}: ${mend}add --format ${adStatsFormats.join(', ')}`);
  }
  if ((format === 'parquet' || format === 'xlsx') && compression !== null) {
    const name = format === 'parquet' ? 'Parquet file: Parquet' : 'spreadsheet: it';
    throw new CliError(`${file} is a compressed ${name} is compressed inside, unpack it first`);
  }
  return { format, compression };
}

const CHUNK_BYTES = 1_048_576;

/**
 * The identity of a file: its bytes' hash, in hex. One buffer for all: a stream leaves a hundred megabytes of
 * them.
 */
export async function contentOf(path: string): Promise<string> {
  const digest = createHash('sha256');
  const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  await using file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(
      error.code === 'ENOENT' ? `there is no file ${path}` : `cannot read ${path}: ${error.message}`,
    );
  });
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES);
    if (bytesRead === 0) return digest.digest('hex');
    digest.update(chunk.subarray(0, bytesRead));
  }
}

export interface TextSource {
  /** As they are without compression. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Of the file, compressed as it may be. */
  readonly totalBytes: number;
  readBytes(): number;
  /** The hash of the bytes that were read, once all are. */
  contentRead(): string;
}

/** @throws CliError where the file is missing or none; later, from `bytes`, where it is damaged. */
export async function openText(file: string, compression: Compression | null): Promise<TextSource> {
  const source = await openSource(file);
  const digest = createHash('sha256');
  const read = digested(source.bytes, digest);
  const bytes =
    compression === null
      ? read
      : withinReason(file, decompressed(file, read, compression), () => source.totalBytes);
  return { ...source, bytes, contentRead: () => digest.digest('hex') };
}

async function* digested(bytes: AsyncIterable<Uint8Array>, digest: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    digest.update(chunk);
    yield chunk;
  }
}

/**
 * An archive may have several members, and its reader stops without a word at one whose beginning is damaged. So a
 * member of ours follows the last one: only where it comes out at the end was the file read to its end.
 */
async function* decompressed(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  compression: Compression,
): AsyncGenerator<Buffer> {
  const { unpack, pack } = archives[compression];
  const mark = randomBytes(MARK_BYTES);
  const stream = unpack();
  const feeding = feed(bytes, pack(mark), stream);
  feeding.catch((error) => stream.destroy(error));
  let held: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      held = Buffer.concat([held, chunk]);
      const whole = held.length - MARK_BYTES;
      if (whole <= 0) continue;
      yield held.subarray(0, whole);
      held = held.subarray(whole);
    }
    await feeding;
  } catch (error) {
    if (error instanceof CliError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(`${file} cannot be unpacked: ${reason}`);
  }
  if (!held.equals(mark))
    throw new CliError(
      `${file} cannot be unpacked: a part after its first one is damaged, or is not an archive`,
    );
}

const MARK_BYTES = 32;

type Unpack = ReturnType<(typeof archives)[Compression]['unpack']>;

async function feed(bytes: AsyncIterable<Uint8Array>, end: Uint8Array, unpack: Unpack): Promise<void> {
  for await (const chunk of bytes) await write(unpack, chunk);
  await write(unpack, end);
  unpack.end();
}

/** One that has ended takes nothing more, and asks for nothing either. */
async function write(unpack: Unpack, chunk: Uint8Array): Promise<void> {
  if (unpack.readableEnded || unpack.destroyed || unpack.write(chunk)) return;
  await new Promise<void>((resolve) => {
    for (const event of ['drain', 'end', 'close']) unpack.once(event, resolve);
  });
}
