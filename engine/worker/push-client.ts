import { createPublicAddresses, type PublicAddresses } from '../network/public-addresses.ts';
import { type Connect, createConnect } from './http/connect.ts';
import type { Session, SessionEvents } from './http/exchange.ts';
import { createHttp1Session } from './http/http1-session.ts';
import { createHttp2Session } from './http/http2-session.ts';
import { reasonOf } from './http/reason.ts';
import type { WorkerOptions } from './protocol.ts';
import { Answer, type PushListener, type PushRequest } from './push-answer.ts';

/**
 * Requests to push services over HTTP/2, and over HTTP/1.1 with those that know nothing newer.
 *
 * Each origin has up to `connectionsPerOrigin` connections; a further one is opened only when those there are full,
 * so few sockets carry many streams. What waits does so at its origin, and goes over whichever connection is free
 * first. A request that the peer says it never looked at (REFUSED_STREAM, above GOAWAY's last stream) is sent
 * again: that is no duplicate.
 */
export interface PushClient {
  /** Starts one POST. `listener.answered` is called once, before this returns where nothing can be sent. */
  post(request: PushRequest, listener: PushListener): void;
  /** Origins with connections at this moment. */
  origins(): number;
  /** Drops every connection; requests in flight end as unknown. */
  close(): Promise<void>;
}

type ClientOptions = Pick<
  WorkerOptions,
  | 'connectionsPerOrigin'
  | 'streamsPerConnection'
  | 'connectTimeoutMs'
  | 'answerTimeoutMs'
  | 'deadSessionAfterTimeouts'
  | 'maxOrigins'
  | 'extraCa'
  | 'allowAnyEndpointHost'
>;

