/**
 * How an attempt ended. The numbers cross the thread boundary and rest in packed outcomes:
 * they are never reused, new ones are appended.
 */
export const outcomes = [
  'unsent',
  'accepted',
  'gone',
  'throttled',
  'rejected',
  'unreachable',
  'expired',
] as const;
export type Outcome = (typeof outcomes)[number];

export const outcomeCode: Readonly<Record<Outcome, number>> = Object.freeze({
  unsent: 0,
  accepted: 1,
  gone: 2,
  throttled: 3,
  rejected: 4,
  unreachable: 5,
  expired: 6,
});

/** Whether the outcome ends the target's way through the delivery, or leaves it for another attempt. */
export const settles: Readonly<Record<Outcome, boolean>> = Object.freeze({
  unsent: false,
  accepted: true,
  gone: true,
  throttled: false,
  rejected: true,
  unreachable: false,
  expired: true,
});

/**
 * How a request that was not accepted failed. `refused`: it never reached the push service (stream refused,
 * stream id above GOAWAY's last): safe to send again. `answered`: the service answered with an error.
 * `unknown`: the body was sent and no answer came: sent again only under the duplicate promise, and counted.
 */
export const failures = ['none', 'refused', 'answered', 'unknown'] as const;
export type Failure = (typeof failures)[number];
export const failureCode: Readonly<Record<Failure, number>> = Object.freeze({
  none: 0,
  refused: 1,
  answered: 2,
  unknown: 3,
});
