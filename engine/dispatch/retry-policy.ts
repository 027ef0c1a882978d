/** When a target that was not settled may be tried again. */
export interface RetryOptions {
  /** Attempts at a shard before its rest is given up. */
  readonly maxAttempts: number;
  readonly baseMs: number;
  readonly maxMs: number;
}

export interface AttemptEnded {
  /** 1 after the first attempt. */
  readonly attempt: number;
  /** Longest Retry-After a push service answered; 0 where none did. */
  readonly retryAfterMs: number;
  readonly acceptedAtMs: number;
  readonly ttlSeconds: number;
  /** Null: the TTL alone decides. */
  readonly expiresAtMs: number | null;
}

export type RetryDecision =
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'give-up'; readonly reason: 'ttl-ended' | 'attempts-used-up' };

/**
 * Exponential back-off with full jitter (AWS Architecture Blog, "Exponential Backoff And Jitter"), never
 * earlier than the push service asked, never past the end of the TTL or the delivery's expiry.
 */
export function decideRetry(
  ended: AttemptEnded,
  options: RetryOptions,
  nowMs: number,
  random: () => number,
): RetryDecision {
  if (ended.attempt >= options.maxAttempts) return { kind: 'give-up', reason: 'attempts-used-up' };
  const ceilingMs = Math.min(options.maxMs, options.baseMs * 2 ** (ended.attempt - 1));
  const delayMs = Math.round(ended.retryAfterMs + random() * ceilingMs);
  const ttlEndsAtMs = ended.acceptedAtMs + ended.ttlSeconds * 1_000;
  const endsAtMs = Math.min(ttlEndsAtMs, ended.expiresAtMs ?? Number.POSITIVE_INFINITY);
  if (nowMs + delayMs >= endsAtMs) return { kind: 'give-up', reason: 'ttl-ended' };
  return { kind: 'retry', delayMs };
}
