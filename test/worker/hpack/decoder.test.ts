// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHeaderDecoder, HpackError } from '../../../engine/worker/hpack/decoder.ts';
import { cases } from '../../support/cases.ts';
import {
  anyDecoder,
  decodeAll,
  hex,
  huffman,
  huffmanString,
  integer,
  rawString,
  tableOf,
} from './support.ts';

/** With a name and a value, into the table: 32 + 1 + `length - 1` octets by RFC 7541 section 4.1. */
const inserted = (name: string, valueLength: number): Buffer =>
  Buffer.concat([hex('40'), rawString(name), rawString('v'.repeat(valueLength))]);
const sizeUpdate = (bytes: number): Buffer => Buffer.from(integer(0x20, 5, bytes));
const names = (table: readonly string[]): string => table.map((entry) => entry[0]).join('');

describe('the dynamic table', () => {
  const fullOfThree = () => {
    const decoder = createHeaderDecoder({ maxTableBytes: 120, maxListBytes: 10_000 });
    decodeAll(decoder, Buffer.concat(['a', 'b', 'c'].map((name) => inserted(name, 7))));
    return decoder;
  };

  it('holds fields that fit to the byte, and evicts the oldest for the next', () => {
    const decoder = fullOfThree();
    expect(names(tableOf(decoder))).toBe('cba');
    decodeAll(decoder, inserted('d', 7));
    expect(names(tableOf(decoder))).toBe('dcb');
    decodeAll(decoder, inserted('e', 8));
    expect(names(tableOf(decoder))).toBe('ed');
  });

  it('is emptied by an entry larger than all of it, and not by one as large', () => {
    const decoder = fullOfThree();
    decodeAll(decoder, inserted('d', 120 - 33));
    expect(names(tableOf(decoder))).toBe('d');
    expect(decodeAll(decoder, inserted('e', 120 - 32))).toHaveLength(2);
    expect(tableOf(decoder)).toEqual([]);
  });

  it('shrinks at once where a block begins with a smaller size, and may grow again', () => {
    const decoder = fullOfThree();
    expect(decodeAll(decoder, Buffer.concat([sizeUpdate(79), sizeUpdate(120)]))).toEqual([]);
    expect(names(tableOf(decoder))).toBe('c');
    decodeAll(decoder, Buffer.concat([inserted('d', 7), inserted('e', 7)]));
    expect(names(tableOf(decoder))).toBe('edc');
    decodeAll(decoder, sizeUpdate(0));
    expect(tableOf(decoder)).toEqual([]);
    decodeAll(decoder, inserted('f', 0));
    expect(tableOf(decoder)).toEqual([]);
  });

  it('gives a name to an entry that evicts the one the name is from', () => {
    const decoder = fullOfThree();
    const longer = Buffer.concat([Buffer.from(integer(0x40, 6, 64)), rawString('w'.repeat(87))]);
    expect(decodeAll(decoder, longer)).toEqual(['a', 'w'.repeat(87)]);
    expect(tableOf(decoder)).toEqual([`a: ${'w'.repeat(87)}`]);
  });

  it('begins with 4,096 bytes where we allow more, until the peer says that it uses them', () => {
    const decoder = createHeaderDecoder({ maxTableBytes: 8_192, maxListBytes: 100_000 });
    decodeAll(decoder, Buffer.concat([inserted('a', 4_063), inserted('b', 0)]));
    expect(names(tableOf(decoder))).toBe('b');
    decodeAll(decoder, Buffer.concat([sizeUpdate(8_192), inserted('a', 4_063), inserted('c', 4_030)]));
    expect(names(tableOf(decoder))).toBe('cab');
  });

  it('may be full of the smallest entries', () => {
    const decoder = anyDecoder();
    decodeAll(decoder, Buffer.concat([inserted('a', 0), inserted('b', 0)]));
    const count = 4_096 / 32;
    decodeAll(decoder, Buffer.alloc(3 * count, hex('40 00 00')));
    for (const index of [62, 61 + count])
      expect(decodeAll(decoder, Buffer.from(integer(0x80, 7, index)))).toEqual(['', '']);
    expect(() => decodeAll(decoder, Buffer.from(integer(0x80, 7, 62 + count)))).toThrow(HpackError);
  });

  it('turns over for as long as the connection lasts', () => {
    const decoder = anyDecoder();
    for (let round = 0; round < 1_000; round++) {
      const value = String(round).padStart(round % 50, '.');
      decodeAll(decoder, Buffer.concat([hex('40'), rawString('name'), rawString(value)]));
      expect(decodeAll(decoder, hex('be'))).toEqual(['name', value]);
      if (round > 0) expect(decodeAll(decoder, hex('bf'))[1]).toContain(String(round - 1));
    }
  });
});

