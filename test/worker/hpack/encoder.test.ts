// tier: unit
import { describe, expect, it } from 'vitest';
import { createHeaderEncoder } from '../../../engine/worker/hpack/encoder.ts';
import { anyDecoder, decodeAll, encode, type Fields, hex, rawString, tableOf } from './support.ts';

const letterhead = (topic: string): Fields => [
  ...[':method', 'POST', ':scheme', 'https', ':authority', 'push.example'],
  ...['ttl', '60', 'content-encoding', 'aes128gcm', 'topic', topic],
];
const pathLiteral = (path: string): Buffer => Buffer.concat([hex('04'), rawString(path)]);

/** An encoder and its decoder, which must stay in step. */
function createPair() {
  const [encoder, decoder] = [createHeaderEncoder(), anyDecoder()];
  return {
    encoder,
    decoder,
    send(path: string, fields: Fields): Buffer {
      const block = encode(encoder, path, fields);
      expect(decodeAll(decoder, block)).toEqual([':path', path, ...fields]);
      return block;
    },
  };
}

describe('a block', () => {
  it('has the path as a literal, fields of the static table as references, and inserts the rest', () => {
    const block = encode(createHeaderEncoder(), '/a', letterhead('t'));
    expect(block).toEqual(
      Buffer.concat([
        ...[pathLiteral('/a'), hex('83 87'), hex('41'), rawString('push.example')],
        ...[hex('40'), rawString('ttl'), rawString('60'), hex('5a'), rawString('aes128gcm')],
        ...[hex('40'), rawString('topic'), rawString('t')],
      ]),
    );
  });

  it('is the path and references the next times, and the path is never inserted', () => {
    const { decoder, send } = createPair();
    const fields = letterhead('t');
    send('/first', fields);
    for (const path of ['/second', '/third', `/${'x'.repeat(500)}`, ''])
      expect(send(path, fields)).toEqual(Buffer.concat([pathLiteral(path), hex('83 87 c1 c0 bf be')]));
    expect(tableOf(decoder)).toHaveLength(4);
  });

  it('shares entries with other arrays, and inserts only differences', () => {
    const { decoder, send } = createPair();
    const [one, two] = [letterhead('one'), letterhead('two')];
    send('/a', one);
    expect(send('/b', two)).toEqual(
      Buffer.concat([pathLiteral('/b'), hex('83 87 c1 c0 bf 7e'), rawString('two')]),
    );
    for (let round = 0; round < 3; round++) {
      expect(send('/c', one)).toEqual(Buffer.concat([pathLiteral('/c'), hex('83 87 c2 c1 c0 bf')]));
      expect(send('/d', two)).toEqual(Buffer.concat([pathLiteral('/d'), hex('83 87 c2 c1 c0 be')]));
    }
    expect(tableOf(decoder)).toHaveLength(5);
  });

  it('is right for more arrays than are remembered', () => {
    const { send } = createPair();
    const many = Array.from({ length: 100 }, (_, i) => letterhead(`topic ${i}`));
    for (let round = 0; round < 3; round++) for (const fields of many) send('/a', fields);
    for (let round = 0; round < 3; round++) for (const fields of many.slice(90)) send('/a', fields);
  });

  it('is copied and not made for arrays that were sent before, of which a few are remembered', () => {
    const { encoder, send } = createPair();
    let looks = 0;
    const watched = (topic: string): Fields =>
      new Proxy(letterhead(topic), {
        get(fields, key) {
          if (/^\d+$/.test(String(key))) looks++;
          return Reflect.get(fields, key);
        },
      });
    const looksOf = (fields: Fields): number => {
      encode(encoder, '/a', fields);
      const before = looks;
      encode(encoder, '/a', fields);
      return looks - before;
    };
    const [one, two, three] = [watched('t'), watched('t'), watched('new')];
    for (let round = 0; round < 3; round++) for (const fields of [one, two]) send('/a', fields);
    looks = 0;
    for (let round = 0; round < 3; round++)
      for (const fields of [one, two, two]) encode(encoder, '/a', fields);
    expect(looks).toBe(0);

    encode(encoder, '/a', three);
    encode(encoder, '/a', one);
    expect(looks, 'the references to a table that changed').toBeGreaterThan(0);

    for (let i = 0; i < 100; i++) expect(looksOf(watched('t'))).toBe(0);
    looks = 0;
    encode(encoder, '/a', one);
    expect(looks, 'of an array from long ago').toBeGreaterThan(0);
  });

  it('has a field larger than the table as a literal that is not inserted', () => {
    const { decoder, send } = createPair();
    const fields = ['ttl', '60', 'large', 'x'.repeat(4_060), 'fits', 'y'.repeat(3_000)];
    const first = send('/a', fields);
    expect(first.includes(Buffer.concat([hex('00'), rawString('large')]))).toBe(true);
    expect(send('/a', fields)).toEqual(
      Buffer.concat([
        pathLiteral('/a'),
        ...[hex('bf 00'), rawString('large'), rawString('x'.repeat(4_060)), hex('be')],
      ]),
    );
    expect(send('/a', fields)).toEqual(send('/a', fields));
    expect(tableOf(decoder)).toHaveLength(2);
  });

  it('does not repeatedly insert fields that evict other fields of the same array', () => {
    const { decoder, send } = createPair();
    const fields = Array.from({ length: 6 }, (_, i) => [`name-${i}`, String(i).repeat(1_000)]).flat();
    send('/a', fields);
    const table = tableOf(decoder);
    expect(table).toHaveLength(3);
    const again = send('/a', fields);
    expect(again.length).toBeLessThan(3 * 1_000 + 100);
    expect(send('/a', fields)).toEqual(again);
    expect(tableOf(decoder)).toEqual(table);
  });

  it('finds its way back into a table that is full of others', () => {
    const { send } = createPair();
    const wanted = letterhead('wanted');
    send('/a', wanted);
    for (let i = 0; i < 200; i++) send('/a', letterhead(`${i}`.repeat(10)));
    for (let i = 0; i < 3; i++) send('/a', wanted);
    expect(send('/a', wanted).length).toBeLessThan(5 + 6 * 2);
  });
});

