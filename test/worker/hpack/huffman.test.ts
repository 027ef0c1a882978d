// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeHuffman, minDecodedBytes, roomToDecode } from '../../../engine/worker/hpack/huffman.ts';
import { appendixB } from './appendix-b.ts';
import { hex, huffman } from './support.ts';

function decode(coded: Uint8Array): Buffer | 'refused' {
  const target = Buffer.alloc(roomToDecode(coded.length));
  const length = decodeHuffman(coded, 0, coded.length, target);
  return length < 0 ? 'refused' : target.subarray(0, length);
}

const EOS = 256;

describe('Huffman strings', () => {
  it.each([
    ['f1e3 c2e5 f23a 6ba0 ab90 f4ff', 'www.example.com'],
    ['a8eb 1064 9cbf', 'no-cache'],
    ['25a8 49e9 5ba9 7d7f', 'custom-key'],
    ['6402', '302'],
    ['aec3 771a 4b', 'private'],
    ['d07a be94 1054 d444 a820 0595 040b 8166 e082 a62d 1bff', 'Mon, 21 Oct 2013 20:13:21 GMT'],
    ['9d29 ad17 1863 c78f 0b97 c8e9 ae82 ae43 d3', 'https://www.example.com'],
  ])('of RFC 7541 appendix C are decoded: %s', (coded, text) => {
    expect(decode(hex(coded)).toString('latin1')).toBe(text);
  });

  it('have the codes of RFC 7541 appendix B', () => {
    for (let octet = 0; octet < EOS; octet++) {
      expect(decode(huffman([octet])), `octet ${octet}`).toEqual(Buffer.from([octet]));
      // Not at an octet's first bit, too.
      expect(decode(huffman([48, octet, octet, 97])), `octet ${octet}`).toEqual(
        Buffer.from([48, octet, octet, 97]),
      );
    }
  });

  it('have a canonical code, for the tables are made of its lengths only', () => {
    const sorted = appendixB.toSorted(([a, aBits], [b, bBits]) => aBits - bBits || a - b);
    const inOrder = appendixB.toSorted(([, aBits], [, bBits]) => aBits - bBits);
    expect(inOrder).toEqual(sorted);
  });

  it('round-trip, within the given bounds', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200, size: 'max' }), (octets) => {
        const coded = huffman([...octets]);
        expect(decode(coded)).toEqual(Buffer.from(octets));
        expect(octets.length).toBeGreaterThanOrEqual(minDecodedBytes(coded.length));
      }),
    );
  });

  it('are decoded out of the middle of a buffer', () => {
    const coded = Buffer.concat([hex('ffff'), huffman([97, 98]), hex('00')]);
    const target = Buffer.alloc(16);
    expect(decodeHuffman(coded, 2, coded.length - 1, target)).toBe(2);
    expect(target.toString('latin1', 0, 2)).toBe('ab');
  });

  it.each([
    ['EOS', huffman([EOS])],
    ['EOS behind a symbol', huffman([97, EOS])],
    ['EOS before a symbol', huffman([EOS, 97])],
    ['padding of eight bits', hex('ff')],
    ['padding of eleven bits', hex('1fff')],
    ['padding with a zero', huffman([97], '110')],
    ['padding of zeros', huffman([97], '000')],
    ['a symbol that is cut', huffman([0]).subarray(0, 1)],
  ])('are refused with %s', (_, coded) => {
    expect(decode(coded)).toBe('refused');
  });

  it('take each length of padding from none to seven bits', () => {
    const lengths = new Set<number>();
    for (let count = 1; count <= 8; count++) {
      const text = '0'.repeat(count);
      const padding = (8 - ((5 * count) % 8)) % 8;
      lengths.add(padding);
      const coded = huffman([...Buffer.from(text)], '1'.repeat(padding));
      expect(coded).toHaveLength(Math.ceil((5 * count) / 8));
      expect(decode(coded).toString('latin1'), `${padding} bits`).toBe(text);
    }
    expect(lengths.size).toBe(8);
  });

  it('may be empty', () => {
    expect(decode(hex(''))).toEqual(Buffer.alloc(0));
  });
});
