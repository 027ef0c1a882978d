import type { Image } from './check-image.ts';
import type { ImageType } from './whole-image.ts';

const extensions: Readonly<Record<ImageType, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg' };

/** Pixels a side of the small one of an icon. */
export const SMALL_SIDE = 192;

/** Where an image is served below our own address: `/images/<SHA-256 in hex>.<png|jpg>`. */
export const imagePath = ({ hash, contentType }: Pick<Image, 'hash' | 'contentType'>): string =>
  `/images/${hash.toString('hex')}.${extensions[contentType]}`;

/** Of an icon, the small one: `/images/<SHA-256 of the large one>-192.png`. */
export const smallPath = (hash: Buffer): string => `/images/${hash.toString('hex')}-${SMALL_SIDE}.png`;

export const imageAddress = (base: string, image: Image): string => base + imagePath(image);

/** The address of an app's picture, which is stored as a path where it is ours, as browsers need it. */
export function absoluteImage(base: string, stored: string): string;
export function absoluteImage(base: string, stored: string | null): string | null;
export function absoluteImage(base: string, stored: string | null): string | null {
  return stored?.startsWith('/') ? base + stored : stored;
}

export interface ImageName {
  readonly hash: Buffer;
  readonly contentType: ImageType;
  readonly small: boolean;
}

/** The last part of an image's address; null where it is none. */
export function parseImageName(text: string): ImageName | null {
  const match = /^([0-9a-f]{64})(?:(-192)?\.png|\.jpg)$/.exec(text);
  if (match === null) return null;
  return {
    hash: Buffer.from(match[1] ?? '', 'hex'),
    contentType: text.endsWith('.png') ? 'image/png' : 'image/jpeg',
    small: match[2] !== undefined,
  };
}

/** The image that a URL of ours names; null for any other URL. */
export function parseImageAddress(base: string, url: string): ImageName | null {
  const start = `${base}/images/`;
  return url.startsWith(start) ? parseImageName(url.slice(start.length)) : null;
}
