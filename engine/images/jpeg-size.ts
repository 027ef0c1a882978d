export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Width and height of a JPEG (ITU-T T.81, B.2): from segment to segment up to the frame header. Null where none
 * comes. Reads each byte at most once, for any input: a library that steps back and forth in a file crafted for
 * that holds up every request of the process.
 */
export function readJpegSize(bytes: Buffer): PixelSize | null {
  const FIRST_MARKER = 2;
  let at = FIRST_MARKER;
  while (at + 9 <= bytes.length) {
    // Between segments may lie any number of fill bytes, and a decoder passes over junk.
    if (bytes[at] !== 0xff) {
      at = bytes.indexOf(0xff, at);
      if (at < 0) return null;
      continue;
    }
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) at += 1;
    else if (isFrame(marker))
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    else if (marker === START_OF_SCAN || marker === END_OF_IMAGE) return null;
    else if (hasNoLength(marker)) at += 2;
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return null;
}

const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;

/** SOF0 to SOF15, without the three among them that are tables (DHT, JPG, DAC). */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Stuffing, TEM, RST0 to RST7 and SOI have no length. */
const hasNoLength = (marker: number): boolean =>
  marker === 0x00 || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
