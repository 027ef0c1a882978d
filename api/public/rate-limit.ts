import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { plainAddress } from '../../engine/kit/http/trusted-proxies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Seconds to wait where the client's address has used up its minute; otherwise null. */
    retryAfterSeconds: number | null;
  }
}

const MINUTE_MS = 60_000;
/** Addresses counted at a time; the one that was quiet longest is forgotten. About 200 bytes each. */
const MAX_ADDRESSES = 20_000;

/**
 * Counts requests by the client's address, in the memory of this process: n processes admit n times as many.
 * IPv6 counts by /64, the range of one household.
 *
 * Counting comes before any lookup, answering after CORS (`sendTooMany`): a page cannot read an answer without
 * those headers.
 */
export async function registerRateLimit(scope: FastifyInstance, perMinute: number): Promise<void> {
  await scope.register(rateLimit, {
    global: false,
    max: perMinute,
    timeWindow: MINUTE_MS,
    cache: MAX_ADDRESSES,
    keyGenerator: clientOf,
  });
  const count = scope.createRateLimit();
  scope.decorateRequest('retryAfterSeconds', null);
  scope.addHook('onRequest', async (request: FastifyRequest) => {
    const limit = await count(request);
    if (!limit.isAllowed && limit.isExceeded) request.retryAfterSeconds = Math.max(1, limit.ttlInSeconds);
  });
}

/** The client that limits count: an address, or a /64 of IPv6. */
export const clientOf = ({ ip }: Pick<FastifyRequest, 'ip'>): string =>
  rateLimit.normalizeIP(plainAddress(ip));
