import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateAnswer } from '../../contract/concurrency/rate-limit.ts';
import { addressKey, createAttemptLimit } from './attempt-limit.ts';
import { sendTooMany, sendUnauthenticated } from './problem.ts';

/** Wrong credentials per minute and address that get a 401; further ones get a 429. */
const UNKNOWN_PER_MINUTE = 60;
const MAX_ADDRESSES = 10_000;

/** Rejects an unauthenticated caller. */
export type RefuseUnknown = (request: FastifyRequest, reply: FastifyReply) => null;

/**
 * The same answer, whatever is wrong with the credentials. Counted after the lookup, so that a caller with a
 * good token does not suffer from a neighbour at the same address.
 */
export function createRefuseUnknown(): RefuseUnknown {
  const unknown = createAttemptLimit({
    most: UNKNOWN_PER_MINUTE,
    withinMs: 60_000,
    maxKeys: MAX_ADDRESSES,
  });
  return (request, reply) => {
    const waitSeconds = unknown.take(addressKey(request.ip));
    waitSeconds > 0 ? sendTooMany(reply, waitSeconds) : sendUnauthenticated(reply);
    return null;
  };
}

/** Sets the rate limit headers. @returns false where the request was refused and answered. */
export function passRate(reply: FastifyReply, found: RateAnswer, limit: number): boolean {
  reply.header('x-ratelimit-limit', String(limit));
  reply.header('x-ratelimit-remaining', String(found.remaining));
  if (!found.isWithinRate) sendTooMany(reply, Math.max(1, Math.ceil(found.waitSeconds)));
  return found.isWithinRate;
}
