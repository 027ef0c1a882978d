/** Maps of one bit per target of a block: bit `seq % 1024`, least significant bit of each byte first. */
export const BLOCK_SIZE = 1_024;
export const BITMAP_BYTES = BLOCK_SIZE / 8;

export type Bitmap = Uint8Array;

export const emptyBitmap = (): Bitmap => new Uint8Array(BITMAP_BYTES);

export function hasBit(map: Bitmap, seq: number): boolean {
  const index = seq & (BLOCK_SIZE - 1);
  return ((map[index >> 3] as number) & (1 << (index & 7))) !== 0;
}

export function setBit(map: Bitmap, seq: number): void {
  const index = seq & (BLOCK_SIZE - 1);
  map[index >> 3] = (map[index >> 3] as number) | (1 << (index & 7));
}

/** How many bits are set. */
export function countBits(map: Bitmap): number {
  let count = 0;
  for (let byte of map) for (; byte !== 0; byte &= byte - 1) count++;
  return count;
}

/** The bits of `a` that are not in `b`. */
export function without(a: Bitmap, b: Bitmap): Bitmap {
  return a.map((byte, index) => byte & ~(b[index] as number));
}

/** The bits that are in either. */
export function either(a: Bitmap, b: Bitmap): Bitmap {
  return a.map((byte, index) => byte | (b[index] as number));
}

/** The bits that are in both. */
export function both(a: Bitmap, b: Bitmap): Bitmap {
  return a.map((byte, index) => byte & (b[index] as number));
}

/** The bits that at least `least` of the maps hold. `least` is 1 or more. */
export function inAtLeast(maps: readonly Bitmap[], least: number): Bitmap {
  if (maps.length < least) return emptyBitmap();
  return emptyBitmap().map((_, index) => byteInAtLeast(maps, least, index));
}

/**
 * Counts in eight columns at once: `slices[k]` holds bit k of each column's count, and adding a map's byte is a
 * carry that ripples up through them.
 */
function byteInAtLeast(maps: readonly Bitmap[], least: number, index: number): number {
  const slices = new Uint8Array(32 - Math.clz32(maps.length));
  for (const map of maps) {
    let carry = map[index] as number;
    for (let k = 0; carry !== 0; k++) {
      const sum = slices[k] as number;
      slices[k] = sum ^ carry;
      carry &= sum;
    }
  }
  return columnsNotBelow(slices, least);
}

/** Compares every column's count with `least` from the highest bit down, as one compares numbers by hand. */
function columnsNotBelow(slices: Uint8Array, least: number): number {
  let above = 0;
  let equal = 0xff;
  for (let k = slices.length - 1; k >= 0; k--) {
    const slice = slices[k] as number;
    if ((least >> k) & 1) equal &= slice;
    else {
      above |= equal & slice;
      equal &= ~slice;
    }
  }
  return above | equal;
}

/** One block's `seq`s as a map. */
export function bitmapOf(seqs: readonly number[]): Bitmap {
  const map = emptyBitmap();
  for (const seq of seqs) setBit(map, seq);
  return map;
}

/** The `seq`s of a block's map, ascending. */
export function bitsOf(map: Bitmap, block: number): number[] {
  const first = block * BLOCK_SIZE;
  const seqs: number[] = [];
  for (let index = 0; index < BLOCK_SIZE; index++) {
    if (((map[index >> 3] as number) & (1 << (index & 7))) !== 0) seqs.push(first + index);
  }
  return seqs;
}
