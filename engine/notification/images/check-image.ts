import { hash } from 'node:crypto';
import { createBeside } from '../../network/beside.ts';
import { type ImageType, MAX_SIDE_PIXELS, typeOf, type WholeImage } from './whole-image.ts';

/** Specification: at most 2 MB. */
export const MAX_IMAGE_BYTES = 2_097_152;

/** A picture that may be shown: whole, and without what is not shown, such as where it was taken. */
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
const cut = refuseImage(
  'must be a whole PNG or JPG image that browsers show: parts of it are missing or damaged; save it again',
);
const absurd = refuseImage(`must be at most ${MAX_SIDE_PIXELS} pixels wide and high, and 50 megapixels`);

/** Of 50 megapixels, with another thread on the same core. */
const TIME_LIMIT_MS = 20_000;
/** One thread for the process, which ends when it is idle. */
const readBeside = createBeside<Uint8Array, WholeImage>({
  entry: new URL('./whole-image-thread.ts', import.meta.url),
  timeLimitMs: TIME_LIMIT_MS,
});

export async function checkImage(given: Buffer): Promise<ImageChecked> {
  if (given.length > MAX_IMAGE_BYTES) return tooLarge;
  const contentType = typeOf(given);
  if (contentType === null) return noImage;
  const read = await readBeside(new Uint8Array(given));
  if (read?.kind === 'absurd') return absurd;
  if (read?.kind !== 'whole') return cut;
  const bytes = Buffer.from(read.bytes);
  return { kind: 'image', image: { contentType, bytes, hash: hash('sha256', bytes, 'buffer') } };
}
