import { counted } from '../../engine/contract/counted.ts';
import type { Refusal } from '../../engine/kit/http/errors.ts';

/** A read that was refused or ended: what its caller can do about it, and when to retry. */
export class ReadRefused extends Error implements Refusal {
  readonly statusCode: 429 | 503;
  readonly retryAfterSeconds: number;
  constructor({ statusCode, retryAfterSeconds, message }: Refusal) {
    super(message);
    this.name = 'ReadRefused';
    this.statusCode = statusCode;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const narrower =
  'fewer filters or tags, a longer search text, a shorter period, a page nearer to either end.';

export const busyOrganization = (atOnce: number, retryAfterSeconds: number): ReadRefused =>
  new ReadRefused({
    statusCode: 429,
    retryAfterSeconds,
    message: `Your organization has too many lists, counts and analytics under way: ${atOnce} run at a time, and others wait. Send fewer at a time, or narrow them: ${narrower}`,
  });

export const busyService = (retryAfterSeconds: number): ReadRefused =>
  new ReadRefused({
    statusCode: 503,
    retryAfterSeconds,
    message: 'Too many lists, counts and analytics are under way for the moment. Try again shortly.',
  });

export const budgetSpent = (seconds: number, retryAfterSeconds: number): ReadRefused =>
  new ReadRefused({
    statusCode: 429,
    retryAfterSeconds,
    message: `Your organization has used the ${counted(seconds, 'second')} of database time that lists, counts and analytics have in a minute. Wait, or narrow them: ${narrower}`,
  });

/** It would take as long again: the wait is for callers who repeat it unchanged. */
const TOO_LONG_RETRY_SECONDS = 30;

/** The same read again would take as long: it is not only one too many for the moment. */
export class ReadTooLong extends ReadRefused {}

export const tookTooLong = (limitMs: number): ReadTooLong =>
  new ReadTooLong({
    statusCode: 503,
    retryAfterSeconds: TOO_LONG_RETRY_SECONDS,
    message: `The request took longer than the ${counted(limitMs / 1_000, 'second')} that a request may take, and was cancelled. Narrow it: ${narrower}`,
  });
