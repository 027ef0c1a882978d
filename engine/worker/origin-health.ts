import { backOffMs } from '../contract/concurrency/back-off.ts';
import { systemClock } from '../contract/concurrency/clock.ts';
import { createRecent } from '../contract/concurrency/recent.ts';
import { isExactHost } from '../contract/push-service.ts';

/**
 * What a thread knows of an origin: whether it ever answered, and whether it can be reached now. By origin and
 * not by push service: anyone can invent names, and one that does not resolve says nothing about the service in
 * whose domain it lies.
 */
export interface OriginHealth {
  readonly origin: string;
  /** Somebody answered, an endpoint there accepted before, or it is a host of a known push service. */
  isReal: boolean;
  /** Requests that could not be connected, since the last answer. */
  failuresInRow: number;
  /** By the thread's clock: no connection is tried before. */
  closedUntil: number;
  closings: number;
  /** Why the last connection failed. */
  why: string;
  inFlight: number;
}

/** `silent`: a connection was there, an answer was not. */
export type RequestEnding = 'answered' | 'silent' | 'not-connected';

export interface Origins {
  of(origin: string): OriginHealth;
  /** An endpoint there accepted before. */
  trust(health: OriginHealth): void;
  /** How long no connection is tried from now on; 0: it may be tried. */
  closedForMs(health: OriginHealth): number;
  /** False: too many origins that never answered are being connected to. */
  mayStart(health: OriginHealth): boolean;
  started(health: OriginHealth): void;
  /** Of every request that was started. @param why none was connected, where none was. */
  ended(health: OriginHealth, how: RequestEnding, why: string): void;
  /**
   * Its host name does not exist, while the network is well: whoever subscribed an endpoint there made the name up. A
   * host that exists and cannot be reached is not the endpoint's fault: it is down, or our own firewall blocks it.
   */
  isMadeUp(health: OriginHealth): boolean;
  /** Grows with each origin that turns out to be real. */
  discoveries(): number;
}

/** Origins remembered; past it the one that was not sent to for longest is forgotten, and learnt again. */
const MAX_ORIGINS = 1_024;
/** Lookups have four threads in a process: names that resolve slowly must leave some to others. */
const MAX_UNKNOWN_AT_ONCE = 2;
/** Requests that fail in a row; one is enough where the origin never answered. */
const FAILURES_TO_CLOSE = 16;
const FIRST_CLOSED_MS = 1_000;
const MAX_CLOSED_MS = 60_000;
const MAX_DOUBLINGS = 6;
/** A push service answered within this time: this machine's own network is well. */
const NETWORK_WELL_FOR_MS = 60_000;
/** As `reasonOf` names it. */
const NO_SUCH_NAME = 'ENOTFOUND';

/** @param now a monotonic clock. */
export function createOrigins(
  now: () => number = systemClock.now,
  random: () => number = Math.random,
  maxOrigins = MAX_ORIGINS,
): Origins {
  const origins = createRecent(maxOrigins, (origin: string): OriginHealth => {
    const isReal = isExactHost(new URL(origin).host);
    return { origin, isReal, failuresInRow: 0, closedUntil: 0, closings: 0, why: '', inFlight: 0 };
  });
  let unknownInFlight = 0;
  let discoveries = 0;
  let answeredAt = Number.NEGATIVE_INFINITY;

  function discover(health: OriginHealth): void {
    if (health.isReal) return;
    health.isReal = true;
    discoveries++;
    if (health.inFlight > 0) unknownInFlight--;
  }

  function close(health: OriginHealth, why: string): void {
    health.failuresInRow++;
    health.why = why;
    const isClosed = health.closedUntil > now();
    if (isClosed || (health.isReal && health.failuresInRow < FAILURES_TO_CLOSE)) return;
    const ceilingMs = backOffMs(FIRST_CLOSED_MS, MAX_CLOSED_MS, Math.min(health.closings, MAX_DOUBLINGS));
    health.closings++;
    health.closedUntil = now() + ceilingMs * (0.5 + random() / 2);
  }

  return {
    of: origins.use,
    trust: discover,
    closedForMs: (health) => (health.closedUntil === 0 ? 0 : Math.max(0, health.closedUntil - now())),
    mayStart: (health) => health.isReal || health.inFlight > 0 || unknownInFlight < MAX_UNKNOWN_AT_ONCE,
    started(health) {
      if (!health.isReal && health.inFlight === 0) unknownInFlight++;
      health.inFlight++;
    },
    ended(health, how, why) {
      health.inFlight--;
      if (!health.isReal && health.inFlight === 0) unknownInFlight--;
      if (how === 'not-connected') close(health, why);
      if (how !== 'answered') return;
      answeredAt = now();
      discover(health);
      if (health.failuresInRow === 0 && health.closings === 0) return;
      health.failuresInRow = 0;
      health.closings = 0;
      health.closedUntil = 0;
    },
    isMadeUp: (health) =>
      !health.isReal && health.why === NO_SUCH_NAME && now() - answeredAt <= NETWORK_WELL_FOR_MS,
    discoveries: () => discoveries,
  };
}
