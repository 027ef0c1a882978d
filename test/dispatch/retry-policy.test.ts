// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideRetry, validUntilMs } from '../../engine/dispatch/retry-policy.ts';

const options = { maxAttempts: 5, baseMs: 1_000, maxMs: 60_000 };
const ended = { attempt: 1, retryAfterMs: 0, acceptedAtMs: 0, ttlSeconds: 3_600, expiresAtMs: null };

describe('the retry policy', () => {
  it('waits up to the base after the first attempt and doubles from there', () => {
    expect(decideRetry(ended, options, 0, () => 0.5)).toEqual({ kind: 'retry', delayMs: 500 });
    expect(decideRetry({ ...ended, attempt: 3 }, options, 0, () => 0.5)).toEqual({
      kind: 'retry',
      delayMs: 2_000,
    });
  });

  it('never retries before the push service’s Retry-After', () => {
    const asked = { ...ended, retryAfterMs: 30_000 };
    expect(decideRetry(asked, options, 0, () => 0)).toEqual({ kind: 'retry', delayMs: 30_000 });
  });

  it('stops when the next attempt would come after the TTL, and after the one attempt of a TTL of 0', () => {
    const late = decideRetry({ ...ended, ttlSeconds: 10 }, options, 9_900, () => 0.9);
    expect(late).toEqual({ kind: 'give-up', reason: 'ttl-ended' });
    expect(decideRetry({ ...ended, ttlSeconds: 0 }, options, 0, () => 0).kind).toBe('give-up');
  });

  it('stops when the next attempt would come after the delivery has expired, though its TTL lasts', () => {
    const late = decideRetry({ ...ended, expiresAtMs: 10_000 }, options, 9_900, () => 0.9);
    expect(late).toEqual({ kind: 'give-up', reason: 'ttl-ended' });
    expect(decideRetry({ ...ended, expiresAtMs: 10_000 }, options, 0, () => 0).kind).toBe('retry');
  });

  it('stops when the attempts are used up', () => {
    const last = decideRetry({ ...ended, attempt: 5 }, options, 0, () => 0);
    expect(last).toEqual({ kind: 'give-up', reason: 'attempts-used-up' });
  });

  it('keeps every delay within the bound above the requested one', () => {
    const attempts = fc.integer({ min: 1, max: 4 });
    fc.assert(
      fc.property(
        attempts,
        fc.integer({ min: 0, max: 100_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempt, retryAfterMs, random) => {
          const decision = decideRetry({ ...ended, attempt, retryAfterMs }, options, 0, () => random);
          if (decision.kind !== 'retry') throw new Error('must retry');
          expect(decision.delayMs).toBeGreaterThanOrEqual(retryAfterMs);
          expect(decision.delayMs).toBeLessThanOrEqual(retryAfterMs + options.maxMs);
        },
      ),
    );
  });
});

describe('the retry policy of held back targets', () => {
  it('counts no attempts where a push service had to be left alone: the TTL alone ends it', () => {
    const held = { ...ended, attempt: 50, heldBack: true };
    expect(decideRetry(held, options, 0, () => 0).kind).toBe('retry');
    expect(decideRetry({ ...held, retryAfterMs: 3_600_000 }, options, 0, () => 0)).toEqual({
      kind: 'give-up',
      reason: 'ttl-ended',
    });
  });

  it('waits for up to the longest time at once where the delivery’s budget is used up', () => {
    const over = { ...ended, overBudget: true };
    expect(decideRetry(over, options, 0, () => 0.5)).toEqual({ kind: 'retry', delayMs: 30_000 });
  });

  it('ends first attempts too with the TTL or the expiry, but lets a TTL of 0 have its one', () => {
    expect(validUntilMs(ended)).toBe(3_600_000);
    expect(validUntilMs({ ...ended, expiresAtMs: 1_000 })).toBe(1_000);
    expect(validUntilMs({ ...ended, ttlSeconds: 0 })).toBeNull();
    expect(validUntilMs({ ...ended, ttlSeconds: 0, expiresAtMs: 1_000 })).toBe(1_000);
  });
});