describe('fields', () => {
  it('are read with long lengths and high indices', () => {
    const value = 'x'.repeat(100_000);
    const block = Buffer.concat([Buffer.from(integer(0x10, 4, 61)), rawString(value)]);
    expect(decodeAll(anyDecoder(), block)).toEqual(['www-authenticate', value]);
  });

  it('have an octet in each character, Huffman coded or not', () => {
    const octets = String.fromCharCode(...Array.from({ length: 256 }, (_, octet) => octet));
    for (const text of [rawString(octets), huffmanString(octets)]) {
      expect(decodeAll(anyDecoder(), Buffer.concat([hex('00'), text, text]))).toEqual([octets, octets]);
    }
  });

  it('may be empty, and so may a block', () => {
    expect(decodeAll(anyDecoder(), hex('40 00 00'))).toEqual(['', '']);
    expect(decodeAll(anyDecoder(), hex('00 80 80'))).toEqual(['', '']);
    expect(decodeAll(anyDecoder(), hex(''))).toEqual([]);
  });

  it('are taken up to the bound on their list, and not a byte over it, in each block', () => {
    const decoder = createHeaderDecoder({ maxTableBytes: 4_096, maxListBytes: 2 * 42 });
    const status = hex('88');
    for (let block = 0; block < 3; block++)
      expect(decodeAll(decoder, Buffer.concat([status, status]))).toHaveLength(4);
    expect(() =>
      decodeAll(decoder, Buffer.concat([status, hex('40 07'), Buffer.from(':status\x044000')])),
    ).toThrow(HpackError);
  });
});

describe('a block is refused', () => {
  const refused = (block: Buffer, maxListBytes = 10_000) => {
    const decoder = createHeaderDecoder({ maxTableBytes: 4_096, maxListBytes });
    expect(() => decodeAll(decoder, block)).toThrow(HpackError);
  };

  it.each([
    ['index 0', '80'],
    ['an index behind the tables', 'be'],
    ['an index far behind the tables', 'ff ff ff ff 7f'],
    ['the name of an index behind the tables, to be inserted', '7e 00'],
    ['the name of an index behind the tables, not to be inserted', '0f 2f 00'],
    ['an integer that is cut', 'ff'],
    ['an integer that is cut later', 'ff ff'],
    ['an integer over the bound', 'ff ff ff ff ff 0f'],
    ['an integer that would be negative as an int32', 'ff ff ff ff ff 7f'],
    ['an integer with zeros over the bound', 'ff 80 80 80 80 00'],
    ['an integer without an end', `ff ${'80'.repeat(100)}`],
    ['no name', '40'],
    ['no value', '40 01 61'],
    ['a name that is cut', '40 02 61'],
    ['a value that is cut', '40 01 61 02 61'],
    ['a value of 2^28 bytes that is cut', '40 01 61 7f ff ff ff 7f 61'],
    ['a Huffman string that is cut', '40 01 61 82 1f'],
    ['a table size that is cut', '3f'],
    ['a table size over ours', '3f e2 1f'],
    ['a table size behind a field', '82 20'],
    ['a table size between fields', '82 20 82'],
    ['a table size that could be a literal', '82 20 01 61 01 61'],
  ])('for %s', (_, block) => refused(hex(block)));

  it.each([
    ['EOS', huffman([97, 256])],
    ['padding of more than seven bits', hex('1fff')],
    ['padding that is not of ones', hex('18')],
  ])('for a Huffman string with %s, as a name and as a value', (_, coded) => {
    const text = Buffer.concat([Buffer.from(integer(0x80, 7, coded.length)), coded]);
    refused(Buffer.concat([hex('40'), text, hex('00')]));
    refused(Buffer.concat([hex('00 00'), text]));
  });

  it('for a string over the bound, before it is decoded', () => {
    refused(Buffer.concat([hex('00'), huffmanString('0'.repeat(101)), hex('00')]), 132);
    refused(Buffer.concat([hex('00'), rawString('0'.repeat(101)), hex('00')]), 132);
    const long = Buffer.concat([hex('00'), huffmanString('\0'.repeat(5_000)), hex('00')]);
    const decoder = createHeaderDecoder({ maxTableBytes: 4_096, maxListBytes: 132 });
    expect(() => decodeAll(decoder, long)).toThrow('a string over the bound');
  });

  it('with nothing but an HpackError, for any bytes, and without exceeding the bound', () => {
    const octet = fc.oneof(
      fc.nat(255),
      fc.constantFrom(0x40, 0x00, 0x82, 0xbe, 0xbf, 0x7f, 0x20, 0x3f, 1, 2),
    );
    const block = fc.array(octet, { maxLength: 80, size: 'max' });
    const bounds = fc.record({ maxTableBytes: fc.nat(300), maxListBytes: fc.nat(400) });
    fc.assert(
      fc.property(
        fc.array(block, { minLength: 1, maxLength: 10, size: 'max' }),
        bounds,
        (blocks, { maxTableBytes, maxListBytes }) => {
          const decoder = createHeaderDecoder({ maxTableBytes, maxListBytes });
          for (const octets of blocks) {
            let listBytes = 0;
            try {
              decoder.decode(Buffer.from(octets), (name, value) => {
                listBytes += 32 + name.length + value.length;
              });
            } catch (error) {
              expect(error).toBeInstanceOf(HpackError);
            }
            expect(listBytes).toBeLessThanOrEqual(maxListBytes);
          }
        },
      ),
      { numRuns: cases(600, 3_000) },
    );
  });
});
