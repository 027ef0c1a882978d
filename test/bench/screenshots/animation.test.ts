// tier: unit
import { readFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { toAnimation } from '../../../bench/screenshots/animation.ts';
import { readWebpIcon } from '../../../engine/notification/icons/webp-icon.ts';

const pictures = new URL('../../support/icons/', import.meta.url);
const fileOf = (name: string): Buffer => readFileSync(new URL(name, pictures));

/** A grey square with one pixel of another colour. */
function still(at: number): Buffer {
  const png = new PNG({ width: 16, height: 8 });
  png.data.fill(200);
  png.data.writeUInt32LE(0xff_00_00_ff, at * 4);
  return PNG.sync.write(png);
}

/** Name, place and length of each chunk of the file, those of frames without what is in them. */
function chunksOf(file: Buffer): { name: string; body: Buffer }[] {
  expect(file.toString('latin1', 0, 4)).toBe('RIFF');
  expect(file.readUInt32LE(4)).toBe(file.length - 8);
  const chunks = [];
  for (let at = 12; at < file.length; ) {
    const length = file.readUInt32LE(at + 4);
    chunks.push({ name: file.toString('latin1', at, at + 4), body: file.subarray(at + 8, at + 8 + length) });
    at += 8 + length + (length % 2);
  }
  return chunks;
}

describe('a film of stills', () => {
  it('has the parts that one of Pillow has, and each picture for its time', async () => {
    const film = chunksOf(
      await toAnimation([
        { still: still(0), ms: 400 },
        { still: still(1), ms: 4_000 },
      ]),
    );
    const pillows = chunksOf(fileOf('pillow-animated.webp')).map(({ name }) => name);
    expect(film.map(({ name }) => name)).toEqual(['VP8X', 'ANIM', 'ANMF', 'ANMF']);
    expect(pillows.slice(0, 3)).toEqual(['VP8X', 'ANIM', 'ANMF']);
    const frames = film.filter(({ name }) => name === 'ANMF');
    expect(frames.map(({ body }) => body.readUIntLE(12, 3))).toEqual([400, 4_000]);
    for (const { body } of frames) expect(body.subarray(6, 12)).toEqual(film[0]?.body.subarray(4));
  });

  it('keeps of a later picture what changed', async () => {
    const film = chunksOf(await toAnimation([0, 1].map((at) => ({ still: still(at), ms: 100 }))));
    const [first, second] = await Promise.all(film.slice(2).map(({ body }) => pixelsOf(body.subarray(16))));
    expect(first?.slice(0, 2)).toEqual([0xff_00_00_ff, 0xc8_c8_c8_c8]);
    expect(second?.slice(0, 3)).toEqual([0xc8_c8_c8_c8, 0xff_00_00_ff, 0]);
    expect(second?.slice(3).every((pixel) => pixel === 0)).toBe(true);
  });

  it('has pictures of one size, and at least one', async () => {
    const other = PNG.sync.write(new PNG({ width: 3, height: 3 }));
    await expect(
      toAnimation([
        { still: still(0), ms: 1 },
        { still: other, ms: 1 },
      ]),
    ).rejects.toThrow('3 × 3 in a film of 16 × 8');
    await expect(toAnimation([])).rejects.toThrow('at least one');
  });
});

/** Of the chunk of an image, as the decoder of pictures reads it in a file. */
async function pixelsOf(image: Buffer): Promise<number[]> {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(image.length + 4);
  const read = await readWebpIcon(Buffer.concat([Buffer.from('RIFF'), length, Buffer.from('WEBP'), image]));
  if (read.kind !== 'pixels') throw new Error(read.kind);
  const { data } = read.pixels;
  return Array.from({ length: data.length / 4 }, (_, at) => Buffer.from(data).readUInt32LE(at * 4));
}
