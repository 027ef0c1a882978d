// tier: unit
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { personText, ROWS_PER_PIECE } from '../../../../api/client/people/export-text.ts';
import { takenInTime } from '../../../../api/client/people/in-time.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const seqsOf = (count: number): Int32Array => Int32Array.from(numbers(count));
/** All of a text. */
const piecesOf = async (text: AsyncIterable<string>): Promise<string[]> => {
  const pieces: string[] = [];
  for await (const piece of text) pieces.push(piece);
  return pieces;
};
const readStored = async (seqs: readonly number[]) => seqs.map((seq) => ({ id: seq + 1 }));
const none = async () => [];
/** Of each subscription so many rows. */
const rowsOf =
  (each: number) =>
  async (seqs: readonly number[], { limit, offset }: { readonly limit: number; readonly offset: number }) =>
    seqs
      .flatMap((seq) => numbers(each).map((at) => ({ seq, at, type: 'a "quoted" one' })))
      .slice(offset, offset + limit);

describe('the text of a person’s export', () => {
  it.each([
    [0, 0, 0],
    [1, 1, 0],
    [100, 1, 12],
    [101, 60, 70],
    [2_500, 4, 5],
  ])(
    'is the same JSON in pieces: %i subscriptions, each with %i attempts and %i events',
    async (stored, tried, seen) => {
      const parts = {
        seqs: seqsOf(stored),
        readStored,
        readAttempts: rowsOf(tried),
        readEvents: rowsOf(seen),
      };
      const pieces = await piecesOf(personText(parts));
      const { data } = JSON.parse(pieces.join(''));
      expect(data.subscriptions).toEqual(await readStored(numbers(stored)));
      const allOf = (each: number) =>
        rowsOf(each)(numbers(stored), { limit: Number.MAX_SAFE_INTEGER, offset: 0 });
      expect(data.attempts).toEqual(await allOf(tried));
      expect(data.events).toEqual(await allOf(seen));
      // No piece is more than a part of it.
      for (const piece of pieces) expect(piece.split('"at"').length - 1).toBeLessThanOrEqual(ROWS_PER_PIECE);
    },
  );

  it('reads no further than its client has taken', async () => {
    const asked: number[] = [];
    const read = (seqs: readonly number[]) => {
      asked.push(seqs.length);
      return readStored(seqs);
    };
    const text = personText({ seqs: seqsOf(1_000), readStored: read, readAttempts: none, readEvents: none });
    await text.next();
    expect(asked).toEqual([]);
    await text.next();
    expect(asked).toEqual([100]);
  });

  it('breaks off where a read fails, and is no whole text then', async () => {
    const failing = (seqs: readonly number[]) =>
      seqs[0] === 100 ? Promise.reject(new Error('away')) : readStored(seqs);
    const stream = Readable.from(
      personText({ seqs: seqsOf(300), readStored: failing, readAttempts: none, readEvents: none }),
    );
    const taken: string[] = [];
    await expect(
      (async () => {
        for await (const piece of stream) taken.push(String(piece));
      })(),
    ).rejects.toThrow('away');
    expect(() => JSON.parse(taken.join(''))).toThrow();
  });

  it('leaves out who went while it was sent', async () => {
    const some = async (seqs: readonly number[]) => (seqs[0] === 0 ? [] : readStored(seqs));
    const pieces = await piecesOf(
      personText({ seqs: seqsOf(150), readStored: some, readAttempts: none, readEvents: none }),
    );
    expect(JSON.parse(pieces.join('')).data.subscriptions).toHaveLength(50);
  });

  it('is given up where its client takes nothing for too long, and not for its length', async () => {
    const slowly = async function* () {
      for (const piece of ['a', 'b', 'c']) {
        await setTimeout(30);
        yield piece;
      }
    };
    const givenUp: string[] = [];
    const giveUp = (error: Error): void => void givenUp.push(error.message);
    expect(await piecesOf(takenInTime(slowly(), 25, giveUp))).toEqual(['a', 'b', 'c']);
    expect(givenUp).toEqual([]);
    const stalled = takenInTime(slowly(), 25, giveUp);
    await stalled.next();
    await setTimeout(60);
    expect(givenUp).toEqual(['a person’s export was not taken in time']);
  });
});
