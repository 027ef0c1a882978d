import type { PublicAddresses } from '../../network/public-addresses.ts';
import { Answer, type HandOver } from '../push-answer.ts';
import type { ClientOptions, PushClient } from '../push-client.ts';
import { type Connect, createConnect } from './connect.ts';
import type { HttpSession, HttpSessionEvents } from './exchange.ts';
import { createHttp1Session } from './http1-session.ts';
import { createHttp2Session } from './http2-session.ts';
import { reasonOf } from './reason.ts';

/** One push service's connections, and the messages that wait for them; bounded by the callers' windows. */
interface Pool {
  readonly origin: string;
  readonly sessions: HttpSession[];
  readonly waiting: Answer[];
  /** A connection is being made; until then its number of streams is unknown. */
  isConnecting: boolean;
  /** By `performance.now()`: a further connection failed a moment ago. */
  openAfter: number;
  /** By `performance.now()`: the peer flooded us, and nothing is sent to it before. */
  calmUntil: number;
  /** When the last of what waits was taken, by `performance.now()`. */
  takenAt: number;
  /** Ends what waits where nothing is taken for too long. */
  patience: NodeJS.Timeout | null;
  isClosed: boolean;
}

const OPEN_AGAIN_MS = 1_000;
/** A host that floods one connection after the other takes the thread no more than a hundredth of its time. */
const CALM_MS = 10_000;

/**
 * Our own frames (`http2-session.ts`) under one queue for each origin: what waits goes over whichever connection is
 * free first.
 * @param addresses which ones may be connected to; null: any.
 * @param handOver asked for each message that would fail as refused.
 */
