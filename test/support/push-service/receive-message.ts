import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { BODY_START_BYTES, type CheckRequest, MAX_BODY_BYTES } from './check-request.ts';
import { type DecisiveAction, isRefusal } from './faults.ts';
import type { Ledger } from './ledger.ts';
import type { Cause } from './ledger-entry.ts';
import type { MatchedFault, MatchFaults } from './match-faults.ts';
import type { MessageMemory } from './message-memory.ts';
import type { PushServiceOrigin } from './options.ts';
import type { Reading, ReadMessage } from './read-message.ts';
import { refusalStatus, serviceManners } from './services.ts';
import type { EndpointOwner, SubscriberFactory } from './subscriber.ts';

export interface ReceiveDeps {
  /** Position of the origin. */
  readonly number: number;
  readonly kind: PushServiceOrigin['kind'];
  readonly subscribers: SubscriberFactory;
  readonly checkRequest: CheckRequest;
  readonly faults: MatchFaults;
  readonly ledger: Ledger;
  readonly reader: ReadMessage;
  readonly memory: MessageMemory;
  readonly resetConnection: (session: ServerHttp2Session) => void;
}

export type ReceiveMessage = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

/** A message while it is on its way through. */
interface Arrival {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly owner: EndpointOwner | null;
  readonly fault: MatchedFault | null;
}

interface Body {
  readonly bytes: number;
  /** The beginning, or all of it where the message will be read. Null: no body. */
  readonly kept: Buffer | null;
}

const unread: Reading = Object.freeze({ kind: 'unread' });
const noDate = Object.freeze({ endStream: true, sendDate: false });

