import { hash } from 'node:crypto';
import { type PixelSize, readJpegSize } from './jpeg-size.ts';

/** Specification: at most 2 MB. */
export const MAX_IMAGE_BYTES = 2_097_152;
/** A picture of a few KB may claim to be gigabytes when it is decoded, on every phone that shows it. */
const MAX_SIDE_PIXELS = 16_384;
const MAX_PIXELS = 50_000_000;

export type ImageType = 'image/png' | 'image/jpeg';

/** A picture that may be shown: its type is read from its bytes, never from a header or name. */
export interface Image {
  readonly contentType: ImageType;
  readonly bytes: Buffer;
  /** SHA-256 of the bytes: its name. */
  readonly hash: Buffer;
}

export interface ImageRefused {
  readonly kind: 'refused';
  /** The error, to follow `The image_url field`. */
  readonly words: string;
}
export type ImageChecked = { readonly kind: 'image'; readonly image: Image } | ImageRefused;

export const refuseImage = (words: string): ImageRefused => ({ kind: 'refused', words });
export const tooLarge = refuseImage('must not be larger than 2 MB');
const noImage = refuseImage('must be a PNG or JPG image');

export function checkImage(bytes: Buffer): ImageChecked {
  if (bytes.length > MAX_IMAGE_BYTES) return tooLarge;
  const contentType = typeOf(bytes);
  if (contentType === null) return noImage;
  const size = contentType === 'image/png' ? readPngSize(bytes) : readJpegSize(bytes);
  if (size === null) return noImage;
  if (isAbsurd(size)) {
    return refuseImage(`must be at most ${MAX_SIDE_PIXELS} pixels wide and high, and 50 megapixels`);
  }
  return { kind: 'image', image: { contentType, bytes, hash: hash('sha256', bytes, 'buffer') } };
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
const jpegSignature = Buffer.from('ffd8ff', 'hex');

function typeOf(bytes: Buffer): ImageType | null {
  if (bytes.subarray(0, 8).equals(pngSignature)) return 'image/png';
  return bytes.subarray(0, 3).equals(jpegSignature) ? 'image/jpeg' : null;
}

/** PNG specification, 11.2.2: IHDR is the first chunk, 13 bytes long, width and height its first numbers. */
function readPngSize(bytes: Buffer): PixelSize | null {
  const IHDR_END = 33;
  if (bytes.length < IHDR_END || bytes.toString('latin1', 12, 16) !== 'IHDR') return null;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

const isAbsurd = ({ width, height }: PixelSize): boolean =>
  width < 1 ||
  height < 1 ||
  width > MAX_SIDE_PIXELS ||
  height > MAX_SIDE_PIXELS ||
  width * height > MAX_PIXELS;
