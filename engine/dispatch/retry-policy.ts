import { backOffMs } from '../contract/concurrency/back-off.ts';

/** When a target that was not settled may be tried again. */
export interface RetryOptions {
  /** Attempts at a shard before the rest is settled as failed. */
  readonly maxAttempts: number;
  readonly baseMs: number;
  readonly maxMs: number;
}

export interface AttemptEnded {
  /** 1 after the first attempt. */
  readonly attempt: number;
  /** Longest Retry-After a push service answered; 0 or null where none did. */
  readonly retryAfterMs: number | null;
  readonly acceptedAtMs: number;
  readonly ttlSeconds: number;
  /** Null: the TTL alone decides. */
  readonly expiresAtMs: number | null;
  /** Not all that remained was tried: the limit of attempts does not apply. */
  readonly heldBack?: boolean;
  /** The delivery's retry budget is used up: the back-off is the longest one. */
  readonly overBudget?: boolean;
}

export type RetryDecision =
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'give-up'; readonly reason: 'ttl-ended' | 'attempts-used-up' };

/** Engines that died under it are no attempts: an operator may kill any process, and every subscriber is served. */
export const triesOf = ({
  attempt,
  lostLeases,
}: {
  readonly attempt: number;
  readonly lostLeases: number;
}): number => attempt - lostLeases;

/** Longer than this, targets of one push service do not make those of others wait: its channel is paused all the same. */
const LONGEST_SHARED_MS = 60_000;

/** Of two waits asked for by push services that targets are left of, the one after which a shard is tried again. */
export const sharedWaitMs = (one: number, other: number): number =>
  Math.max(Math.min(Math.max(one, other), LONGEST_SHARED_MS), Math.min(one, other));

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
  if (!ended.heldBack && ended.attempt >= options.maxAttempts)
    return { kind: 'give-up', reason: 'attempts-used-up' };
  const ceilingMs = ended.overBudget
    ? options.maxMs
    : backOffMs(options.baseMs, options.maxMs, ended.attempt - 1);
  const delayMs = Math.round((ended.retryAfterMs ?? 0) + random() * ceilingMs);
  if (nowMs + delayMs >= ttlEndOf(ended)) return { kind: 'give-up', reason: 'ttl-ended' };
  return { kind: 'retry', delayMs };
}

type Validity = Pick<AttemptEnded, 'acceptedAtMs' | 'ttlSeconds' | 'expiresAtMs'>;

const ttlEndOf = ({ acceptedAtMs, ttlSeconds, expiresAtMs }: Validity): number =>
  Math.min(acceptedAtMs + ttlSeconds * 1_000, expiresAtMs ?? Number.POSITIVE_INFINITY);

/**
 * From this time on the notification is not sent, not for the first time either. A TTL of 0 asks for one
 * attempt per subscriber, whenever that comes. Null: no such time.
 */
export function validUntilMs(validity: Validity): number | null {
  return validity.ttlSeconds === 0 ? validity.expiresAtMs : ttlEndOf(validity);
}
