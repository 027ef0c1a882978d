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

/** One block's `seq`s as a map. */
export function bitmapOf(seqs: readonly number[]): Bitmap {
  const map = emptyBitmap();
  for (const seq of seqs) setBit(map, seq);
  return map;
}

/** The `seq`s of a block's map, ascending. */
export function bitsOf(map: Bitmap, block: number): number[] {
  const first = block * BLOCK_SIZE;
  return Array.from({ length: BLOCK_SIZE }, (_, index) => first + index).filter((seq) => hasBit(map, seq));
}
