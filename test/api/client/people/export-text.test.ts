import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { personText } from '../../../../api/client/people/export-text.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
/** All of a text. */
const piecesOf = async (text: AsyncIterable<string>): Promise<string[]> => {
  const pieces: string[] = [];
  for await (const piece of text) pieces.push(piece);
  return pieces;
};
const readStored = async (seqs: readonly number[]) => seqs.map((seq) => ({ id: seq + 1 }));

describe('the text of a person’s export', () => {
  it.each([
    [0, 0, 0],
    [1, 1, 0],
    [100, 1_000, 1_001],
    [101, 999, 2_500],
  ])('is the same JSON in pieces: %i subscriptions, %i attempts, %i events', async (stored, tried, seen) => {
    const attempts = numbers(tried).map((at) => ({ at, outcome: 'accepted' }));
    const events = numbers(seen).map((at) => ({ at, type: 'a "quoted" one' }));
    const pieces = await piecesOf(personText({ seqs: numbers(stored), readStored, attempts, events }));
    expect(JSON.parse(pieces.join(''))).toEqual({
      data: { subscriptions: await readStored(numbers(stored)), attempts, events },
    });
    // No piece is more than a part of it.
    for (const piece of pieces) expect(piece.split('"at"').length - 1).toBeLessThanOrEqual(1_000);
  });

  it('reads no further than its client has taken', async () => {
    const asked: number[] = [];
    const read = (seqs: readonly number[]) => {
      asked.push(seqs.length);
      return readStored(seqs);
    };
    const text = personText({ seqs: numbers(1_000), readStored: read, attempts: [], events: [] });
    await text.next();
    expect(asked).toEqual([]);
    await text.next();
    expect(asked).toEqual([100]);
  });

  it('breaks off where a read fails, and is no whole text then', async () => {
    const failing = (seqs: readonly number[]) =>
      seqs[0] === 100 ? Promise.reject(new Error('away')) : readStored(seqs);
    const stream = Readable.from(
      personText({ seqs: numbers(300), readStored: failing, attempts: [], events: [] }),
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
      personText({ seqs: numbers(150), readStored: some, attempts: [], events: [] }),
    );
    expect(JSON.parse(pieces.join('')).data.subscriptions).toHaveLength(50);
  });
});