export function createOwnClient(
  options: ClientOptions,
  addresses: PublicAddresses | null,
  handOver: HandOver | null = null,
): PushClient {
  const connect: Connect = createConnect(options, addresses);
  const sessionOptions = {
    maxStreams: options.streamsPerConnection,
    settingsTimeoutMs: options.connectTimeoutMs,
    answerTimeoutMs: options.answerTimeoutMs,
    deadAfterTimeouts: options.deadSessionAfterTimeouts,
  };
  const patienceMs = options.answerTimeoutMs * 2;
  /** In the order of use: the first is the one to close. */
  const pools = new Map<string, Pool>();
  /** Includes connections that take no more requests and still wait for answers: no pool has them. */
  const living = new Set<HttpSession>();
  let isDestroyed = false;

  function poolOf(origin: string): Pool {
    const known = pools.get(origin);
    if (known !== undefined && pools.size === 1) return known;
    pools.delete(origin);
    const pool = known ?? newPool(origin);
    pools.set(origin, pool);
    if (pools.size > options.maxOrigins) closeOldest();
    return pool;
  }

  function closeOldest(): void {
    const [origin, pool] = pools.entries().next().value as [string, Pool];
    pools.delete(origin);
    pool.isClosed = true;
    // Gracefully: another block of this thread may still wait for answers on them.
    if (pool.waiting.length === 0) for (const session of pool.sessions.splice(0)) session.close();
  }

  function dispatch(answer: Answer): void {
    if (isDestroyed) {
      answer.onFailure('refused', 'CONNECTION_CLOSED');
      return;
    }
    const pool = poolOf(answer.request.origin);
    if (isCalming(pool)) {
      answer.onFailure('refused', 'ENHANCE_YOUR_CALM');
      return;
    }
    const session = pool.waiting.length === 0 ? freeSession(pool) : undefined;
    if (session === undefined) {
      pool.waiting.push(answer);
      sendWaiting(pool);
    } else session.request(answer);
  }

  /** With other connections open the messages go over those: each has a budget of its own. */
  const isCalming = ({ sessions, calmUntil }: Pool): boolean =>
    sessions.length === 0 && calmUntil > 0 && performance.now() < calmUntil;

  const freeSession = ({ sessions }: Pool): HttpSession | undefined => {
    for (const session of sessions) if (session.free() > 0) return session;
    return undefined;
  };

  function sendWaiting(pool: Pool): void {
    const { waiting, sessions } = pool;
    if (isDestroyed) giveUp(pool, 'CONNECTION_CLOSED');
    else if (isCalming(pool)) giveUp(pool, 'ENHANCE_YOUR_CALM');
    for (;;) {
      const session = waiting.length === 0 ? undefined : freeSession(pool);
      if (session === undefined) break;
      pool.takenAt = performance.now();
      session.request(waiting.shift() as Answer);
    }
    if (waiting.length === 0) {
      clearTimeout(pool.patience ?? undefined);
      pool.patience = null;
      if (pool.isClosed) for (const session of sessions.splice(0)) session.close();
      return;
    }
    if (pool.patience === null) {
      pool.takenAt = performance.now();
      pool.patience = setTimeout(endPatience, patienceMs, pool);
    }
    if (mayOpen(pool)) open(pool);
  }

  function mayOpen({ isConnecting, sessions, openAfter, calmUntil }: Pool): boolean {
    if (isConnecting || sessions.length >= options.connectionsPerOrigin) return false;
    if (performance.now() < calmUntil) return false;
    // Nothing else would send what waits once the last connection is gone.
    return sessions.length === 0 || performance.now() >= openAfter;
  }

  /** A peer that takes one request after the other has all the time there is; one that takes none has not. */
  function endPatience(pool: Pool): void {
    const leftMs = pool.takenAt + patienceMs - performance.now();
    if (leftMs > 0) {
      pool.patience = setTimeout(endPatience, Math.ceil(leftMs), pool);
      return;
    }
    giveUp(pool, 'NO_FREE_STREAM');
    // The connections of an evicted pool were kept for its waiting messages.
    sendWaiting(pool);
  }

  /** Nothing of what waits was written. */
  function giveUp(pool: Pool, why: string, isUnconnected = false): void {
    clearTimeout(pool.patience ?? undefined);
    pool.patience = null;
    for (const answer of pool.waiting.splice(0)) {
      if (isUnconnected) answer.onNotConnected(why);
      else answer.onFailure('refused', why);
    }
  }

  function open(pool: Pool): void {
    pool.isConnecting = true;
    connect(pool.origin, (error, socket) => {
      if (error !== null || socket === null) {
        pool.isConnecting = false;
        return giveUpUnlessOpen(pool, error === null ? 'CONNECTION_CLOSED' : reasonOf(error));
      }
      const { host } = new URL(pool.origin);
      let isKnown = false;
      const events: HttpSessionEvents = {
        onFree() {
          if (!isKnown) {
            isKnown = true;
            pool.isConnecting = false;
          }
          sendWaiting(pool);
        },
        onOver(why, hasCarried) {
          const at = pool.sessions.indexOf(session);
          if (at >= 0) pool.sessions.splice(at, 1);
          if (!isKnown) pool.isConnecting = false;
          // A connection that never took a request is as good as none: opening the next at once could go on
          // forever.
          if (!hasCarried) giveUpUnlessOpen(pool, why);
          // Not here: the requests in flight end first.
          else queueMicrotask(() => sendWaiting(pool));
        },
        onFlood() {
          pool.calmUntil = performance.now() + CALM_MS;
        },
      };
      const session =
        socket.alpnProtocol === 'h2'
          ? createHttp2Session(socket, { ...sessionOptions, authority: host }, events)
          : createHttp1Session(socket, { ...sessionOptions, origin: pool.origin }, events);
      pool.sessions.push(session);
      living.add(session);
      socket.once('close', () => living.delete(session));
      if (isDropped(pool)) session.destroy();
    });
  }

  /** Where others are open, what waits is theirs, and a further one is not tried with every answer. */
  function giveUpUnlessOpen(pool: Pool, why: string): void {
    if (pool.sessions.length === 0) giveUp(pool, why, true);
    else pool.openAfter = performance.now() + OPEN_AGAIN_MS;
  }

  const isDropped = (pool: Pool): boolean => isDestroyed || (pool.isClosed && pool.waiting.length === 0);

  return {
    post(request, listener) {
      dispatch(new Answer(request, listener, dispatch, handOver));
    },
    origins: () => pools.size,
    async close() {
      isDestroyed = true;
      for (const pool of pools.values()) giveUp(pool, 'CONNECTION_CLOSED');
      pools.clear();
      for (const session of living) session.destroy();
    },
  };
}

const newPool = (origin: string): Pool => ({
  origin,
  sessions: [],
  waiting: [],
  isConnecting: false,
  openAfter: 0,
  calmUntil: 0,
  takenAt: 0,
  patience: null,
  isClosed: false,
});
