// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide, type VariantCount } from '../../../engine/campaigns/rules/decide.ts';
import { cases } from '../../support/cases.ts';
import {
  createDraws,
  gridDifferenceBelow,
  gridProbabilities,
  logFactorial,
  probabilityAbove,
  probabilityBelow,
} from './beta-model.ts';

const rule = { confidence: 0.95, minAccepted: 100 };
const of = (...pairs: readonly (readonly [clicked: number, accepted: number])[]): VariantCount[] =>
  pairs.map(([clicked, accepted]) => ({ clicked, accepted }));
const chances = (counts: readonly VariantCount[]): number[] =>
  decide(counts, rule).variants.map(({ probabilityBest }) => probabilityBest);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Small counts and large ones alike, with every share of clicks. */
const count = fc
  .tuple(fc.constantFrom(0, 1, 7, 100, 3_000, 250_000, 5_000_000), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([accepted, share]) => ({ accepted, clicked: Math.round(accepted * share ** 3) }));
const counts = fc.array(count, { minLength: 2, maxLength: 10 });
const property = (of: (variants: VariantCount[]) => void) =>
  fc.assert(fc.property(counts, of), { numRuns: cases(15, 500) });

describe('the probability to be the best', () => {
  it('is, for two variants, the sum of the closed form', () => {
    const pairs = [
      of([0, 0], [0, 0]),
      of([1, 10], [2, 10]),
      of([50, 1_000], [70, 1_000]),
      of([0, 100], [0, 1_000]),
      of([100, 100], [99, 100]),
      of([0, 5_000_000], [1, 5_000_000]),
      of([0, 5_000_000], [0, 0]),
      of([3, 20], [25_000, 5_000_000]),
      of([25_000, 5_000_000], [25_300, 5_000_000]),
      of([25_000, 5_000_000], [26_000, 5_000_000]),
      of([5_000_000, 5_000_000], [10, 10]),
    ];
    for (const [one, other] of pairs) {
      if (one === undefined || other === undefined) throw new Error('a pair has two');
      // The sum has a term a click.
      const above =
        other.clicked > 1_000_000 ? 1 - probabilityAbove(other, one) : probabilityAbove(one, other);
      expect(chances([one, other])[1], JSON.stringify([one, other])).toBeCloseTo(above, 5);
    }
  });

  it('is that of a fine grid for up to ten', () => {
    const many = of(
      [3, 50],
      [5, 60],
      [9, 70],
      [4, 40],
      [0, 0],
      [1, 5],
      [12, 100],
      [30, 300],
      [2, 20],
      [8, 80],
    );
    for (const variants of [many.slice(0, 3), many]) {
      const expected = gridProbabilities(variants);
      const actual = chances(variants);
      expect(sum(expected)).toBeCloseTo(1, 4);
      for (const [index, each] of expected.entries()) expect(actual[index]).toBeCloseTo(each, 4);
    }
  });

  it('is the same for equal counts', () => {
    for (const variants of [2, 3, 7, 10])
      for (const each of of([0, 0], [0, 5_000_000], [5_000_000, 5_000_000], [25_000, 5_000_000], [3, 40]))
        for (const chance of chances(Array.from({ length: variants }, () => each)))
          expect(chance).toBeCloseTo(1 / variants, 6);
  });

  it('sums to 1, and belongs to the variant wherever it stands', () => {
    property((variants) => {
      const found = chances(variants);
      expect(sum(found)).toBeCloseTo(1, 9);
      for (const chance of found) expect(chance).toBeGreaterThanOrEqual(0);
      const turned = chances([...variants.slice(1), ...variants.slice(0, 1)]);
      expect(turned.at(-1)).toBeCloseTo(found[0] ?? Number.NaN, 6);
      expect(decide(variants, rule)).toEqual(decide(variants, rule));
    });
  });

  it('rises with the clicks of a variant, and falls for the others', () => {
    property((variants) => {
      const [first, ...others] = variants;
      if (first === undefined || first.clicked === first.accepted) return;
      const more = { ...first, clicked: Math.min(first.accepted, Math.ceil(first.clicked * 1.02) + 1) };
      const [before, after] = [chances(variants), chances([more, ...others])];
      expect(after[0]).toBeGreaterThanOrEqual((before[0] ?? 1) - 1e-6);
      for (const index of others.keys())
        expect(after[index + 1]).toBeLessThanOrEqual((before[index + 1] ?? 0) + 1e-6);
    });
  });

  it('is certain where one has all clicks and the other none of millions', () => {
    expect(chances(of([0, 5_000_000], [5_000_000, 5_000_000]))[1]).toBeCloseTo(1, 9);
    expect(chances(of([5_000_000, 5_000_000], [0, 5_000_000], [0, 0]))[2]).toBeCloseTo(0, 5);
  });
});

