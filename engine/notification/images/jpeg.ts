import { orientationOf, tiffOf } from './exif.ts';
import type { PixelSize } from './pixel-size.ts';

export interface Segment {
  readonly marker: number;
  /** Without marker and length. */
  readonly data: Buffer;
  /** Of a scan: its coded data, up to the next marker that is none of its own. */
  readonly coded: Buffer;
}

export interface JpegParts {
  readonly size: PixelSize;
  readonly segments: readonly Segment[];
  /** The file without what is not shown. */
  readonly bytes: Buffer;
}

export const [SOF0, SOF2, DHT, SOI, EOI, SOS, DQT, DRI] = [0xc0, 0xc2, 0xc4, 0xd8, 0xd9, 0xda, 0xdb, 0xdd];
const [APP0, APP1, APP2, APP14] = [0xe0, 0xe1, 0xe2, 0xee];
/** Baseline, extended and progressive with Huffman codes: what browsers show. */
export const isFrame = (marker: number): boolean => marker >= SOF0 && marker <= SOF2;
const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;

/** ITU-T T.81, B: null where it ends before its end, or has no frame, no scan or a frame that browsers do not show. */
export function readJpeg(bytes: Buffer): JpegParts | null {
  const segments = segmentsOf(bytes);
  const frame = segments?.find(({ marker }) => isFrame(marker));
  if (segments === null || frame === undefined || frame.data.length < 6) return null;
  if (!segments.some(({ marker }) => marker === SOS)) return null;
  const size = { height: frame.data.readUInt16BE(1), width: frame.data.readUInt16BE(3) };
  return {
    size,
    segments,
    bytes: Buffer.concat([Buffer.from([0xff, SOI]), ...segments.flatMap(shownOf), end]),
  };
}
const end = Buffer.from([0xff, EOI]);

/** Cameras and editors write a few dozen. */
const MOST_SEGMENTS = 5_000;

function segmentsOf(bytes: Buffer): Segment[] | null {
  const segments: Segment[] = [];
  let at = nextMarker(bytes, 2);
  while (at >= 0) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === EOI) return segments;
    const length = at + 4 <= bytes.length ? bytes.readUInt16BE(at + 2) : 0;
    const next = at + 2 + length;
    if (length < 2 || next > bytes.length || isOtherFrame(marker)) return null;
    const data = bytes.subarray(at + 4, next);
    at = nextMarker(bytes, next);
    if (at < 0 || segments.length === MOST_SEGMENTS) return null;
    segments.push({ marker, data, coded: bytes.subarray(next, marker === SOS ? at : next) });
  }
  return null;
}

/** SOF3 to SOF15, without the two among them that are tables (DHT, DAC), and a number of lines that comes later (DNL). */
const isOtherFrame = (marker: number): boolean =>
  (marker > SOF2 && marker <= 0xcf && marker !== DHT) || marker === 0xdc;

/** Of the next marker that begins a segment; decoders ignore junk and fill bytes. -1: there is none. */
function nextMarker(bytes: Buffer, from: number): number {
  for (let at = from; at + 1 < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue;
    const marker = bytes[at + 1] ?? 0;
    if (marker > 0x01 && marker < 0xff && !isRestart(marker) && marker !== SOI) return at;
  }
  return -1;
}

const ICC = 'ICC_PROFILE\0';
const ADOBE = 'Adobe';
const EXIF = 'Exif\0\0';

/** Tables, frame and scans; of the rest what decides over colours, and how the picture is to be turned. */
function shownOf({ marker, data, coded }: Segment): Buffer[] {
  const begins = (text: string): boolean => data.toString('latin1', 0, text.length) === text;
  if (isFrame(marker) || [DHT, DQT, DRI, SOS].includes(marker)) return [segmentOf(marker, data), coded];
  if ((marker === APP2 && begins(ICC)) || (marker === APP14 && begins(ADOBE)))
    return [segmentOf(marker, data)];
  // Its thumbnail may be of the picture before it was cut.
  if (marker === APP0 && begins('JFIF\0') && data.length >= 14) return [segmentOf(marker, jfifOf(data))];
  if (marker !== APP1 || !begins(EXIF)) return [];
  const tiff = tiffOf(orientationOf(data.subarray(EXIF.length)));
  return tiff === null ? [] : [segmentOf(marker, Buffer.concat([Buffer.from(EXIF, 'latin1'), tiff]))];
}

const jfifOf = (data: Buffer): Buffer => Buffer.concat([data.subarray(0, 12), Buffer.alloc(2)]);

function segmentOf(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}
