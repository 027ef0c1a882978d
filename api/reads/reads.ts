import { finished } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { ReadEnded } from '../../engine/adapters/postgres/limited-read.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import type { Clock } from '../../engine/contract/concurrency/clock.ts';
import { createFairQueue } from '../../engine/contract/concurrency/fair-queue.ts';
import type { OrganizationId } from '../../engine/contract/ids.ts';
import { createBudget } from './budget.ts';
import { budgetSpent, busyOrganization, busyService, type ReadRefused, tookTooLong } from './refused.ts';

/**
 * Reads whose cost the caller chooses: lists, searches, counts, analytics. They have connections of their own,
 * and no organization's reads can starve the others: a bounded number of its reads run at a time, a bounded
 * number wait, organizations get connections in turn, and its reads use a bounded time in a minute.
 */
export interface Reads {
  /**
   * Waits for a permit and runs the work, whose time is charged to the organization.
   * @throws ReadRefused where there is no permit or no time left, or the work's queries took too long.
   */
  pass<Result>(asked: ReadAsked, work: (query: RunQuery) => Promise<Result>): Promise<Result>;
}

export interface ReadAsked {
  readonly organizationId: OrganizationId;
  /** Aborts if the client disconnects: the work leaves the queue, and its query is cancelled. */
  readonly signal: AbortSignal;
  /** Of its queries, instead of the usual time. */
  readonly limitMs?: number;
}

/** One read-only transaction that ends with the work's signal, or when its time is over. */
export type RunQuery = <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>;

export interface ReadsOptions {
  readonly database: Database;
  /** As many as the database has connections. */
  readonly atOnce: number;
  readonly perOrganization: number;
  readonly secondsPerMinute: number;
  readonly clock: Clock;
}

/** A million subscriptions are read whole in less, on a busy machine too. */
const LIMIT_MS = 10_000;
const WAIT_MS = 10_000;
const MOST_WAITING = 256;
const MOST_WAITING_PER_ORGANIZATION = 16;
/** A read that could use less would seldom come to its end. */
const LEAST_LEFT_MS = 1_000;

export function createReads(options: ReadsOptions): Reads {
  const { database, perOrganization, secondsPerMinute, clock } = options;
  const budget = createBudget<OrganizationId>(secondsPerMinute * 1_000, clock);
  const queue = createFairQueue({
    permits: options.atOnce,
    perOwner: perOrganization,
    waiting: MOST_WAITING,
    waitingPerOwner: MOST_WAITING_PER_ORGANIZATION,
    waitMs: WAIT_MS,
    clock,
  });
  const spent = (owner: OrganizationId): ReadRefused =>
    budgetSpent(secondsPerMinute, budget.waitSeconds(owner, LEAST_LEFT_MS));

  async function enter({ organizationId, signal }: ReadAsked): Promise<() => void> {
    if (budget.left(organizationId) < LEAST_LEFT_MS) throw spent(organizationId);
    const permit = await queue.acquire(organizationId, signal);
    if (permit.kind === 'gone') throw new ReadEnded('signal');
    if (permit.kind === 'refused') {
      const { by, retryAfterSeconds } = permit;
      throw by === 'owner'
        ? busyOrganization(perOrganization, retryAfterSeconds)
        : busyService(retryAfterSeconds);
    }
    // Others of the same organization may have used it up meanwhile.
    if (budget.left(organizationId) >= LEAST_LEFT_MS) return permit.release;
    permit.release();
    throw spent(organizationId);
  }

  return {
    async pass(asked, work) {
      const { organizationId, signal, limitMs = LIMIT_MS } = asked;
      const leave = await enter(asked);
      const startedAt = clock.now();
      const ownMs = Math.min(limitMs, budget.left(organizationId));
      const leftMs = (): number => Math.max(1, ownMs - (clock.now() - startedAt));
      try {
        return await work((query) => database.read({ deadlineMs: leftMs(), signal }, query));
      } catch (error) {
        if (!(error instanceof ReadEnded) || error.by === 'signal') throw error;
        if (ownMs === limitMs) throw tookTooLong(limitMs);
        // Includes the time that this one overdrew.
        throw budgetSpent(secondsPerMinute, budget.waitSeconds(organizationId, LEAST_LEFT_MS + ownMs));
      } finally {
        leave();
        budget.spend(organizationId, clock.now() - startedAt);
      }
    },
  };
}

/** Aborts when the client disconnects before the answer was sent. */
export function whileWaiting(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (reply.raw.destroyed) gone.abort();
  else finished(reply.raw, () => gone.abort());
  return gone.signal;
}

/** For work whose result others wait for as well, or is cached. */
export const whoeverWaits: AbortSignal = new AbortController().signal;
