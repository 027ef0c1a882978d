import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { CliError } from '../../../engine/command-line/endings.ts';
import { openSource } from '../../../engine/command-line/file/source.ts';
import { STANDARD_INPUT } from './spool.ts';

export type AdStatsFormat = 'csv' | 'ndjson' | 'parquet';
export const adStatsFormats: readonly AdStatsFormat[] = ['csv', 'ndjson', 'parquet'];

const formats: Readonly<Record<string, AdStatsFormat>> = {
  csv: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  parquet: 'parquet',
};
const decompressors = { gz: createGunzip, zst: createZstdDecompress } as const;
type Compression = keyof typeof decompressors;

export interface FileKind {
  readonly format: AdStatsFormat;
  readonly compression: Compression | null;
}

/** By the file's name, such as `stats.csv.gz`, unless the format is given. @throws CliError where neither says. */
export function kindOf(file: string, asked: AdStatsFormat | undefined): FileKind {
  const parts = basename(file).toLowerCase().split('.').slice(1);
  const last = parts.at(-1) ?? '';
  const compression = last in decompressors ? (last as Compression) : null;
  const format = asked ?? formats[(compression === null ? last : parts.at(-2)) ?? ''];
  if (format === undefined) {
    const name = file === STANDARD_INPUT ? 'standard input' : file;
    throw new CliError(`unknown format of ${name}: add --format ${adStatsFormats.join(', ')}`);
  }
  if (format === 'parquet' && compression !== null) {
    throw new CliError(`${file} is a compressed Parquet file: Parquet is compressed inside, unpack it first`);
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
  await using file = await open(path);
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
}

/** @throws CliError where the file is missing or none; later, from `bytes`, where it is damaged. */
export async function openText(file: string, compression: Compression | null): Promise<TextSource> {
  const source = await openSource(file);
  if (compression === null) return source;
  return { ...source, bytes: decompressed(file, source.bytes, compression) };
}

async function* decompressed(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  compression: Compression,
): AsyncGenerator<Uint8Array> {
  const unpack = decompressors[compression]();
  const feeding = feed(bytes, unpack);
  feeding.catch((error) => unpack.destroy(error));
  try {
    yield* unpack as AsyncIterable<Uint8Array>;
    await feeding;
  } catch (error) {
    throw new CliError(
      `${file} cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

type Unpack = ReturnType<(typeof decompressors)[Compression]>;

async function feed(bytes: AsyncIterable<Uint8Array>, unpack: Unpack): Promise<void> {
  for await (const chunk of bytes) {
    if (!unpack.write(chunk)) await new Promise((resolve) => unpack.once('drain', resolve));
  }
  unpack.end();
}
