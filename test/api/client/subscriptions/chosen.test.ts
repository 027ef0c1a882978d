// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Chosen, chosenOf } from '../../../../api/client/subscriptions/chosen.ts';

const textOf = (seqs: readonly number[]): string => `{${seqs.join()}}`;
const seqsOf = ({ map }: Chosen): number[] =>
  [...map.entries()].flatMap(([seq, is]) => (is === 1 ? [seq] : []));
const ascending = (seqs: Iterable<number>): number[] => [...seqs].toSorted((a, b) => a - b);
const seqs = fc.array(fc.nat(5_000));

describe('the subscribers of a list', () => {
  it('are each of it once, and of another list alone where one is given', async () => {
    await fc.assert(
      fc.asyncProperty(seqs, seqs, async (some, others) => {
        const all = await chosenOf(textOf(some), null);
        expect([seqsOf(all), all.total]).toEqual([ascending(new Set(some)), new Set(some).size]);
        const both = ascending(new Set(some.filter((seq) => others.includes(seq))));
        const narrowed = await chosenOf(textOf(others), all);
        expect([seqsOf(narrowed), narrowed.total]).toEqual([both, both.length]);
      }),
    );
  });

  it('are read in pieces where they are many, so that others have their turn', async () => {
    const many = Array.from({ length: 300_000 }, (_, index) => index * 3);
    let turns = 0;
    const timer = setInterval(() => turns++);
    const { map, total } = await chosenOf(textOf(many), null);
    clearInterval(timer);
    expect([total, map[3], map[4], map[899_997]]).toEqual([300_000, 1, 0, 1]);
    expect(turns).toBeGreaterThan(1);
  });
});