/** Takes one message from its headers to its answer, and enters what became of it in the ledger. */
export function createReceiveMessage(deps: ReceiveDeps): ReceiveMessage {
  const { kind, ledger, memory, number, reader } = deps;
  const manners = serviceManners[kind];
  /** Of the connections that got an abrupt GOAWAY. */
  const lastStreams = new WeakMap<object, number>();

  function receiveMessage(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    stream.on('error', ignore);
    const owner = deps.subscribers.identify(number, headers[':path'] ?? '');
    const fault = owner === null ? null : matchFault(stream, owner.index);
    const arrival = { stream, headers, owner, fault };
    const action = fault?.action ?? null;
    if (isCut(stream)) {
      enter(arrival, 0, 'goaway', false);
      return;
    }
    if (action !== null && isRefusal(action)) {
      refuse(arrival, action);
      return;
    }
    // Streams opened before this moment are finished, this one included.
    if (action?.kind === 'goaway') stream.session?.close();
    const wanted = owner !== null && reader.samples(owner.index);
    collectBody(stream, wanted ? MAX_BODY_BYTES : BODY_START_BYTES, (body) => onBody(arrival, body));
  }

  /** Came with the same bytes as the stream that was cut off, before the GOAWAY was on its way. */
  function isCut(stream: ServerHttp2Stream): boolean {
    const last = stream.session === undefined ? undefined : lastStreams.get(stream.session);
    return last !== undefined && (stream.id ?? 0) > last;
  }

  function matchFault(stream: ServerHttp2Stream, index: number): MatchedFault | null {
    const attempt = ledger.receivedOf(index) + 1;
    return deps.faults.match({ index, service: kind, attempt, firstOnConnection: stream.id === 1 });
  }

  function onBody(arrival: Arrival, body: Body): void {
    const { headers, owner, fault, stream } = arrival;
    const refusal = deps.checkRequest({ headers, owner, bodyBytes: body.bytes, bodyStart: body.kept });
    if (refusal !== null) {
      const status = refusalStatus[refusal];
      enter(arrival, status, refusal, false);
      explain(stream, status, refusal, {});
    } else if (fault === null || fault.delayMs === 0) conclude(arrival, body);
    else setTimeout(conclude, fault.delayMs, arrival, body);
  }

  /** Counts as late as possible: a sender that left during a delay got no acceptance. */
  function conclude(arrival: Arrival, body: Body): void {
    const { stream, fault } = arrival;
    const action = fault?.action ?? null;
    if (stream.destroyed) {
      enter(arrival, 0, 'sender-left', false);
      return;
    }
    const status = statusOf(action);
    const answersAccepted = status >= 200 && status < 300;
    const accepted = answersAccepted || fault?.afterAccept === true;
    enter(arrival, status, action?.kind ?? 'none', accepted, accepted ? read(arrival, body) : unread);
    if (action === null || answersAccepted) stream.respond(acceptance(status), noDate);
    else act(stream, action, status);
  }

  function read({ headers, owner }: Arrival, body: Body): Reading {
    if (owner === null || body.kept === null || !reader.samples(owner.index)) return unread;
    const reading = reader.read(owner.index, body.kept);
    if (reading.kind === 'read') memory.keep(owner.index, headers, reading);
    return reading;
  }

  function statusOf(action: DecisiveAction | null): number {
    if (action === null || action.kind === 'goaway') return 201;
    if (action.kind === 'status') return action.status;
    return action.kind === 'throttle' ? manners.throttledStatus : 0;
  }

  /** Instead of an acceptance. */
  function act(stream: ServerHttp2Stream, action: DecisiveAction, status: number): void {
    switch (action.kind) {
      case 'status':
        explain(stream, status, action.reason ?? 'fault on request', retryAfter(action.retryAfter));
        break;
      case 'throttle':
        explain(stream, status, 'throttled on request', retryAfter(action.retryAfter));
        break;
      case 'stream-reset':
        stream.close(constants[`NGHTTP2_${action.code}`]);
        break;
      case 'connection-reset':
        if (stream.session !== undefined) deps.resetConnection(stream.session as ServerHttp2Session);
        break;
      case 'hang':
      case 'goaway':
        break;
    }
  }

  /** The sender is told that nothing happened to the message, so nothing may have happened. */
  function refuse(arrival: Arrival, action: DecisiveAction): void {
    const { stream } = arrival;
    enter(arrival, 0, action.kind, false);
    const { session } = stream;
    if (action.kind !== 'goaway' || session === undefined) {
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
      return;
    }
    // Node takes 0 for "the last one processed", hence no abrupt GOAWAY on a connection's first stream. And
    // no `session.close()`: it queues a second GOAWAY with a higher id, which is a protocol error.
    const last = (stream.id ?? 0) - 2;
    lastStreams.set(session, last);
    session.goaway(constants.NGHTTP2_NO_ERROR, last);
  }

  function enter(arrival: Arrival, status: number, cause: Cause, accepted: boolean, reading = unread): void {
    ledger.record({ index: arrival.owner?.index ?? -1, origin: number, status, cause, accepted, reading });
  }

  function explain(
    stream: ServerHttp2Stream,
    status: number,
    reason: string,
    more: OutgoingHttpHeaders,
  ): void {
    if (stream.destroyed) return;
    const { headers, body } = manners.explain(reason);
    stream.respond({ ':status': status, ...headers, ...more });
    stream.end(body);
  }

  return receiveMessage;
}

const ignore = (): void => {};
const acceptance = (status: number): OutgoingHttpHeaders => ({ ':status': status, location: '/message/1' });

const retryAfter = (value: number | string | undefined): OutgoingHttpHeaders =>
  value === undefined ? {} : { 'retry-after': String(value) };

/** Calls `done` once, when the body ended. What is over `keepBytes` is read too, but mostly not kept. */
function collectBody(stream: ServerHttp2Stream, keepBytes: number, done: (body: Body) => void): void {
  let kept: Buffer | null = null;
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    // A TLS record may end anywhere, after the third byte of a body too.
    if (kept === null) kept = chunk;
    else if (bytes < keepBytes) kept = Buffer.concat([kept, chunk]);
    bytes += chunk.length;
  });
  stream.on('end', () => done({ bytes, kept }));
}
