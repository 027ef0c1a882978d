import { hash } from 'node:crypto';
import { createBeside } from '../../network/beside.ts';
import { type Image, type ImageRefused, MAX_IMAGE_BYTES, refuseImage, tooLarge } from '../images/check-image.ts';
import type { IconGiven, IconMade, IconUse } from './make-icon.ts';

/** A picture at the sizes that notifications need; its name is the hash of the large one. */
export interface Icon extends Image {
  /** The same with 192 pixels a side; null: of a badge, which has one size. */
  readonly small: Buffer | null;
}

export type IconChecked = { readonly kind: 'icon'; readonly icon: Icon } | ImageRefused;

/** Of 16 megapixels, with another thread on the same core. */
const TIME_LIMIT_MS = 20_000;
/** One thread for the process, which ends when it is idle. */
const makeBeside = createBeside<IconGiven, IconMade>({
  entry: new URL('./make-icon-thread.ts', import.meta.url),
  timeLimitMs: TIME_LIMIT_MS,
});
const unread = refuseImage('could not be read: save it as a PNG of 512 × 512 pixels');

export async function checkIcon(use: IconUse, given: Buffer): Promise<IconChecked> {
  if (given.length > MAX_IMAGE_BYTES) return tooLarge;
  const made = await makeBeside({ use, bytes: new Uint8Array(given) });
  if (made === null) return unread;
  if (made.kind === 'refused') return refuseImage(made.words);
  const bytes = Buffer.from(made.large);
  const small = made.small === null ? null : Buffer.from(made.small);
  return {
    kind: 'icon',
    icon: { contentType: 'image/png', bytes, small, hash: hash('sha256', bytes, 'buffer') },
  };
}
