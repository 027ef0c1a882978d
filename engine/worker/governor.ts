import {
  type ChannelState,
  createChannelState,
  msSinceTick,
  pauseLeftMs,
  readWord,
  tickAt,
  type Word,
  wasThrottledLately,
  word,
  wordIndex,
  writeWord,
} from '../contract/channel-state.ts';
import { backOffMs } from '../contract/concurrency/back-off.ts';
import { systemClock } from '../contract/concurrency/clock.ts';
import type { Outcome } from '../contract/outcome.ts';
import { pushServices } from '../contract/push-service.ts';
import type { WorkerOptions } from './protocol.ts';

/**
 * How much load a channel takes: additive increase, multiplicative decrease of the requests in flight, a pause while
 * the push service asks for one, a circuit breaker for one that does not answer. All of it is in the channel state; a
 * governor keeps none, so that any thread can continue where another stopped.
 *
 *     closed ── 16 failures in a row ──► open until … ──► one thread probes ──┬── an answer ──► closed
 *                                          ▲                                  └── none ──► open, twice as long
 *     closed ── trouble over its bound ──► paused until … ──► closed with half the limit
 *
 * The thread that sends the probes holds the others off for as long as an answer may take; should it die, they
 * go on after that.
 */
export interface Governor {
  /** For a block that came without one, by this governor's time. */
  newState(): ChannelState;
  /** Whether the push service throttled the app a short while ago: its capacity is low now. */
  wasThrottled(state: ChannelState, channel: number): boolean;
  /** How many requests this thread may have in flight; 'held': none for now, ask again in another attempt. */
  /** @param onProbation such endpoints must not probe for the others. */
  allowance(state: ChannelState, channel: number, onProbation?: boolean): Allowance;
  /** Called once for each request that was sent and whose outcome says something about the push service. */
  answered(state: ChannelState, channel: number, answer: GovernedAnswer): void;
}

export type Allowance =
  | { readonly kind: 'open'; readonly limit: number }
  /** At most `limit` requests, then nothing before one of them is answered. */
  | { readonly kind: 'probe'; readonly limit: number }
  | { readonly kind: 'held'; readonly waitMs: number };

export interface GovernedAnswer {
  readonly outcome: Outcome;
  readonly latencyMs: number;
  readonly retryAfterMs: number | null;
}

export interface GovernorOptions {
  /** Requests in flight per thread and channel: the first limit, and the highest. */
  readonly startLimit: number;
  readonly maxLimit: number;
  /** From probe to answer: other threads wait for this time. */
  readonly answerTimeoutMs: number;
}

/** Failures without an answer between them that open the breaker. */
export const FAILURES_TO_OPEN = 16;
export const PROBES = 3;
/** A throttled answer weighs as much as this many accepted ones: one in ten is tolerated, one in five is not. */
const THROTTLED_WEIGHT = 8;
const TROUBLE_TO_PAUSE = 64;
/** A slower answer means that more is in flight than the service works on. */
const SLOW_MS = 5_000;
/** Failures that lower the limit, but open nothing yet. */
const FAILURES_TO_LOWER = 4;
/** Slowness alone lowers the limit no further: a slow service is slower still with few requests in flight. */
const SLOW_FLOOR = 16;
/** The failures of one window lower the limit once. */
const LOWER_EVERY_TICKS = 10;
const FIRST_PAUSE_MS = 1_000;
interface Ceiling {
  readonly maxMs: number;
  readonly maxDoublings: number;
}
const CEILING: Ceiling = Object.freeze({ maxMs: 60_000, maxDoublings: 6 });
/**
 * WNS answers 406 without a Retry-After, and senders report that it then blocks them for an hour to a day: asking each
 * minute would only prolong that.
 */
const WNS_CHANNEL = pushServices.indexOf('wns');
const WNS_CEILING: Ceiling = Object.freeze({ maxMs: 4 * 3_600_000, maxDoublings: 14 });

