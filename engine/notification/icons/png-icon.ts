import { deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { chunkOf, readPng } from '../images/png.ts';
import { hasAllPixels } from '../images/png-pixels.ts';
import { isAbsurd, type Pixels, type PixelsRead } from './pixels.ts';

/** Of an animation the picture that it has for those who show none. */
export async function readPngIcon(bytes: Buffer): Promise<PixelsRead> {
  const parts = readPng(bytes);
  if (parts === null) return { kind: 'cut' };
  if (isAbsurd(parts.size)) return { kind: 'absurd' };
  if (!(await hasAllPixels(parts))) return { kind: 'cut' };
  const { data } = PNG.sync.read(parts.bytes);
  const { colours, orientation } = parts;
  return { kind: 'pixels', pixels: { ...parts.size, data, colours, orientation } };
}

const HEADER_ENDS = 33;
const RGB = 2;
const RGBA = 6;

export function writePng({ width, height, data, colours }: Omit<Pixels, 'orientation'>): Buffer {
  const png = new PNG({ width, height });
  png.data = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const opaque = data.every((value, at) => at % 4 !== 3 || value === 255);
  const written = PNG.sync.write(png, { colorType: opaque ? RGB : RGBA, deflateLevel: 9 });
  return Buffer.concat([written.subarray(0, HEADER_ENDS), ...colours, written.subarray(HEADER_ENDS)]);
}

/** An ICC profile as a PNG has it (PNG specification, 11.3.2.3). */
export const profileChunk = (profile: Buffer): Buffer =>
  chunkOf('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(profile)]));
