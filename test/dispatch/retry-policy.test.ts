import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideRetry } from '../../engine/dispatch/retry-policy.ts';

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

  it('never comes back before the push service asked for', () => {
    const asked = { ...ended, retryAfterMs: 30_000 };
    expect(decideRetry(asked, options, 0, () => 0)).toEqual({ kind: 'retry', delayMs: 30_000 });
  });

  it('gives up when the next attempt would come after the TTL, and when a TTL of 0 allowed one only', () => {
    const late = decideRetry({ ...ended, ttlSeconds: 10 }, options, 9_900, () => 0.9);
    expect(late).toEqual({ kind: 'give-up', reason: 'ttl-ended' });
    expect(decideRetry({ ...ended, ttlSeconds: 0 }, options, 0, () => 0).kind).toBe('give-up');
  });

  it('gives up when the next attempt would come after the delivery has expired, though its TTL lasts', () => {
    const late = decideRetry({ ...ended, expiresAtMs: 10_000 }, options, 9_900, () => 0.9);
    expect(late).toEqual({ kind: 'give-up', reason: 'ttl-ended' });
    expect(decideRetry({ ...ended, expiresAtMs: 10_000 }, options, 0, () => 0).kind).toBe('retry');
  });

  it('gives up when the attempts are used up', () => {
    const last = decideRetry({ ...ended, attempt: 5 }, options, 0, () => 0);
    expect(last).toEqual({ kind: 'give-up', reason: 'attempts-used-up' });
  });

  it('keeps every delay within the bound above what was asked for', () => {
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
