import {
  constants,
  type OutgoingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { DecisiveAction } from './faults.ts';
import type { ServiceKind } from './options.ts';
import { serviceManners } from './services.ts';

/** The ways a message can be answered, or not. Nothing here is counted. */
export interface Answer {
  accept(stream: ServerHttp2Stream, status: number): void;
  refuse(stream: ServerHttp2Stream, status: number, reason: string): void;
  /** A fault on request instead of an acceptance. */
  act(stream: ServerHttp2Stream, action: DecisiveAction, status: number): void;
  /** The sender learns that nothing happened to the message (`isRefusal`), so nothing may have happened. */
  disown(stream: ServerHttp2Stream, action: DecisiveAction): void;
  /** Silently refused: it came behind a stream that an abrupt GOAWAY cut off. */
  isDisowned(stream: ServerHttp2Stream): boolean;
}

const acceptOptions = Object.freeze({ endStream: true, sendDate: false });

export function createAnswer(
  kind: ServiceKind,
  resetConnection: (session: ServerHttp2Session) => void,
): Answer {
  const { explain } = serviceManners[kind];
  /** Of the connections that got an abrupt GOAWAY. */
  const lastStreams = new WeakMap<object, number>();

  function refuseStream(
    stream: ServerHttp2Stream,
    status: number,
    reason: string,
    more: OutgoingHttpHeaders,
  ): void {
    if (isGone(stream)) return;
    const { headers, body } = explain(reason);
    stream.respond({ ':status': status, ...headers, ...more });
    stream.end(body);
  }

  function tellSlowly(stream: ServerHttp2Stream, status: number, ms: number): void {
    if (isGone(stream)) return;
    const { headers, body } = explain('slow on request');
    stream.respond({ ':status': status, ...headers });
    setTimeout(() => {
      if (!isGone(stream)) stream.end(body);
    }, ms);
  }

  function act(stream: ServerHttp2Stream, action: DecisiveAction, status: number): void {
    switch (action.kind) {
      case 'status':
        refuseStream(stream, status, action.reason ?? 'fault on request', retryAfter(action.retryAfter));
        break;
      case 'throttle':
        refuseStream(stream, status, 'throttled on request', retryAfter(action.retryAfter));
        break;
      case 'stream-reset':
        stream.close(constants[`NGHTTP2_${action.code}`]);
        break;
      case 'connection-reset':
        if (stream.session !== undefined) resetConnection(stream.session as ServerHttp2Session);
        break;
      case 'slow-body':
        tellSlowly(stream, status, action.ms);
        break;
      case 'hang':
      case 'goaway':
      case 'slow-read':
        break;
    }
  }

  function disown(stream: ServerHttp2Stream, action: DecisiveAction): void {
    const { session } = stream;
    if (action.kind !== 'goaway' || session === undefined || session.destroyed) {
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
      return;
    }
    // Node takes 0 for "the last one processed", so there is no abrupt GOAWAY on a connection's first stream. And
    // no `session.close()`: it queues a second GOAWAY with a higher id, which is a protocol error.
    const last = (stream.id ?? 0) - 2;
    lastStreams.set(session, last);
    session.goaway(constants.NGHTTP2_NO_ERROR, last);
  }

  function isDisowned(stream: ServerHttp2Stream): boolean {
    const last = stream.session === undefined ? undefined : lastStreams.get(stream.session);
    return last !== undefined && (stream.id ?? 0) > last;
  }

  return {
    accept: (stream, status) => stream.respond(acceptance(status), acceptOptions),
    refuse: (stream, status, reason) => refuseStream(stream, status, reason, {}),
    act,
    disown,
    isDisowned,
  };
}

/** Closed comes a moment before destroyed, and to answer a closed stream throws. */
export const isGone = (stream: ServerHttp2Stream): boolean => stream.closed || stream.destroyed;

/** RFC 8030, section 5: where the message could be asked for; here it cannot. */
const acceptance = (status: number): OutgoingHttpHeaders => ({ ':status': status, location: '/message/1' });

const retryAfter = (value: number | string | undefined): OutgoingHttpHeaders =>
  value === undefined ? {} : { 'retry-after': String(value) };
