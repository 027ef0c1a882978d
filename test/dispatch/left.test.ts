// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isHeldBack, type Left, leftOfTried, merge, noneLeft } from '../../engine/dispatch/left.ts';

const HOURS = 4 * 3_600_000;

const pauses = [1, 2].map((channel) => ({ channel, service: 'fcm', status: 403, text: 'no' }) as const);
const anyLeft: fc.Arbitrary<Left> = fc.record({
  later: fc.nat(1_024),
  budgeted: fc.record({ fcm: fc.nat(1_024), mozilla: fc.nat(1_024) }, { requiredKeys: [] }),
  onProbation: fc.nat(1_024),
  heldBack: fc.boolean(),
  retryAfterMs: fc.option(fc.oneof(fc.constant(0), fc.nat(120_000), fc.nat(HOURS))),
  overBudget: fc.boolean(),
  pause: fc.option(fc.constantFrom(...pauses)),
  failed: fc.boolean(),
});

describe('what runs leave, merged', () => {
  it('is the same in whatever order the runs end, except for which of two pauses is shown', () => {
    fc.assert(
      fc.property(anyLeft, anyLeft, anyLeft, (a, b, c) => {
        expect(merge(a, merge(b, c))).toEqual(merge(merge(a, b), c));
        expect({ ...merge(b, a), pause: null }).toEqual({ ...merge(a, b), pause: null });
        expect(merge(a, b).pause).toBe(a.pause ?? b.pause);
      }),
    );
  });

  it('is what the one leaves where the other leaves nothing', () => {
    fc.assert(
      fc.property(anyLeft, (left) => {
        expect(merge(noneLeft, left)).toEqual(left);
        expect(merge(left, noneLeft)).toEqual(left);
      }),
    );
  });

  it('loses nobody and no reason to wait', () => {
    fc.assert(
      fc.property(fc.array(anyLeft, { minLength: 1, maxLength: 8 }), (several) => {
        const merged = several.reduce(merge, noneLeft);
        const sumOf = (count: (left: Left) => number): number =>
          several.reduce((sum, left) => sum + count(left), 0);
        expect(merged.later).toBe(sumOf(({ later }) => later));
        expect(merged.onProbation).toBe(sumOf(({ onProbation }) => onProbation));
        expect(merged.budgeted.fcm ?? 0).toBe(sumOf(({ budgeted }) => budgeted.fcm ?? 0));
        expect(isHeldBack(merged)).toBe(several.some(isHeldBack));
        expect(merged.failed).toBe(several.some(({ failed }) => failed));
        expect(merged.overBudget).toBe(several.some(({ overBudget }) => overBudget));
        const waits = several.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
        expect(merged.retryAfterMs === null).toBe(waits.length === 0);
        if (merged.retryAfterMs === null) return;
        expect(merged.retryAfterMs).toBeGreaterThanOrEqual(Math.min(...waits));
        expect(merged.retryAfterMs).toBeLessThanOrEqual(Math.max(...waits));
      }),
    );
  });

  it('waits no longer than a minute for a push service that asks for hours, where others are left too', () => {
    const waitOf = (...waits: readonly (number | null)[]): number | null =>
      waits.map((retryAfterMs) => ({ ...noneLeft, retryAfterMs })).reduce(merge, noneLeft).retryAfterMs;
    expect(waitOf(HOURS, 0)).toBe(60_000);
    expect(waitOf(0, HOURS, HOURS)).toBe(60_000);
    expect(waitOf(HOURS, HOURS / 2)).toBe(HOURS / 2);
    expect(waitOf(5_000, 30_000)).toBe(30_000);
    // Nobody is left of the run that waits for nothing.
    expect(waitOf(HOURS, null)).toBe(HOURS);
  });

  it('keeps of a step what those who were tried wait for, where the next step is over the others', () => {
    fc.assert(
      fc.property(anyLeft, anyLeft, (step, next) => {
        const both = merge(leftOfTried(step), next);
        expect(both).toMatchObject({ later: next.later, budgeted: next.budgeted, heldBack: next.heldBack });
        expect(both.pause).toBe(step.pause ?? next.pause);
        expect(both.failed).toBe(step.failed || next.failed);
        if (step.retryAfterMs !== null && next.retryAfterMs === null)
          expect(both.retryAfterMs).toBe(step.retryAfterMs);
      }),
    );
  });
});
