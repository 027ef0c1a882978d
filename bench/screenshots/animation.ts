import encode, { init } from '@jsquash/webp/encode.js';
import { PNG } from 'pngjs';
import { startCodec } from '../../engine/notification/icons/webp-icon.ts';

/** A picture of a film: a PNG, and how long it stays. */
export interface Frame {
  readonly still: Buffer;
  readonly ms: number;
}

const MOVES_WITH_HOLES = 0x12;
const FOR_EVER = 0;
/** 24 bits, which hold sizes less one, and milliseconds. */
const MOST = 0xff_ff_ff;
const CHANNELS = 4;

/**
 * A WebP that repeats for ever, without loss: text stays sharp, and after the first picture only what changed is kept.
 * The container is put together here (https://developers.google.com/speed/webp/docs/riff_container): the encoder, which
 * Broadside has for its pictures, makes stills alone.
 *
 * @throws Error where a still has another size than the first.
 */
export async function toAnimation(frames: readonly Frame[]): Promise<Buffer> {
  let before: PNG | null = null;
  const parts: Buffer[] = [];
  for (const { still, ms } of frames) {
    const shown = PNG.sync.read(still);
    const { width, height } = shown;
    const size = Buffer.concat([uint24(width - 1), uint24(height - 1)]);
    if (before === null)
      parts.push(
        chunk('VP8X', Buffer.concat([Buffer.from([MOVES_WITH_HOLES, 0, 0, 0]), size])),
        chunk('ANIM', Buffer.from([255, 255, 255, 255, FOR_EVER, 0])),
      );
    else if (before.width !== width || before.height !== height)
      throw new Error(`a picture of ${width} × ${height} in a film of ${before.width} × ${before.height}`);
    const duration = uint24(Math.min(MOST, Math.round(ms)));
    const image = await encodeStill(
      before === null ? shown.data : changed(before.data, shown.data),
      width,
      height,
    );
    parts.push(chunk('ANMF', Buffer.concat([Buffer.alloc(6), size, duration, Buffer.alloc(1), image])));
    before = shown;
  }
  if (before === null) throw new Error('a film has at least one picture');
  return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...parts]));
}

/** The pixels that are as before become holes, through which one sees those. */
function changed(before: Buffer, after: Buffer): Buffer {
  const pixels = Buffer.alloc(after.length);
  for (let at = 0; at < after.length; at += CHANNELS)
    if (before.readUInt32LE(at) !== after.readUInt32LE(at)) after.copy(pixels, at, at, at + CHANNELS);
  return pixels;
}

/** Its declaration wants types of a browser. */
type Encode = (image: object, options: { readonly lossless: number }) => Promise<ArrayBuffer>;

/** @returns the chunk of the image, without the file around it. */
async function encodeStill(pixels: Buffer, width: number, height: number): Promise<Buffer> {
  await encoder();
  const image = { data: new Uint8ClampedArray(pixels), width, height };
  const file = Buffer.from(await (encode as Encode)(image, { lossless: 1 }));
  return file.subarray(file.indexOf('VP8L'));
}

let ready: Promise<unknown> | null = null;
function encoder(): Promise<unknown> {
  ready ??= startCodec(init, '@jsquash/webp/codec/enc/webp_enc_simd.wasm');
  return ready;
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