/** One push service's sockets and what waits for them; bounded by the windows of whoever posts. */
interface Place {
  readonly origin: string;
  readonly sessions: Session[];
  readonly waiting: Answer[];
  /** A connection is being made; until it is there nobody knows how many streams it will take. */
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
/** A host that floods one connection after the other takes the thread no more than a thousandth of its time. */
const CALM_MS = 10_000;

/** @param addresses which ones may be connected to; null: any. Tests put in their own. */
export function createPushClient(
  options: ClientOptions,
  addresses: PublicAddresses | null = options.allowAnyEndpointHost ? null : createPublicAddresses(),
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
  const places = new Map<string, Place>();
  /** With those that take no requests any more and still wait for answers: no place knows them. */
  const living = new Set<Session>();
  let isDestroyed = false;

  function placeOf(origin: string): Place {
    const known = places.get(origin);
    if (known !== undefined && places.size === 1) return known;
    places.delete(origin);
    const place = known ?? newPlace(origin);
    places.set(origin, place);
    if (places.size > options.maxOrigins) closeOldest();
    return place;
  }

  function closeOldest(): void {
    const [origin, place] = places.entries().next().value as [string, Place];
    places.delete(origin);
    place.isClosed = true;
    // Gracefully: another block of this thread may still wait for answers on them.
    if (place.waiting.length === 0) for (const session of place.sessions.splice(0)) session.close();
  }

  function dispatch(answer: Answer): void {
    if (isDestroyed) {
      answer.onFailure('refused', 'CONNECTION_CLOSED');
      return;
    }
    const place = placeOf(answer.request.origin);
    if (isCalming(place)) {
      answer.onFailure('refused', 'ENHANCE_YOUR_CALM');
      return;
    }
    const session = place.waiting.length === 0 ? freeSession(place) : undefined;
    if (session === undefined) {
      place.waiting.push(answer);
      sendWaiting(place);
    } else session.request(answer);
  }

  /** With other connections open the messages go over those: each has a budget of its own. */
  const isCalming = ({ sessions, calmUntil }: Place): boolean =>
    sessions.length === 0 && calmUntil > 0 && performance.now() < calmUntil;

  const freeSession = ({ sessions }: Place): Session | undefined => {
    for (const session of sessions) if (session.free() > 0) return session;
    return undefined;
  };

  function sendWaiting(place: Place): void {
    const { waiting, sessions } = place;
    if (isDestroyed) giveUp(place, 'CONNECTION_CLOSED');
    else if (isCalming(place)) giveUp(place, 'ENHANCE_YOUR_CALM');
    for (;;) {
      const session = waiting.length === 0 ? undefined : freeSession(place);
      if (session === undefined) break;
      place.takenAt = performance.now();
      session.request(waiting.shift() as Answer);
    }
    if (waiting.length === 0) {
      clearTimeout(place.patience ?? undefined);
      place.patience = null;
      if (place.isClosed) for (const session of sessions.splice(0)) session.close();
      return;
    }
    if (place.patience === null) {
      place.takenAt = performance.now();
      place.patience = setTimeout(endPatience, patienceMs, place);
    }
    if (mayOpen(place)) open(place);
  }

  function mayOpen({ isConnecting, sessions, openAfter, calmUntil }: Place): boolean {
    if (isConnecting || sessions.length >= options.connectionsPerOrigin) return false;
    if (performance.now() < calmUntil) return false;
    // Nothing else would send what waits once the last connection is gone.
    return sessions.length === 0 || performance.now() >= openAfter;
  }

  /** A peer that takes one request after the other has all the time there is; one that takes none has not. */
  function endPatience(place: Place): void {
    const leftMs = place.takenAt + patienceMs - performance.now();
    if (leftMs > 0) {
      place.patience = setTimeout(endPatience, Math.ceil(leftMs), place);
      return;
    }
    giveUp(place, 'NO_FREE_STREAM');
    // Of a place that was closed the connections were kept for what waited.
    sendWaiting(place);
  }

  /** Nothing of what waits was written. */
  function giveUp(place: Place, why: string, isUnconnected = false): void {
    clearTimeout(place.patience ?? undefined);
    place.patience = null;
    for (const answer of place.waiting.splice(0)) {
      if (isUnconnected) answer.onNotConnected(why);
      else answer.onFailure('refused', why);
    }
  }

  function open(place: Place): void {
    place.isConnecting = true;
    connect(place.origin, (error, socket) => {
      if (error !== null || socket === null) {
        place.isConnecting = false;
        return giveUpUnlessOpen(place, error === null ? 'CONNECTION_CLOSED' : reasonOf(error));
      }
      const { host } = new URL(place.origin);
      let isKnown = false;
      const events: SessionEvents = {
        onFree() {
          if (!isKnown) {
            isKnown = true;
            place.isConnecting = false;
          }
          sendWaiting(place);
        },
        onOver(why, hasCarried) {
          const at = place.sessions.indexOf(session);
          if (at >= 0) place.sessions.splice(at, 1);
          if (!isKnown) place.isConnecting = false;
          // One that never took a request is as good as none: to open the next at once would go on for ever.
          if (!hasCarried) giveUpUnlessOpen(place, why);
          // Not here: requests that it had in hand are told first.
          else queueMicrotask(() => sendWaiting(place));
        },
        onFlood() {
          place.calmUntil = performance.now() + CALM_MS;
        },
      };
      const session =
        socket.alpnProtocol === 'h2'
          ? createHttp2Session(socket, { ...sessionOptions, authority: host }, events)
          : createHttp1Session(socket, { ...sessionOptions, origin: place.origin }, events);
      place.sessions.push(session);
      living.add(session);
      socket.once('close', () => living.delete(session));
      if (isDropped(place)) session.destroy();
    });
  }

  /** Where others are open, what waits is theirs, and a further one is not tried with every answer. */
  function giveUpUnlessOpen(place: Place, why: string): void {
    if (place.sessions.length === 0) giveUp(place, why, true);
    else place.openAfter = performance.now() + OPEN_AGAIN_MS;
  }

  const isDropped = (place: Place): boolean => isDestroyed || (place.isClosed && place.waiting.length === 0);

  return {
    post(request, listener) {
      dispatch(new Answer(request, listener, dispatch));
    },
    origins: () => places.size,
    async close() {
      isDestroyed = true;
      for (const place of places.values()) giveUp(place, 'CONNECTION_CLOSED');
      places.clear();
      for (const session of living) session.destroy();
    },
  };
}

const newPlace = (origin: string): Place => ({
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
