import { SMALL_SIDE } from '../images/address.ts';
import { typeOf } from '../images/whole-image.ts';
import { readJpegIcon } from './jpeg-icon.ts';
import { MOST_ICON_SIDE, type Pixels, type PixelsRead, type Unreadable } from './pixels.ts';
import { readPngIcon, writePng } from './png-icon.ts';
import { shrink, turn } from './resize.ts';
import { isWebp, readWebpIcon } from './webp-icon.ts';

/** What a picture is for: beside the text of notifications, or in Android's status bar. */
export type IconUse = 'icon' | 'badge';

export interface IconGiven {
  readonly use: IconUse;
  readonly bytes: Uint8Array;
}

export type IconMade =
  | { readonly kind: 'made'; readonly large: Uint8Array; readonly small: Uint8Array | null }
  /** The error, to follow the name of the field. */
  | { readonly kind: 'refused'; readonly words: string };

const LARGE_SIDE = 512;
const BADGE_SIDE = 96;

const unreadable: Readonly<Record<Unreadable, string>> = {
  type: 'must be a PNG, JPEG or WebP image: browsers draw nothing else in notifications, so save it as a PNG',
  cut: 'must be a whole image that browsers show: parts of it are missing or damaged; save it again',
  absurd: `must have at most ${MOST_ICON_SIDE} pixels a side`,
  animated: 'must be a still picture: notifications show no animation',
};

export async function makeIcon({ use, bytes: given }: IconGiven): Promise<IconMade> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  if (use === 'badge' && typeOf(bytes) !== 'image/png')
    return refused('must be a PNG: Android shows its opacity alone');
  const read = await readPixels(bytes);
  if (read.kind !== 'pixels') return refused(unreadable[read.kind]);
  const { pixels } = read;
  const why = whyNot(use, pixels);
  if (why !== null) return refused(why);
  if (use === 'badge') return { kind: 'made', large: render(pixels, BADGE_SIDE), small: null };
  return { kind: 'made', large: render(pixels, LARGE_SIDE), small: render(pixels, SMALL_SIDE) };
}

const refused = (words: string): IconMade => ({ kind: 'refused', words });

async function readPixels(bytes: Buffer): Promise<PixelsRead> {
  try {
    const type = typeOf(bytes);
    if (type === 'image/png') return await readPngIcon(bytes);
    if (type === 'image/jpeg') return readJpegIcon(bytes);
    return isWebp(bytes) ? await readWebpIcon(bytes) : { kind: 'type' };
  } catch {
    return { kind: 'cut' };
  }
}

function whyNot(use: IconUse, pixels: Pixels): string | null {
  const { width, height } = pixels;
  if (width !== height)
    return `must be square: this one has ${width} × ${height} pixels; cut it, or give it a border`;
  const least = use === 'badge' ? BADGE_SIDE : SMALL_SIDE;
  if (width < least) return `must have at least ${least} pixels a side: this one has ${width}`;
  return use === 'badge' ? whyNoMark(pixels) : null;
}

/** Most of the square that a mark may fill, and least, in parts of it. */
const [MOST_FILLED, LEAST_FILLED] = [0.98, 0.005];

function whyNoMark({ data }: Pixels): string | null {
  let opacity = 0;
  for (let at = 3; at < data.length; at += 4) opacity += data[at] ?? 0;
  const filled = opacity / 255 / (data.length / 4);
  if (filled > MOST_FILLED)
    return 'must be transparent around the mark: Android draws the opacity alone, so it would make a white square of this one; save the mark without its background';
  return filled < LEAST_FILLED
    ? 'must show a mark: Android draws the opacity alone, and this one is transparent'
    : null;
}

function render(pixels: Pixels, side: number): Buffer {
  const { colours, orientation, data, width } = pixels;
  const turned = turn(shrink({ data, side: width }, side), orientation);
  return writePng({ width: turned.side, height: turned.side, data: turned.data, colours });
}
