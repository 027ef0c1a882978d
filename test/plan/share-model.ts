import { SHARE_PARTS, saltOf } from '../../engine/contract/share.ts';

const mixed = (x: bigint): bigint => (((x >> 16n) ^ x) * 73_244_475n) & 0xffff_ffffn;

/** The part of a split that a subscription is in, from 0, computed without SQL. */
export function partOf(name: string, seq: number): number {
  const hash = mixed(mixed(BigInt(seq) ^ BigInt(saltOf(name))));
  return Number((hash * BigInt(SHARE_PARTS)) >> 32n);
}
