import { readFileSync } from 'node:fs';
import decode, { init } from '@jsquash/webp/decode.js';
import { once } from '../../contract/concurrency/once.ts';
import type { PixelSize } from '../images/pixel-size.ts';
import { isAbsurd, type PixelsRead } from './pixels.ts';
import { profileChunk } from './png-icon.ts';

export const isWebp = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';

/**
 * Shown as browsers show it: what Exif says of turning a WebP, they do not follow.
 * @throws where the decoder does not take it.
 */
export async function readWebpIcon(bytes: Buffer): Promise<PixelsRead> {
  const chunks = chunksOf(bytes);
  if (chunks === null) return { kind: 'cut' };
  const sizes = chunks.map(sizeOf).filter((size) => size !== null);
  if (sizes.length === 0) return { kind: 'cut' };
  if (sizes.some(isAbsurd)) return { kind: 'absurd' };
  if (chunks.some(({ type }) => type === 'ANIM' || type === 'ANMF')) return { kind: 'animated' };
  const { width, height, data } = await decodeWebp(bytes);
  const profile = chunks.find(({ type }) => type === 'ICCP')?.data;
  const colours = profile === undefined ? [] : [profileChunk(profile)];
  const pixels = { width, height, data: new Uint8Array(data.buffer), colours, orientation: 1 };
  return { kind: 'pixels', pixels };
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

const [FILE_HEAD, CHUNK_HEAD] = [12, 8];
/** A still picture has up to seven. */
const MOST_CHUNKS = 1_000;

/** WebP container specification, RIFF file format. Null where a chunk is cut. */
function chunksOf(bytes: Buffer): Chunk[] | null {
  const end = Math.min(bytes.length, CHUNK_HEAD + bytes.readUInt32LE(4));
  if (end < CHUNK_HEAD + bytes.readUInt32LE(4)) return null;
  const chunks: Chunk[] = [];
  for (let at = FILE_HEAD; at + CHUNK_HEAD <= end; ) {
    const length = bytes.readUInt32LE(at + 4);
    const next = at + CHUNK_HEAD + length;
    if (next > end || chunks.length === MOST_CHUNKS) return null;
    chunks.push({ type: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + CHUNK_HEAD, next) });
    at = next + (length % 2);
  }
  return chunks;
}

const LOSSLESS_SIGN = 0x2f;
const MASK_14 = 0x3fff;

/** What a chunk claims of the picture's size; null where it claims none. */
function sizeOf({ type, data }: Chunk): PixelSize | null {
  if (data.length < 10) return null;
  if (type === 'VP8X') return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
  if (type === 'VP8 ')
    return { width: data.readUInt16LE(6) & MASK_14, height: data.readUInt16LE(8) & MASK_14 };
  if (type !== 'VP8L' || data[0] !== LOSSLESS_SIGN) return null;
  const bits = data.readUInt32LE(1);
  return { width: (bits & MASK_14) + 1, height: ((bits >>> 14) & MASK_14) + 1 };
}

/** The decoder is WebAssembly: what a file makes it do stays in its own memory. */
async function decodeWebp(bytes: Buffer) {
  await ready();
  return decode(new Uint8Array(bytes).buffer);
}

const ready = once(() => startCodec(init, '@jsquash/webp/codec/dec/webp_dec.wasm'));

/**
 * Node has no `fetch` of files: the module is made here, of the file beside the package.
 * @param init of the codec.
 */
export function startCodec(init: unknown, file: string): Promise<unknown> {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { Module: new (bytes: Buffer) => object } };
  const module = new WebAssembly.Module(readFileSync(new URL(import.meta.resolve(file))));
  return (init as (module: object) => Promise<unknown>)(module);
}
