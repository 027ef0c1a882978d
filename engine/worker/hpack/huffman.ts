/**
 * Huffman coded strings (RFC 7541 section 5.2 and appendix B), an octet at a step: a table has for each node of
 * the code's tree and each octet where that leads, and the symbols that are complete on the way. No code is shorter
 * than five bits, so there are two at most. The table takes 256 KiB, of which text touches a few; four bits at a
 * step would make do with 16 KiB and take twice the time: 7 ns for an octet instead of 3.5.
 */

/** Bits of the codes of the octets 0 to 255 and of EOS. The code is canonical: the lengths determine it. */
const codeLengths: readonly number[] = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28,
  28, 28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7,
  8, 15, 6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19,
  13, 14, 6, 15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13,
  28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21,
  22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23,
  22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
  19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25,
  25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30,
];
const EOS = 256;
const LONGEST_CODE = 30;
const SHORTEST_CODE = 5;

/** A step: the first symbol, the second one and the next node in an octet each, and in the last one these. */
const SECOND_SHIFT = 8;
const NODE_SHIFT = 16;
const COUNT_SHIFT = 24;
const COUNT_MASK = 3;
const BROKEN = 1 << 26;

const NODES = codeLengths.length - 1;
const ROOT = 0;
const OCTET_BITS = 8;
/** Padding is shorter than an octet. */
const MAX_PADDING_BITS = 7;

/** By node, for a bit of 0 and of 1: the node it leads to, or the complement of the symbol that it completes. */
const tree = plantTree();
/** By node and octet. */
const steps = makeSteps();
/** Nodes at which a string may end: since its last symbol there were only the first bits of EOS, at most 7. */
const mayEnd = findEnds();

/** Room for the longest string that this many octets can hold, and for the bytes a step writes behind it. */
export const roomToDecode = (bytes: number): number => Math.floor((bytes * OCTET_BITS) / SHORTEST_CODE) + 2;

/** The length of the shortest string that this many octets can hold. */
export const minDecodedBytes = (bytes: number): number =>
  Math.floor((bytes * OCTET_BITS - MAX_PADDING_BITS) / LONGEST_CODE);

/**
 * @param target with at least `roomToDecode(to - from)`
 * @returns octets written, or -1 where EOS is in the string or its padding violates RFC 7541.
 */
export function decodeHuffman(source: Uint8Array, from: number, to: number, target: Uint8Array): number {
  let node = ROOT;
  let length = 0;
  let seen = 0;
  for (let at = from; at < to; at++) {
    const step = steps[(node << OCTET_BITS) | (source[at] as number)] as number;
    // Without branches, which would be as unpredictable as the text: bytes that are not a symbol are overwritten.
    target[length] = step;
    target[length + 1] = step >> SECOND_SHIFT;
    length += (step >> COUNT_SHIFT) & COUNT_MASK;
    node = (step >> NODE_SHIFT) & 0xff;
    seen |= step;
  }
  return (seen & BROKEN) === 0 && mayEnd[node] === 1 ? length : -1;
}

/** Gives out the codes in the order of their lengths, and of the symbols within a length. */
function plantTree(): Int16Array {
  const children = new Int16Array(2 * NODES);
  let nodes = 1;
  let code = 0;
  for (let length = SHORTEST_CODE; length <= LONGEST_CODE; length++, code <<= 1) {
    for (let symbol = 0; symbol <= EOS; symbol++)
      if (codeLengths[symbol] === length) addCode(code++, length, symbol);
  }

  function addCode(bits: number, length: number, symbol: number): void {
    let node = ROOT;
    for (let shift = length - 1; shift > 0; shift--) {
      const child = 2 * node + ((bits >> shift) & 1);
      // The root has no parent: 0 means no child yet.
      if (children[child] === 0) children[child] = nodes++;
      node = children[child] as number;
    }
    children[2 * node + (bits & 1)] = ~symbol;
  }

  return children;
}

function makeSteps(): Int32Array {
  const made = new Int32Array(NODES << OCTET_BITS);
  for (let at = 0; at < made.length; at++) made[at] = makeStep(at >> OCTET_BITS, at & 0xff);
  return made;
}

function makeStep(from: number, octet: number): number {
  let node = from;
  let symbols = 0;
  let count = 0;
  let flags = 0;
  for (let shift = OCTET_BITS - 1; shift >= 0; shift--) {
    const child = tree[2 * node + ((octet >> shift) & 1)] as number;
    node = child < 0 ? ROOT : child;
    if (child >= 0) continue;
    if (~child === EOS) flags = BROKEN;
    else symbols |= ~child << (SECOND_SHIFT * count++);
  }
  return flags | (count << COUNT_SHIFT) | (node << NODE_SHIFT) | symbols;
}

function findEnds(): Uint8Array {
  const ends = new Uint8Array(NODES);
  // EOS is all ones.
  for (let node = ROOT, bits = 0; bits <= MAX_PADDING_BITS; bits++, node = tree[2 * node + 1] as number)
    ends[node] = 1;
  return ends;
}
