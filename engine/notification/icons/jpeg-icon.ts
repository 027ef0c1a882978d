import { decode } from 'jpeg-js';
import { orientationOf } from '../images/exif.ts';
import { isFrame, type JpegParts, readJpeg } from '../images/jpeg.ts';
import { hasAllBlocks } from '../images/jpeg-scans.ts';
import { isAbsurd, type PixelsRead } from './pixels.ts';
import { profileChunk } from './png-icon.ts';

const limits = { maxResolutionInMP: 17, maxMemoryUsageInMB: 512, tolerantDecoding: false } as const;
const BITS_OF_BROWSERS = 8;
const COLOURS_OF_SCREENS = 3;

/** @throws where the decoder takes none of what the checks before it took. */
export function readJpegIcon(bytes: Buffer): PixelsRead {
  const parts = readJpeg(bytes);
  if (parts === null) return { kind: 'cut' };
  if (isAbsurd(parts.size)) return { kind: 'absurd' };
  const frame = parts.segments.find(({ marker }) => isFrame(marker))?.data;
  if (frame?.[0] !== BITS_OF_BROWSERS || !hasAllBlocks(parts)) return { kind: 'cut' };
  const { data } = decode(parts.bytes, { ...limits, useTArray: true, formatAsRGBA: true });
  // A profile of inks or greys says nothing of the red, green and blue that were made of them.
  const profile = frame[5] === COLOURS_OF_SCREENS ? profileOf(parts) : null;
  const colours = profile === null ? [] : [profileChunk(profile)];
  return { kind: 'pixels', pixels: { ...parts.size, data, colours, orientation: turnOf(parts) } };
}

const [APP1, APP2] = [0xe1, 0xe2];

const dataOf = ({ segments }: JpegParts, marker: number, name: string): Buffer[] =>
  segments
    .filter((each) => each.marker === marker && each.data.toString('latin1', 0, name.length) === name)
    .map(({ data }) => data.subarray(name.length));

/** In pieces of up to 64 KB, each with its number and how many there are (ICC.1, B.4). */
function profileOf(parts: JpegParts): Buffer | null {
  const pieces = dataOf(parts, APP2, 'ICC_PROFILE\0').toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
  return pieces.length === 0 ? null : Buffer.concat(pieces.map((piece) => piece.subarray(2)));
}

const turnOf = (parts: JpegParts): number =>
  orientationOf(dataOf(parts, APP1, 'Exif\0\0')[0] ?? Buffer.alloc(0));