describe('the interval of a rate', () => {
  it('has 2.5 % below it and 2.5 % above', () => {
    for (const each of of([0, 1], [1, 2], [3, 40], [50, 1_000], [999, 1_000], [25_000, 5_000_000])) {
      const [low = 0, high = 1] = decide([each], rule).variants[0]?.interval ?? [];
      expect(probabilityBelow(each, low), JSON.stringify(each)).toBeCloseTo(0.025, 6);
      expect(probabilityBelow(each, high), JSON.stringify(each)).toBeCloseTo(0.975, 6);
    }
  });

  it('has the closed form of no clicks, and of nothing but clicks', () => {
    for (const accepted of [1, 9, 100, 5_000_000]) {
      const low = -Math.expm1(Math.log(0.975) / (accepted + 1));
      const high = -Math.expm1(Math.log(0.025) / (accepted + 1));
      const [none, all] = decide(of([0, accepted], [accepted, accepted]), rule).variants;
      expect((none?.interval?.[0] ?? 0) / low).toBeCloseTo(1, 5);
      expect((none?.interval?.[1] ?? 0) / high).toBeCloseTo(1, 5);
      expect((1 - (all?.interval?.[1] ?? 0)) / low).toBeCloseTo(1, 5);
      expect((1 - (all?.interval?.[0] ?? 0)) / high).toBeCloseTo(1, 5);
    }
    // As tables of Clopper and Pearson have it for 0 of 10, whose upper end is the same quantile.
    expect(decide(of([0, 9]), rule).variants[0]?.interval?.[1]).toBeCloseTo(0.3085, 4);
  });

  it('is not given without accepted messages, as no rate is', () => {
    expect(decide(of([0, 0], [2, 8]), rule).variants).toMatchObject([
      { accepted: 0, clicked: 0, rate: null, interval: null },
      { accepted: 8, clicked: 2, rate: 0.25 },
    ]);
  });
});

describe('the difference of the best two', () => {
  it('has 2.5 % below it and 2.5 % above', () => {
    // By posterior mean the last is the best and the first the second.
    const variants = of([30, 300], [5, 200], [50, 400]);
    const [low, high] = decide(variants, rule).difference ?? [Number.NaN, Number.NaN];
    const [second, , best] = variants;
    if (best === undefined || second === undefined) throw new Error('there are three');
    expect(gridDifferenceBelow(best, second, low)).toBeCloseTo(0.025, 4);
    expect(gridDifferenceBelow(best, second, high)).toBeCloseTo(0.975, 4);
  });

  it('has the closed form of two rates of which nothing is known', () => {
    const end = 1 - Math.sqrt(0.05);
    const [low, high] = decide(of([0, 0], [0, 0]), rule).difference ?? [];
    expect(low).toBeCloseTo(-end, 6);
    expect(high).toBeCloseTo(end, 6);
  });

  it('is that of normal distributions for millions', () => {
    const [low, high] = decide(of([25_000, 5_000_000], [26_000, 5_000_000]), rule).difference ?? [];
    const deviation = Math.sqrt((0.005 * 0.995 + 0.0052 * 0.9948) / 5_000_000);
    expect(((low ?? 0) - 0.0002) / deviation).toBeCloseTo(-1.96, 2);
    expect(((high ?? 0) - 0.0002) / deviation).toBeCloseTo(1.96, 2);
  });

  it('needs two', () => {
    expect(decide(of([1, 10]), rule).difference).toBeNull();
    expect(decide([], rule)).toEqual({ winner: null, reason: 'too-few', variants: [], difference: null });
  });
});

describe('a decision', () => {
  const endingOf = (variants: readonly VariantCount[], confidence = 0.95) => {
    const { winner, reason } = decide(variants, { confidence, minAccepted: 100 });
    return { winner, reason };
  };

  it('names the variant that is the best with enough confidence', () => {
    expect(endingOf(of([26_000, 5_000_000], [25_000, 5_000_000]))).toEqual({ winner: 0, reason: 'decided' });
    expect(endingOf(of([10, 1_000], [12, 1_000], [40, 1_000]))).toEqual({ winner: 2, reason: 'decided' });
    expect(endingOf(of([50, 1_000], [70, 1_000]), 0.969)).toEqual({ winner: 1, reason: 'decided' });
  });

  it('names none where they are close', () => {
    expect(endingOf(of([50, 1_000], [70, 1_000]), 0.971)).toEqual({ winner: null, reason: 'too-close' });
    expect(endingOf(of([0, 1_000], [0, 1_000]))).toEqual({ winner: null, reason: 'too-close' });
  });

  it('names none where one of them has too few', () => {
    expect(endingOf(of([99, 99], [0, 100]))).toEqual({ winner: null, reason: 'too-few' });
    expect(endingOf(of([100, 100], [0, 100]))).toEqual({ winner: 0, reason: 'decided' });
    expect(endingOf(of([500, 1_000], [10, 1_000], [0, 0]))).toEqual({ winner: null, reason: 'too-few' });
  });

  it('counts no more clicks than accepted messages', () => {
    expect(decide(of([130, 120], [0, 120]), rule)).toEqual(decide(of([120, 120], [0, 120]), rule));
  });

  it('names a winner among two equal variants in 10 % of tests at most', () => {
    const [accepted, rate] = [cases(100, 1_000), 0.05];
    const isFirst = (one: number, other: number) =>
      decide(of([one, accepted], [other, accepted]), { ...rule, minAccepted: 0 }).winner === 0;
    const chanceOf = (k: number) =>
      Math.exp(
        logFactorial(accepted) -
          logFactorial(k) -
          logFactorial(accepted - k) +
          k * Math.log(rate) +
          (accepted - k) * Math.log1p(-rate),
      );
    let named = 0;
    // All outcomes but the rarest. With more clicks the first beats all that it beat before.
    for (let one = 0, beaten = 0; one < accepted * rate * 3; one++) {
      while (isFirst(one, beaten)) beaten++;
      for (let other = 0; other < beaten; other++) named += 2 * chanceOf(one) * chanceOf(other);
    }
    expect(named).toBeGreaterThan(0.05);
    expect(named).toBeLessThan(0.105);
  });

  it('names one among five equal variants even less', () => {
    const draw = createDraws(20_261_123);
    const tests = Array.from({ length: cases(40, 1_000) }, () =>
      decide(
        Array.from({ length: 5 }, () => draw(1_000, 0.03)),
        rule,
      ),
    );
    const named = tests.filter(({ winner }) => winner !== null).length;
    expect(named / tests.length).toBeLessThan(0.08);
  });
});
