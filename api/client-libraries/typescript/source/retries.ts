/** When a request is sent again, and after which wait. */
export interface Wait {
  readonly ms: number;
  readonly reason: 'rate limit' | 'unavailable' | 'connection' | 'timeout';
}

/** How one try ended without success. */
export type Failure =
  | { readonly kind: 'refused'; readonly status: number; readonly retryAfterMs: number | null }
  | {
      readonly kind: 'lost';
      readonly reason: 'connection' | 'timeout';
      /** False where the request cannot have reached the API. */
      readonly mayHaveArrived: boolean;
      /** Whether it may pass by itself: an unknown name or a wrong certificate does not. */
      readonly passes: boolean;
    };

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A longer `Retry-After` is the caller's to plan for. */
const LONGEST_RETRY_AFTER_MS = 120_000;
/** Clients that were refused together do not come back together. */
const SPREAD_MS = 500;

const idempotentMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

/** Whether carrying the request out twice does no more than once. */
export const isRepeatable = (method: string, hasKey: boolean): boolean =>
  hasKey || idempotentMethods.has(method);

/** @param tries so far. @returns null where the failure is final. */
export function waitAfter(
  failure: Failure,
  tries: number,
  repeatable: boolean,
  random: () => number = Math.random,
): Wait | null {
  const backOffMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1));
  const spreadMs = (backOffMs / 2) * (1 + random());
  if (failure.kind === 'lost') {
    const isSafe = repeatable || !failure.mayHaveArrived;
    return isSafe && failure.passes ? { ms: spreadMs, reason: failure.reason } : null;
  }
  const reason = reasonOf(failure.status, repeatable);
  if (reason === null) return null;
  const asked = failure.retryAfterMs;
  if (asked === null) return { ms: spreadMs, reason };
  return asked > LONGEST_RETRY_AFTER_MS ? null : { ms: asked + SPREAD_MS * random(), reason };
}

function reasonOf(status: number, repeatable: boolean): Wait['reason'] | null {
  // The rate limit refuses before anything is done.
  if (status === 429) return 'rate limit';
  // A proxy answers these, too, after it lost an API that may have done the work.
  return repeatable && [502, 503, 504].includes(status) ? 'unavailable' : null;
}

/** Seconds, as Broadside writes it. */
export const retryAfterMs = (header: string | null): number | null =>
  /^\d{1,6}$/.test(header ?? '') ? Number(header) * 1_000 : null;
