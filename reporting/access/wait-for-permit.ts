import { finished } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { giveBackHit } from '../../engine/adapters/postgres/rate-limit.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import type { FairQueue } from '../../engine/contract/concurrency/fair-queue.ts';
import { sendUnavailable } from '../../engine/kit/http/errors.ts';
import { sendTooMany } from '../../engine/kit/http/problem.ts';
import type { Caller } from './caller.ts';

/** A function that releases the permit; null where the request got none, and was answered or disconnected. */
export type WaitForPermit = (caller: Caller, reply: FastifyReply) => Promise<(() => void) | null>;

/**
 * A report that is refused, or whose client disconnected while it waited, has cost nothing: its hit is taken
 * back. A process that dies in between leaves it counted, for a minute at most.
 */
export function createWaitForPermit(sql: Sql, queue: FairQueue): WaitForPermit {
  return async function waitForPermit(caller, reply) {
    const gone = new AbortController();
    const unwatch = finished(reply.raw, () => gone.abort());
    if (reply.raw.destroyed) gone.abort();
    const permit = await queue.acquire(caller.userId, gone.signal, caller.organizationId);
    unwatch();
    if (permit.kind === 'granted') return permit.release;
    const rate = caller.hit === null ? null : await giveBackHit(sql, caller.hit);
    if (permit.kind === 'gone') return null;
    if (rate !== null) reply.header('x-ratelimit-remaining', String(rate.remaining));
    // The next request passes when both the permit and the rate allow it.
    const seconds = Math.max(permit.retryAfterSeconds, Math.ceil(rate?.waitSeconds ?? 0));
    if (permit.by === 'owner') sendTooMany(reply, seconds);
    else sendUnavailable(reply, seconds);
    return null;
  };
}
