import { createInflate } from 'node:zlib';
import type { PngParts } from './png.ts';

const PIECE_BYTES = 262_144;
const HIGHEST_FILTER = 4;

/**
 * Whether all rows of pixels are there: inflated, counted and dropped, a piece at a time, so that a picture of 50
 * megapixels takes no memory.
 */
export function hasAllPixels(png: PngParts): Promise<boolean> {
  const rows = rowLengths(png);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let [next, seen] = [0, 0];
  let row = rows.next();
  const inflate = createInflate({ chunkSize: PIECE_BYTES });
  inflate.on('data', (piece: Buffer) => {
    for (; !row.done && next < seen + piece.length; row = rows.next()) {
      if ((piece[next - seen] ?? 0) > HIGHEST_FILTER) return void inflate.destroy();
      next += row.value;
    }
    seen += piece.length;
    // What comes behind the last row is shown by nobody.
    if (row.done && seen >= next) resolve(true);
    if (row.done && seen >= next) inflate.destroy();
  });
  inflate.on('error', () => resolve(false)).on('close', () => resolve(false));
  for (const piece of png.pixels) inflate.write(piece);
  inflate.end();
  return promise;
}

/** PNG specification, 8.2: an interlaced picture is seven smaller ones, each begun at a place and with a step. */
const passes = [
  [0, 8, 0, 8],
  [4, 8, 0, 8],
  [0, 4, 4, 8],
  [2, 4, 0, 4],
  [0, 2, 2, 4],
  [1, 2, 0, 2],
  [0, 1, 1, 2],
] as const;

/** Of each row in its order, with the byte that names its filter. */
function* rowLengths({ size, bitsPerPixel, interlaced }: PngParts): Generator<number> {
  for (const [left, across, top, down] of interlaced ? passes : [[0, 1, 0, 1] as const]) {
    const width = Math.ceil((size.width - left) / across);
    const height = Math.ceil((size.height - top) / down);
    if (width <= 0) continue;
    for (let row = 0; row < height; row++) yield 1 + Math.ceil((width * bitsPerPixel) / 8);
  }
}
