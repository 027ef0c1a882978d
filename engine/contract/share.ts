/** Parts of equal size that an app's subscriptions are split into; `part_of` in Postgres (migration 0037) says which. */
export const SHARE_PARTS = 10_000;

const FACTOR = 73_244_475n;
const MASK = 0xffff_ffffn;
const mixed = (x: bigint): bigint => (((x >> 16n) ^ x) * FACTOR) & MASK;

/** Two splits of one app are independent of each other: each has a salt of its own, of 32 bits. */
export const saltOf = (name: string): number =>
  Number(Array.from(new TextEncoder().encode(name)).reduce((hash, byte) => mixed(hash ^ BigInt(byte)), MASK));
