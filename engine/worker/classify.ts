import type { Outcome } from '../contract/outcome.ts';
import type { PushService } from '../contract/push-service.ts';

/** The statuses that push services answer on purpose. */
const byStatus: Readonly<Record<number, Outcome>> = Object.freeze({
  200: 'accepted',
  201: 'accepted',
  202: 'accepted',
  400: 'rejected',
  401: 'rejected',
  403: 'rejected',
  404: 'gone',
  408: 'unreachable',
  410: 'gone',
  413: 'rejected',
  429: 'throttled',
});

/**
 * Reads a push service's final answer. An unlisted status counts by its class: 2xx accepted, 5xx worth another
 * attempt, anything else (redirects included: none is followed) rejected.
 */
export function classifyStatus(status: number, service: PushService): Outcome {
  // WNS answers 406 where others answer 429.
  if (status === 406 && service === 'wns') return 'throttled';
  const known = byStatus[status];
  if (known !== undefined) return known;
  if (status >= 200 && status < 300) return 'accepted';
  return status >= 500 ? 'unreachable' : 'rejected';
}

/** A service that names a longer time is asked again after this one: no header may silence us for weeks. */
export const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/**
 * Reads `Retry-After`, RFC 9110 section 10.2.3: seconds, or an HTTP date.
 * @returns milliseconds from `now`, 0 to 24 hours, or null where the header is neither.
 */
export function parseRetryAfter(header: string, now: number): number | null {
  const text = header.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, MAX_RETRY_AFTER_MS);
  // Date.parse accepts texts that are not an HTTP date ("1", "-5"), and reads asctime's form without a zone as
  // local time.
  const isDate = /^[A-Z][a-z]{2,8},? /.test(text);
  const time = isDate ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN;
  return Number.isNaN(time) ? null : Math.min(Math.max(time - now, 0), MAX_RETRY_AFTER_MS);
}
