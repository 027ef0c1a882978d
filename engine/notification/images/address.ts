import type { Image } from './check-image.ts';
import type { ImageType } from './whole-image.ts';

const extensions: Readonly<Record<ImageType, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg' };

/** Where an image is served: `<base>/images/<SHA-256 in hex>.<png|jpg>`. */
export const imageAddress = (base: string, { hash, contentType }: Image): string =>
  `${base}/images/${hash.toString('hex')}.${extensions[contentType]}`;

export interface ImageName {
  readonly hash: Buffer;
  readonly contentType: ImageType;
}

/** The last part of an image's address; null where it is none. */
export function parseImageName(text: string): ImageName | null {
  const match = /^([0-9a-f]{64})\.(png|jpg)$/.exec(text);
  if (match === null) return null;
  return {
    hash: Buffer.from(match[1] ?? '', 'hex'),
    contentType: match[2] === 'png' ? 'image/png' : 'image/jpeg',
  };
}

/** The image that a URL of ours names; null for any other URL. */
export function parseImageAddress(base: string, url: string): ImageName | null {
  const start = `${base}/images/`;
  return url.startsWith(start) ? parseImageName(url.slice(start.length)) : null;
}
