import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateAnswer } from '../../contract/rate-limit.ts';
import { addressKey, createAttemptLimit } from './attempt-limit.ts';
import { sendTooMany, sendUnauthenticated } from './problem.ts';

/** Wrong credentials that one address is told of in a minute; then it is told to wait. */
const UNKNOWN_PER_MINUTE = 60;
const MAX_ADDRESSES = 10_000;

/** Answers who is nobody. */
export type RefuseUnknown = (request: FastifyRequest, reply: FastifyReply) => null;

/**
 * One answer, whatever is wrong with the credentials. Counted after the look-up, so that nobody with a good
 * token suffers from a neighbour at their address.
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

/** Tells the caller where they stand. @returns false where the request was refused and answered. */
export function passRate(reply: FastifyReply, found: RateAnswer, limit: number): boolean {
  reply.header('x-ratelimit-limit', String(limit));
  reply.header('x-ratelimit-remaining', String(found.remaining));
  if (!found.isWithinRate) sendTooMany(reply, Math.max(1, Math.ceil(found.waitSeconds)));
  return found.isWithinRate;
}
