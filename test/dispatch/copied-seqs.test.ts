// tier: postgres
import { afterAll, describe, expect, it } from 'vitest';
import { countBits, hasBit } from '../../engine/contract/bitmap.ts';
import { copiedSeqs } from '../../engine/dispatch/copied-seqs.ts';
import { createTestDatabase } from '../support/postgres.ts';

describe('reading which targets a COPY holds', async () => {
  const test = await createTestDatabase();
  afterAll(() => test.drop());

  it('finds the seq of every row Postgres wrote, nulls and long fields included', async () => {
    const copy = await test.database.copyOut(
      `COPY (SELECT (2048 + n * 3)::int4, repeat('x', n), NULL::bytea, '\\x00'::bytea FROM generate_series(0, 300) n)
       TO STDOUT (FORMAT binary)`,
      1e7,
    );
    const seqs = copiedSeqs(copy);
    expect(countBits(seqs)).toBe(301);
    expect([0, 1, 2, 3].map((offset) => hasBit(seqs, 2_048 + offset))).toEqual([true, false, false, true]);
  });

  it('finds none in an empty COPY', async () => {
    const copy = await test.database.copyOut(
      `COPY (SELECT 1::int4 WHERE false) TO STDOUT (FORMAT binary)`,
      1_000,
    );
    expect(countBits(copiedSeqs(copy))).toBe(0);
  });

  it('refuses bytes that end too early', () => {
    expect(() => copiedSeqs(new Uint8Array(20))).toThrow(RangeError);
  });
});