/** From this time on, endpoints on probation may send the probes. */
const ANY_ENDPOINT_AFTER_MS = 30_000;

const START_LIMIT = 32;

/** Half the window at most, so that a push service that does not answer leaves the other half to the others. */
export function governorOptions(
  options: Pick<
    WorkerOptions,
    'maxInFlight' | 'connectionsPerOrigin' | 'streamsPerConnection' | 'answerTimeoutMs'
  >,
): GovernorOptions {
  const streams = options.connectionsPerOrigin * options.streamsPerConnection;
  const maxLimit = Math.max(1, Math.min(options.maxInFlight >> 1, streams));
  return { maxLimit, startLimit: Math.min(START_LIMIT, maxLimit), answerTimeoutMs: options.answerTimeoutMs };
}

const CLOSED = 0;
const OPEN = 1;
const PROBING = 2;

/**
 * The state machine drawn above, for one channel.
 * @param now a monotonic clock: a pause by the wall clock would last as long as that clock is wrong.
 */
export function createGovernor(
  options: GovernorOptions,
  now: () => number = systemClock.now,
  random: () => number = Math.random,
): Governor {
  const limitOf = (state: ChannelState, channel: number): number =>
    readWord(state, channel, word.limit) || options.startLimit;

  function allowance(state: ChannelState, channel: number, onProbation = false): Allowance {
    const until = readWord(state, channel, word.pausedUntil);
    if (until === 0) return { kind: 'open', limit: limitOf(state, channel) };
    const waitMs = pauseLeftMs(state, channel, now());
    if (waitMs > 0) return { kind: 'held', waitMs };
    if (readWord(state, channel, word.breaker) === CLOSED) {
      exchange(state, channel, word.pausedUntil, until, 0);
      return { kind: 'open', limit: limitOf(state, channel) };
    }
    const sinceMs = msSinceTick(state, until, now());
    const others = readWord(state, channel, word.hasKnown) !== 0;
    // Unless no other endpoint did for a while: the breaker would stay open.
    if (onProbation && others && sinceMs < ANY_ENDPOINT_AFTER_MS) {
      return { kind: 'held', waitMs: ANY_ENDPOINT_AFTER_MS - sinceMs };
    }
    const heldOff = tickAt(state, now() + options.answerTimeoutMs);
    if (!exchange(state, channel, word.pausedUntil, until, heldOff)) {
      return { kind: 'held', waitMs: options.answerTimeoutMs };
    }
    writeWord(state, channel, word.breaker, PROBING);
    return { kind: 'probe', limit: PROBES };
  }

  function answered(state: ChannelState, channel: number, answer: GovernedAnswer): void {
    const { outcome, latencyMs, retryAfterMs } = answer;
    if (outcome === 'unreachable') failed(state, channel, retryAfterMs);
    else close(state, channel);
    if (outcome === 'throttled' || (outcome === 'unreachable' && retryAfterMs !== null)) {
      throttled(state, channel, retryAfterMs);
    }
    if (outcome === 'accepted') calm(state, channel);
    if (latencyMs > SLOW_MS) lower(state, channel, SLOW_FLOOR);
    else if (outcome === 'accepted' || outcome === 'gone') raise(state, channel);
  }

  /** Any answer of the service itself ends its failures. */
  function close(state: ChannelState, channel: number): void {
    if (readWord(state, channel, word.failedInRow) !== 0) writeWord(state, channel, word.failedInRow, 0);
    if (readWord(state, channel, word.breaker) === CLOSED) return;
    writeWord(state, channel, word.limit, Math.min(options.startLimit, SLOW_FLOOR));
    writeWord(state, channel, word.pausesInRow, 0);
    writeWord(state, channel, word.pausedUntil, 0);
    writeWord(state, channel, word.breaker, CLOSED);
  }

  function calm(state: ChannelState, channel: number): void {
    if (readWord(state, channel, word.trouble) <= 0) return;
    if (add(state, channel, word.trouble, -1) === 1) writeWord(state, channel, word.pausesInRow, 0);
  }

  /** By one an answer until it was first too much, then by one for every full window. */
  function raise(state: ChannelState, channel: number): void {
    const stored = readWord(state, channel, word.limit);
    const limit = stored || options.startLimit;
    if (limit >= options.maxLimit) return;
    const isStart = readWord(state, channel, word.loweredAt) === 0;
    if (isStart || random() * limit < 1) exchange(state, channel, word.limit, stored, limit + 1);
  }

  function lower(state: ChannelState, channel: number, floor: number): void {
    const tick = tickAt(state, now());
    const last = readWord(state, channel, word.loweredAt);
    if (tick - last < LOWER_EVERY_TICKS || !exchange(state, channel, word.loweredAt, last, tick)) return;
    const limit = limitOf(state, channel);
    writeWord(state, channel, word.limit, Math.min(limit, Math.max(floor, limit >> 1)));
  }

  function throttled(state: ChannelState, channel: number, retryAfterMs: number | null): void {
    writeWord(state, channel, word.throttledAt, tickAt(state, now()));
    if (pauseLeftMs(state, channel, now()) > 0) {
      extend(state, channel, retryAfterMs);
      return;
    }
    const trouble = add(state, channel, word.trouble, THROTTLED_WEIGHT) + THROTTLED_WEIGHT;
    if (trouble < TROUBLE_TO_PAUSE) return;
    // Half of it stays: the first window after the pause shows soon whether it was long enough.
    writeWord(state, channel, word.trouble, TROUBLE_TO_PAUSE >> 1);
    lower(state, channel, 1);
    const isWns = channel === WNS_CHANNEL && retryAfterMs === null;
    pause(state, channel, retryAfterMs, isWns ? WNS_CEILING : CEILING);
  }

  function failed(state: ChannelState, channel: number, retryAfterMs: number | null): void {
    const inRow = add(state, channel, word.failedInRow, 1) + 1;
    if (inRow >= FAILURES_TO_LOWER) lower(state, channel, FAILURES_TO_LOWER);
    const opens =
      exchange(state, channel, word.breaker, PROBING, OPEN) ||
      (inRow >= FAILURES_TO_OPEN && exchange(state, channel, word.breaker, CLOSED, OPEN));
    if (opens) pause(state, channel, retryAfterMs);
  }

  function pause(
    state: ChannelState,
    channel: number,
    retryAfterMs: number | null,
    { maxMs, maxDoublings } = CEILING,
  ): void {
    add(state, channel, word.pauses, 1);
    const doublings = Math.min(add(state, channel, word.pausesInRow, 1), maxDoublings);
    const ceilingMs = backOffMs(FIRST_PAUSE_MS, maxMs, doublings);
    // Not down to nothing: a pause that is none would be repeated with the next window.
    const pauseMs = ceilingMs * (0.5 + random() / 2);
    writeWord(state, channel, word.pausedUntil, tickAt(state, now() + Math.max(pauseMs, retryAfterMs ?? 0)));
  }

  /** A request in flight when the pause began may ask for a longer one. */
  function extend(state: ChannelState, channel: number, retryAfterMs: number | null): void {
    if (retryAfterMs === null || pauseLeftMs(state, channel, now()) >= retryAfterMs) return;
    writeWord(state, channel, word.pausedUntil, tickAt(state, now() + retryAfterMs));
  }

  return {
    newState: () => createChannelState(0, now()),
    wasThrottled: (state, channel) => wasThrottledLately(state, channel, now()),
    allowance,
    answered,
  };
}

const add = (state: ChannelState, channel: number, which: Word, by: number): number =>
  Atomics.add(state.words, wordIndex(channel, which), by);
const exchange = (state: ChannelState, channel: number, which: Word, from: number, to: number): boolean =>
  Atomics.compareExchange(state.words, wordIndex(channel, which), from, to) === from;
