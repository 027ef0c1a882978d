import { readJpeg } from './jpeg.ts';
import { hasAllBlocks } from './jpeg-scans.ts';
import type { PixelSize } from './pixel-size.ts';
import { readPng } from './png.ts';
import { hasAllPixels } from './png-pixels.ts';

export type ImageType = 'image/png' | 'image/jpeg';

/** A picture of a few KB may claim to be gigabytes when it is decoded, on every phone that shows it. */
export const MAX_SIDE_PIXELS = 16_384;
const MAX_PIXELS = 50_000_000;

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
const jpegSignature = Buffer.from('ffd8ff', 'hex');

/** Read from the bytes, never from a header or name. */
export function typeOf(bytes: Buffer): ImageType | null {
  if (bytes.subarray(0, 8).equals(pngSignature)) return 'image/png';
  return bytes.subarray(0, 3).equals(jpegSignature) ? 'image/jpeg' : null;
}

/** Without what is not shown, such as where a photograph was taken; null where its parts are not there. */
export function withoutMetadata(bytes: Buffer): Buffer | null {
  const read = typeOf(bytes) === 'image/png' ? readPng(bytes) : readJpeg(bytes);
  return read === null ? null : read.bytes;
}

export type WholeImage =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  | { readonly kind: 'cut' | 'absurd' };

/** Decoded far enough to know that all of it is there. */
export async function readWholeImage(given: Uint8Array): Promise<WholeImage> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const png = typeOf(bytes) === 'image/png' ? readPng(bytes) : null;
  const jpeg = typeOf(bytes) === 'image/jpeg' ? readJpeg(bytes) : null;
  const read = png ?? jpeg;
  if (read === null) return { kind: 'cut' };
  if (isAbsurd(read.size)) return { kind: 'absurd' };
  const isWhole = (png !== null && (await hasAllPixels(png))) || (jpeg !== null && hasAllBlocks(jpeg));
  return isWhole ? { kind: 'whole', bytes: read.bytes } : { kind: 'cut' };
}

const isAbsurd = ({ width, height }: PixelSize): boolean =>
  width < 1 ||
  height < 1 ||
  width > MAX_SIDE_PIXELS ||
  height > MAX_SIDE_PIXELS ||
  width * height > MAX_PIXELS;
