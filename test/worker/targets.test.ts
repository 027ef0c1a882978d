// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyBitmap, hasBit, setBit } from '../../engine/contract/bitmap.ts';
import { createTargetCursor, selectedSeqs } from '../../engine/worker/targets.ts';
import { copyOf, everyBit, makeRows, type Row } from './support.ts';

const rows = makeRows('https://push.example', 5);

function readAll(bytes: Uint8Array, wanted: Uint8Array): Row[] {
  const cursor = createTargetCursor(bytes, wanted);
  const read: Row[] = [];
  while (cursor.next()) {
    const [p256dh, auth] = [Buffer.from(cursor.p256dh()), Buffer.from(cursor.auth())];
    read.push({ seq: cursor.seq(), endpoint: cursor.endpoint(), p256dh, auth });
  }
  return read;
}

const someRow = fc.record({
  seq: fc.nat(0x7fffffff),
  endpoint: fc.string({ unit: 'grapheme', maxLength: 60 }),
  p256dh: fc.uint8Array({ maxLength: 70 }).map((bytes) => Buffer.from(bytes)),
  auth: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
});

describe('the targets of a block', () => {
  it('round-trip, for any content of the fields', () => {
    fc.assert(
      fc.property(fc.array(someRow, { maxLength: 20 }), (given) => {
        expect(readAll(copyOf(given), everyBit())).toEqual(given);
      }),
    );
  });

  it('are read from a view that begins inside its buffer', () => {
    const whole = copyOf(rows);
    const shifted = new Uint8Array(whole.length + 7);
    shifted.set(whole, 7);
    expect(readAll(shifted.subarray(7), everyBit())).toEqual(rows);
  });

  it('leave out unselected rows, and keep the order of the others', () => {
    const given = [9, 3, 1_023, 4, 0].map((seq, at) => ({ ...(rows[at] as Row), seq: 2_048 + seq }));
    const wanted = emptyBitmap();
    for (const seq of [0, 9, 1_023]) setBit(wanted, seq);
    const bytes = copyOf(given);
    expect([...selectedSeqs(bytes, wanted)]).toEqual([2_057, 3_071, 2_048]);
    expect(readAll(bytes, wanted)).toEqual(given.filter(({ seq }) => hasBit(wanted, seq)));
  });

  it('may be empty', () => {
    expect(selectedSeqs(copyOf([]), everyBit())).toHaveLength(0);
  });

  it('are refused as a bug wherever the input was cut', () => {
    const bytes = copyOf(rows);
    for (let length = 0; length < bytes.length; length++) {
      expect(() => selectedSeqs(bytes.subarray(0, length), everyBit()), `${length} bytes`).toThrow(/COPY/);
    }
  });

  it('are refused when bytes follow the end, a field is NULL, or a row has another shape', () => {
    const bytes = copyOf(rows);
    const withTail = new Uint8Array([...bytes, 0]);
    const withNull = bytes.slice();
    withNull.set([0xff, 0xff, 0xff, 0xff], 19 + 2 + 8);
    const withFiveFields = bytes.slice();
    withFiveFields[20] = 5;
    const withInt8 = bytes.slice();
    withInt8[24] = 8;
    const withNegativeSeq = bytes.slice();
    withNegativeSeq[25] = 0x80;
    for (const broken of [withTail, withNull, withFiveFields, withInt8, withNegativeSeq]) {
      expect(() => selectedSeqs(broken, everyBit())).toThrow(/COPY/);
    }
  });

  it('never make the reader hang or read past the end, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (noise) => {
        const bytes = new Uint8Array([...copyOf([]).subarray(0, 19), ...noise]);
        try {
          selectedSeqs(bytes, everyBit());
        } catch (error) {
          expect((error as Error).message).toMatch(/COPY/);
        }
      }),
    );
  });
});
