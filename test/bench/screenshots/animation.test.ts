// tier: unit
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toAnimation } from '../../../bench/screenshots/animation.ts';

const pictures = new URL('../../support/icons/', import.meta.url);
const fileOf = (name: string): Buffer => readFileSync(new URL(name, pictures));
const still = fileOf('cwebp-lossy.webp');

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
  it('has the parts that one of Pillow has, and each picture for its time', () => {
    const film = chunksOf(
      toAnimation([
        { still, ms: 400 },
        { still, ms: 4_000 },
      ]),
    );
    const pillows = chunksOf(fileOf('pillow-animated.webp')).map(({ name }) => name);
    expect(film.map(({ name }) => name)).toEqual(['VP8X', 'ANIM', 'ANMF', 'ANMF']);
    expect(pillows.slice(0, 3)).toEqual(['VP8X', 'ANIM', 'ANMF']);
    const frames = film.filter(({ name }) => name === 'ANMF');
    expect(frames.map(({ body }) => body.readUIntLE(12, 3))).toEqual([400, 4_000]);
    const size = film[0]?.body.subarray(4);
    for (const { body } of frames) {
      expect(body.subarray(6, 12)).toEqual(size);
      expect(body.toString('latin1', 16, 20)).toBe('VP8 ');
    }
  });

  it('takes no still of another kind, nor none', () => {
    expect(() => toAnimation([{ still: fileOf('pillow-rgba.png'), ms: 1 }])).toThrow('not a lossy WebP');
    expect(() => toAnimation([])).toThrow('at least one');
  });
});
