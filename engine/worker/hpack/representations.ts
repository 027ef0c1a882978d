/**
 * How a representation or a string begins (RFC 7541 sections 5.2 and 6): a pattern in the first octet, and
 * below it the bits of an integer's prefix (section 5.1). The kinds are distinguished by size: an octet below
 * one pattern and not below the next is of the next kind.
 */
export interface Prefix {
  readonly pattern: number;
  readonly bits: number;
}

export const INDEXED: Prefix = { pattern: 0x80, bits: 7 };
export const INSERTED: Prefix = { pattern: 0x40, bits: 6 };
export const TABLE_SIZE: Prefix = { pattern: 0x20, bits: 5 };
/** With the next bit set it is never indexed, by intermediaries neither; to both ends that is the same. */
export const NOT_INSERTED: Prefix = { pattern: 0x00, bits: 4 };

export const RAW_STRING: Prefix = { pattern: 0x00, bits: 7 };
export const HUFFMAN_STRING: Prefix = { pattern: 0x80, bits: 7 };
