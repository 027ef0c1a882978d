import { crc32 } from 'node:zlib';
import { orientationOf, tiffOf } from './exif.ts';
import type { PixelSize } from './pixel-size.ts';

const SIGNATURE_BYTES = 8;
/** Encoders that cut the pixels finely make 2,000 of 2 MB. */
const MOST_CHUNKS = 20_000;
/** Length and type before a chunk's data, its checksum behind. */
const [HEAD, TAIL] = [8, 4];

/** What decides how the picture looks. Texts, times, Exif and animation are left out: a notification shows one still. */
const shown = new Set(
  ['IHDR', 'PLTE', 'IDAT', 'IEND'].concat([
    'tRNS',
    'gAMA',
    'cHRM',
    'sRGB',
    'iCCP',
    'sBIT',
    'cICP',
    'pHYs',
    'bKGD',
  ]),
);

export interface PngParts {
  readonly size: PixelSize;
  readonly bitsPerPixel: number;
  readonly interlaced: boolean;
  /** Of all IDAT chunks, compressed. */
  readonly pixels: readonly Buffer[];
  /** The file without what is not shown. */
  readonly bytes: Buffer;
  /** Chunks that say what the numbers of the pixels mean, where they are red, green and blue. */
  readonly colours: readonly Buffer[];
  /** How it is to be turned, as Exif has it. */
  readonly orientation: number;
}

/** PNG specification, section 5: null where a chunk is cut, changed, or not where it belongs. Without the pixels. */
export function readPng(bytes: Buffer): PngParts | null {
  const kept = [bytes.subarray(0, SIGNATURE_BYTES)];
  const pixels: Buffer[] = [];
  let header: Buffer | null = null;
  let palette = false;
  let last = '';
  const colours: Buffer[] = [];
  let orientation = 1;
  for (const { type, data, whole } of chunksOf(bytes)) {
    if (type === null) return null;
    if ((header === null) !== (type === 'IHDR')) return null;
    if (type === 'IHDR') header = data;
    if (type === 'IDAT' && pixels.length > 0 && last !== 'IDAT') return null;
    if (type === 'IDAT') pixels.push(data);
    if (type === 'PLTE') palette = true;
    // A chunk that decoders must know, and this is none.
    if (!shown.has(type) && /^[A-Z]/.test(type)) return null;
    if (shown.has(type)) kept.push(whole);
    else if (type === 'eXIf' && pixels.length === 0) {
      orientation = orientationOf(data);
      kept.push(...exifOf(data));
    }
    if (meanings.has(type)) colours.push(whole);
    last = type;
  }
  if (header === null || last !== 'IEND' || pixels.length === 0) return null;
  const read = readHeader(header);
  if (read === null || (read.colour === INDEXED && !palette)) return null;
  const meant = GREYS.has(read.colour) ? [] : colours;
  return { ...read, pixels, bytes: Buffer.concat(kept), colours: meant, orientation };
}

interface Chunk {
  /** Null: it is cut, or its checksum is another. */
  readonly type: string | null;
  readonly data: Buffer;
  readonly whole: Buffer;
}

/** Up to the last one; what comes behind it is not part of the picture. */
function* chunksOf(bytes: Buffer): Generator<Chunk> {
  let at = SIGNATURE_BYTES;
  for (let left = MOST_CHUNKS; left > 0 && at + HEAD + TAIL <= bytes.length; left--) {
    const end = at + HEAD + bytes.readUInt32BE(at) + TAIL;
    if (end > bytes.length) break;
    const [whole, checked] = [bytes.subarray(at, end), bytes.subarray(at + 4, end - TAIL)];
    const type = crc32(checked) === bytes.readUInt32BE(end - TAIL) ? checked.toString('latin1', 0, 4) : null;
    yield { type, data: checked.subarray(4), whole };
    if (type === 'IEND' || type === null) return;
    at = end;
  }
}

const INDEXED = 3;
/** Their profiles are of greys alone. */
const GREYS: ReadonlySet<number> = new Set([0, 4]);
const meanings: ReadonlySet<string> = new Set(['gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP']);
/** Samples by the colour type, and the depths that it may have (PNG specification, table 11.1). */
const colourTypes: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  [INDEXED]: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};

function readHeader(header: Buffer) {
  const HEADER_BYTES = 13;
  if (header.length !== HEADER_BYTES) return null;
  const size = { width: header.readUInt32BE(0), height: header.readUInt32BE(4) };
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = header.subarray(8);
  const kind = colourTypes[colour];
  if (!kind?.depths.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1) return null;
  return { size, colour, bitsPerPixel: kind.samples * depth, interlaced: interlace === 1 };
}

function exifOf(data: Buffer): Buffer[] {
  const tiff = tiffOf(orientationOf(data));
  return tiff === null ? [] : [chunkOf('eXIf', tiff)];
}

export function chunkOf(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(HEAD + data.length + TAIL);
  chunk.writeUInt32BE(data.length);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, HEAD);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -TAIL)), HEAD + data.length);
  return chunk;
}
