// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { publishApart, RecordsRefused } from '../../engine/contract/records-refused.ts';

const tooLarge = new Error('too large');

/** One call to a log that refuses some records, and requests of more than so many. */
async function play(records: readonly number[], isBad: (record: number) => boolean, mostTogether: number) {
  const held = new Set<number>();
  let requests = 0;
  const publish = async (part: readonly number[]): Promise<void> => {
    requests++;
    if (part.length > mostTogether || part.some(isBad)) throw tooLarge;
    for (const one of part) held.add(one);
  };
  const known = (indexes: readonly number[]): number[] => indexes.flatMap((index) => records[index] ?? []);
  try {
    await publishApart(records, publish, (error) => error === tooLarge);
    return { held, requests, refused: [], untried: [] };
  } catch (error) {
    if (!(error instanceof RecordsRefused)) throw error;
    return { held, requests, refused: known(error.indexes), untried: known(error.untried) };
  }
}

describe('records of which the log refuses some', () => {
  it('are held, named as refused or left for another call, of which few take any number of them', async () => {
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 600 }),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 600 }),
      async (count, every, mostTogether) => {
        const isBad = (record: number): boolean => record % every === 0;
        let left = Array.from({ length: count }, (_, record) => record);
        for (let calls = 0; left.length > 0; calls++) {
          const { held, requests, refused, untried } = await play(left, isBad, mostTogether);
          expect(requests).toBeLessThanOrEqual(48);
          expect(refused.every(isBad)).toBe(true);
          // Each is one of the three, and every call brings some further.
          expect([...held, ...refused, ...untried].toSorted((a, b) => a - b)).toEqual(left);
          expect(untried.length).toBeLessThan(left.length);
          expect(calls).toBeLessThan(count / 10 + 1);
          left = untried;
        }
      },
    );
    await fc.assert(property, { numRuns: 20 });
  });

  it('end a call with any other error at once', async () => {
    const away = new Error('away');
    const publish = (): Promise<void> => Promise.reject(away);
    await expect(publishApart([1, 2, 3], publish, (error) => error === tooLarge)).rejects.toBe(away);
  });
});
