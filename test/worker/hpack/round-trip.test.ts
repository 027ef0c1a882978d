// tier: unit
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createHeaderEncoder } from '../../../engine/worker/hpack/encoder.ts';
import { cases } from '../../support/cases.ts';
import { anyDecoder, decodeAll, encode } from './support.ts';

const octet = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
const text = (maxLength: number) => fc.string({ unit: octet, maxLength, size: 'max' });
const name = fc.oneof(
  fc.constantFrom(':method', ':scheme', ':path', 'ttl', 'topic', 'authorization', 'date', 'vary', 'via'),
  text(12),
);
const repeated = fc.tuple(octet, fc.nat(5_000)).map(([unit, count]) => unit.repeat(count));
const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('POST', 'https', '/', '60', '', 'a', 'b', 'c') },
  { weight: 4, arbitrary: text(150) },
  { weight: 1, arbitrary: repeated },
);
const fields = fc.array(fc.tuple(name, value), { maxLength: 8, size: 'max' }).map((pairs) => pairs.flat());
const size = fc.oneof(fc.nat(200), fc.nat(6_000), fc.constantFrom(0, 31, 32, 33, 4_095, 4_096, 65_536));
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ array: fc.nat(4), path: text(200) }) },
  { weight: 1, arbitrary: fc.record({ sizes: fc.array(size, { minLength: 1, maxLength: 3 }) }) },
);

it('blocks round-trip, with arrays that alternate and tables of all sizes', () => {
  const arrays = fc.array(fields, { minLength: 5, maxLength: 5 });
  fc.assert(
    fc.property(arrays, fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), (given, steps) => {
      const [encoder, decoder] = [createHeaderEncoder(), anyDecoder()];
      for (const next of steps) {
        if ('sizes' in next) for (const bytes of next.sizes) encoder.setTableSize(bytes);
        else {
          const sent = given[next.array] as string[];
          const read = decodeAll(decoder, encode(encoder, next.path, sent));
          expect(read).toEqual([':path', next.path, ...sent]);
        }
      }
    }),
    { numRuns: cases(250, 1_000) },
  );
});

it('arrays that fit into the table together end as references', () => {
  const short = fc
    .array(fc.tuple(name, text(50)), { maxLength: 8, size: 'max' })
    .map((pairs) => pairs.flat());
  fc.assert(
    fc.property(fc.array(short, { minLength: 1, maxLength: 3 }), size, (given, bytes) => {
      const encoder = createHeaderEncoder();
      encoder.setTableSize(bytes);
      const room = Math.min(4_096, bytes);
      const listBytes = given.flat().reduce((sum, part) => sum + part.length + 16, 0);
      fc.pre(listBytes <= room);
      for (let round = 0; round < 3; round++) for (const sent of given) encode(encoder, '', sent);
      for (const sent of given) expect(encode(encoder, '', sent).length).toBeLessThanOrEqual(2 + sent.length);
    }),
  );
});
