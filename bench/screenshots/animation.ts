/** A picture of a film: a still WebP, and how long it stays. */
export interface Frame {
  readonly still: Buffer;
  readonly ms: number;
}

const MOVES = 0x02;
const REPLACES = 0x02;
const FOR_EVER = 0;
/** 24 bits, which hold sizes less one, and milliseconds. */
const MOST = 0xff_ff_ff;

/**
 * Puts stills of one size together to a WebP that repeats for ever, by the container's specification
 * (https://developers.google.com/speed/webp/docs/riff_container): encoders of stills are everywhere, one of films would
 * be a dependency for one file.
 *
 * @throws Error where a still is none, or of another size.
 */
export function toAnimation(frames: readonly Frame[]): Buffer {
  const [first] = frames;
  if (first === undefined) throw new Error('a film has at least one picture');
  const { width, height } = readStill(first.still);
  const size = Buffer.concat([uint24(width - 1), uint24(height - 1)]);
  const chunks = [
    chunk('VP8X', Buffer.concat([Buffer.from([MOVES, 0, 0, 0]), size])),
    chunk('ANIM', Buffer.from([255, 255, 255, 255, FOR_EVER, 0])),
    ...frames.map(({ still, ms }) => {
      const read = readStill(still);
      if (read.width !== width || read.height !== height)
        throw new Error(`a picture of ${read.width} × ${read.height} in a film of ${width} × ${height}`);
      const duration = uint24(Math.min(MOST, Math.round(ms)));
      return chunk(
        'ANMF',
        Buffer.concat([Buffer.alloc(6), size, duration, Buffer.from([REPLACES]), read.image]),
      );
    }),
  ];
  return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));
}

interface Still {
  readonly width: number;
  readonly height: number;
  /** Its chunk, with the header. */
  readonly image: Buffer;
}

/** Of a lossy one, as Chromium takes an opaque page. */
function readStill(still: Buffer): Still {
  for (let at = 12; at + 8 <= still.length; ) {
    const name = still.toString('latin1', at, at + 4);
    const length = still.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (name === 'VP8 ') {
      const size = (place: number): number => still.readUInt16LE(at + 8 + place) & 0x3f_ff;
      return { width: size(6), height: size(8), image: still.subarray(at, end) };
    }
    at = end;
  }
  throw new Error('not a lossy WebP');
}

function chunk(name: string, body: Buffer): Buffer {
  const header = Buffer.from(`${name}    `);
  header.writeUInt32LE(body.length, 4);
  return Buffer.concat([header, body, Buffer.alloc(body.length % 2)]);
}

function uint24(value: number): Buffer {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
  return bytes;
}