describe('the table size', () => {
  /** What a block begins with, before its path. */
  const announced = (encoder: ReturnType<typeof createHeaderEncoder>): Buffer => {
    const block = encode(encoder, '/', []);
    return block.subarray(0, block.length - pathLiteral('/').length);
  };

  it.each([
    ['of the default is not announced', [4_096], ''],
    ['over it is not used', [65_536], ''],
    ['that is smaller is announced', [100], '3f 45'],
    ['of nothing is announced', [0], '20'],
    ['that went down and up is announced with the smallest', [200, 0, 300], '20 3f 8d 02'],
    ['that went up and down is announced once', [65_536, 200], '3f a9 01'],
    ['that came back is announced with what it was meanwhile', [100, 4_096], '3f 45 3f e1 1f'],
    ['that came back from above is announced, for a peer may insist', [8_192, 4_096], '3f e1 1f'],
  ])('%s', (_, sizes, expected) => {
    const encoder = createHeaderEncoder();
    for (const size of sizes) encoder.setTableSize(size);
    expect(announced(encoder)).toEqual(hex(expected));
    expect(announced(encoder), 'and not again').toEqual(hex(''));
  });

  it('that grows again later is announced alone', () => {
    const encoder = createHeaderEncoder();
    encoder.setTableSize(0);
    announced(encoder);
    encoder.setTableSize(1_000);
    expect(announced(encoder)).toEqual(hex('3f c9 07'));
  });

  it('drops entries that no longer fit, though it grows before the next block', () => {
    const { encoder, decoder, send } = createPair();
    const fields = letterhead('t');
    for (let i = 0; i < 3; i++) send('/a', fields);
    encoder.setTableSize(0);
    encoder.setTableSize(4_096);
    send('/a', fields);
    expect(tableOf(decoder)).toHaveLength(4);
    expect(send('/a', fields)).toEqual(send('/a', fields));
  });

  it('of nothing leaves literals', () => {
    const { encoder, decoder, send } = createPair();
    encoder.setTableSize(0);
    for (let i = 0; i < 4; i++) send('/a', letterhead('t'));
    const fields = letterhead('t');
    for (let i = 0; i < 4; i++) send('/a', fields);
    expect(tableOf(decoder)).toEqual([]);
  });
});

it('no room is an error, and not a block that was cut', () => {
  expect(() => createHeaderEncoder().write(Buffer.alloc(10), 0, '/a/long/path', [])).toThrow(RangeError);
});
