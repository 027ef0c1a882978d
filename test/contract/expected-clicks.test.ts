// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BlockHistory,
  countUntil,
  HALF_LIFE_DAYS,
  LAST_ROUND,
  rankReaders,
  roundOf,
  weightAt,
} from '../../engine/contract/expected-clicks.ts';

const counts = fc.record({ clicks: fc.double({ min: 0, max: 60, noNaN: true }), sent: fc.nat(400) });
const histories = fc.array(counts, { minLength: 1, maxLength: 40 });
const historyOf = (readers: readonly { clicks: number; sent: number; seen?: number }[]): BlockHistory => ({
  seqs: Uint32Array.from(readers.keys()),
  clicks: readers.map(({ clicks }) => clicks),
  sent: readers.map(({ sent }) => sent),
  seen: readers.map(({ seen = 0 }) => seen),
});

describe('the order of readers by expected clicks', () => {
  it('has each reader once, the most probable click first, and no rate that cannot be', () => {
    fc.assert(
      fc.property(histories, (readers) => {
        const { order, rates } = rankReaders(historyOf(readers));
        expect([...order].toSorted((a, b) => a - b)).toEqual([...readers.keys()]);
        expect([...rates]).toEqual([...rates].toSorted((a, b) => b - a));
        for (const rate of rates) expect(rate > 0 && rate <= 1).toBe(true);
      }),
    );
  });

  it('leaves readers with the same history as they come: those who were active last first', () => {
    const { order } = rankReaders(historyOf(Array(100).fill({ clicks: 1, sent: 20 })));
    expect([...order]).toEqual([...order.keys()]);
  });

  it('puts a newcomer between those who click more than their block does, and those who click less', () => {
    const { order } = rankReaders(
      historyOf([
        { clicks: 0, sent: 40 },
        { clicks: 0, sent: 0 },
        { clicks: 12, sent: 40 },
      ]),
    );
    expect([...order]).toEqual([2, 1, 0]);
  });

  it('sends to who was here lately rounds before who was away for long, where nobody has a history', () => {
    const { order, rates } = rankReaders(
      historyOf([
        { clicks: 0, sent: 0, seen: weightAt(60) },
        { clicks: 0, sent: 0, seen: weightAt(0) },
      ]),
    );
    expect([...order]).toEqual([1, 0]);
    const [first = 0, last = 0] = [...rates].map(roundOf);
    expect(last - first).toBeGreaterThanOrEqual(2);
  });

  it('believes nobody who reports more clicks than were sent', () => {
    const honest = rankReaders(
      historyOf([
        { clicks: 10, sent: 10 },
        { clicks: 2, sent: 40 },
      ]),
    );
    const inventing = rankReaders(
      historyOf([
        { clicks: 1e9, sent: 10 },
        { clicks: 2, sent: 40 },
      ]),
    );
    expect(inventing).toEqual(honest);
  });

  it('counts half after each half-life, and a clock that was set back as now', () => {
    expect([0, 1, 2].map((lives) => weightAt(lives * HALF_LIFE_DAYS))).toEqual([1, 0.5, 0.25]);
    expect(weightAt(-3)).toBe(1);
  });

  it('gives every rate a round, a lower rate no earlier one, and everybody the last', () => {
    const rates = fc.double({ min: 1e-9, max: 1, noNaN: true });
    fc.assert(
      fc.property(rates, rates, (one, other) => {
        expect(roundOf(Math.min(one, other))).toBeGreaterThanOrEqual(roundOf(Math.max(one, other)));
        expect(Number.isInteger(roundOf(one)) && roundOf(one) >= 0 && roundOf(one) <= LAST_ROUND).toBe(true);
      }),
    );
    fc.assert(
      fc.property(histories, fc.nat(LAST_ROUND), (readers, round) => {
        const ranked = rankReaders(historyOf(readers));
        expect(countUntil(ranked, LAST_ROUND)).toBe(readers.length);
        const first = ranked.rates.slice(0, countUntil(ranked, round));
        expect(first.every((rate) => roundOf(rate) <= round)).toBe(true);
      }),
    );
  });
});
