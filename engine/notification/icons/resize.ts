import type { Pixels } from './pixels.ts';

type Square = Pick<Pixels, 'data'> & { readonly side: number };

/**
 * A smaller square: each new pixel is the mean of what lies below it. Colours count by their opacity, or what a
 * see-through pixel happens to hold would colour the edge of a mark.
 */
export function shrink({ data, side: from }: Square, to: number): Square {
  if (to >= from) return { data, side: from };
  const across = means(from, to);
  const rows = new Float32Array(to * from * 4);
  for (let y = 0; y < from; y++)
    for (let x = 0; x < to; x++) {
      const [first, weights] = across[x] ?? none;
      const target = (y * to + x) * 4;
      for (let each = 0; each < weights.length; each++) {
        const source = (y * from + first + each) * 4;
        const opacity = (data[source + 3] ?? 0) * (weights[each] ?? 0);
        for (let colour = 0; colour < 3; colour++)
          rows[target + colour] = (rows[target + colour] ?? 0) + (data[source + colour] ?? 0) * opacity;
        rows[target + 3] = (rows[target + 3] ?? 0) + opacity;
      }
    }
  return { data: downwards(rows, across, to), side: to };
}

function downwards(rows: Float32Array, down: readonly Mean[], to: number): Uint8Array {
  const data = new Uint8Array(to * to * 4);
  const sum = new Float64Array(4);
  for (let y = 0; y < to; y++) {
    const [first, weights] = down[y] ?? none;
    for (let x = 0; x < to; x++) {
      sum.fill(0);
      for (let each = 0; each < weights.length; each++)
        for (let part = 0; part < 4; part++)
          sum[part] =
            (sum[part] ?? 0) + (rows[((first + each) * to + x) * 4 + part] ?? 0) * (weights[each] ?? 0);
      const opacity = sum[3] ?? 0;
      for (let colour = 0; colour < 3; colour++)
        data[(y * to + x) * 4 + colour] = opacity === 0 ? 0 : Math.round((sum[colour] ?? 0) / opacity);
      data[(y * to + x) * 4 + 3] = Math.round(opacity);
    }
  }
  return data;
}

/** The first of the old pixels below a new one, and how much each of them counts; together 1. */
type Mean = readonly [number, readonly number[]];
const none: Mean = [0, []];

function means(from: number, to: number): readonly Mean[] {
  return Array.from({ length: to }, (_, index) => {
    const [start, end] = [(index * from) / to, ((index + 1) * from) / to];
    const first = Math.floor(start);
    const length = Math.min(Math.ceil(end), from) - first;
    const share = (at: number): number => Math.min(end, at + 1) - Math.max(start, at);
    return [first, Array.from({ length }, (_, each) => (share(first + each) * to) / from)];
  });
}

/** Turned as Exif says (Exif 3.0, 4.6.5.1.6): 2 is mirrored, 3 upside down, 6 and 8 on their side. */
export function turn({ data, side }: Square, orientation: number): Square {
  const source = turns[orientation];
  if (source === undefined) return { data, side };
  const turned = new Uint8Array(data.length);
  const last = side - 1;
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const [fromX, fromY] = source(x, y, last);
      const at = (fromY * side + fromX) * 4;
      turned.set(data.subarray(at, at + 4), (y * side + x) * 4);
    }
  return { data: turned, side };
}

/** Where the pixel comes from that is shown at a place. */
const turns: Readonly<
  Record<number, (x: number, y: number, last: number) => readonly [number, number]>
> = {
  2: (x, y, last) => [last - x, y],
  3: (x, y, last) => [last - x, last - y],
  4: (x, y, last) => [x, last - y],
  5: (x, y) => [y, x],
  6: (x, y, last) => [y, last - x],
  7: (x, y, last) => [last - y, last - x],
  8: (x, y, last) => [last - y, x],
};
