import type { TLSSocket } from 'node:tls';
import type { Failure } from '../../contract/outcome.ts';
import { createHeaderEncoder } from '../hpack/encoder.ts';
import { createCalm } from './calm.ts';
import type { Exchange, HttpSession, HttpSessionEvents, HttpSessionOptions } from './exchange.ts';
import { createFieldsOf } from './fields.ts';
import { createFrameWriter } from './frame-writer.ts';
import { createIncoming, MAX_HEADER_LIST_BYTES } from './incoming.ts';
import { startKeeper } from './keeper.ts';
import { createOutgoing, type OutgoingStream } from './outgoing.ts';
import {
  codeOfError,
  type ErrorName,
  flag,
  frameType,
  Http2Error,
  nameOfError,
  setting,
} from './protocol.ts';
import { reasonOf } from './reason.ts';
import { createReceiveWindow } from './receive-window.ts';

interface Stream extends OutgoingStream {
  readonly exchange: Exchange;
  /** By `performance.now()`. */
  readonly sentAt: number;
  hasStatus: boolean;
  bodyBytes: number;
}

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
/** A body over this resets its stream: nothing that long answers a push message. */
const MAX_BODY_BYTES = 16_384;
/** A shorter piece that does not end its body brings nothing forward: of a body nobody reads more than its beginning. */
const MIN_PROGRESS_BYTES = 64;
/** A peer that asks and asks, and reads nothing, must not fill the memory with answers. */
const MAX_UNREAD_BYTES = 4_194_304;
/** Then the connection is left: identifiers end at 2³¹ (RFC 9113 section 5.1.1). */
const LAST_STREAM_ID = 0x7fff_fff1;

/**
 * One HTTP/2 connection that carries POSTs with short bodies, as a client (RFC 9113).
 *
 * Own code, because this is where a message costs most: see the measurements in bench/README.md. It takes no
 * push, no priorities and no upgrade, and everything that a peer may make it hold is bounded: a frame, a header
 * block, a table of fields, answers to its questions, and the streams that it opened itself. So are frames
 * without progress (calm.ts).
 */
export function createHttp2Session(
  socket: TLSSocket,
  options: HttpSessionOptions,
  events: HttpSessionEvents,
): HttpSession {
  /** In the order of their sending, which is that of their deadlines. */
  const streams = new Map<number, Stream>();
  const fieldsOf = createFieldsOf(options.authority);
  const encoder = createHeaderEncoder();
  const writer = createFrameWriter(send);
  const outgoing = createOutgoing(writer);
  const received = createReceiveWindow(writer);
  const calm = createCalm();
  let nextId = 1;
  let maxStreams = Number.POSITIVE_INFINITY;
  let isReady = false;
  let isOver = false;
  let isEnded = false;
  let timeoutsInRow = 0;
  let answeredAt = 0;
  let usedAt = performance.now();
  let lateTimer: NodeJS.Timeout | null = null;

  function send(bytes: Buffer, done: () => void): void {
    if (socket.destroyed) return;
    socket.write(bytes, done);
    if (socket.writableLength > MAX_UNREAD_BYTES) end('READS_NOTHING');
  }

  function sendNumbers(type: number, id: number, ...numbers: readonly number[]): void {
    const { target, at } = writer.frame(type, 0, id, numbers.length * 4);
    numbers.forEach((number, index) => void target.writeUInt32BE(number, at + index * 4));
  }

  const resetStream = (id: number, why: ErrorName): void =>
    sendNumbers(frameType.resetStream, id, codeOfError(why));

  /** None of the peer's streams was ever processed. */
  const sendGoAway = (why: ErrorName): void => sendNumbers(frameType.goAway, 0, 0, codeOfError(why));

  function open(): void {
    socket.write(preface);
    const { target, at } = writer.frame(frameType.settings, 0, 0, 12);
    target.writeUInt16BE(setting.enablePush, at);
    target.writeUInt32BE(0, at + 2);
    target.writeUInt16BE(setting.maxHeaderListSize, at + 6);
    target.writeUInt32BE(MAX_HEADER_LIST_BYTES, at + 8);
    received.open();
  }

  const take = createIncoming({
    lastId: () => nextId - 2,
    headers(id, status, retryAfter, endsStream) {
      const stream = streams.get(id);
      if (stream === undefined) return calm.fruitless();
      if (!stream.hasStatus) {
        const isInterim = status >= 100 && status < 200;
        if (status < 100 || (isInterim && endsStream)) return breakStream(stream, 'PROTOCOL_ERROR');
        if (isInterim) return calm.fruitless();
        stream.hasStatus = true;
        timeoutsInRow = 0;
        answeredAt = performance.now();
        calm.ended();
        stream.exchange.onStatus(status, retryAfter);
      } else if (!endsStream) calm.fruitless();
      if (endsStream) finish(stream);
    },
    data(id, piece, frameBytes, endsStream) {
      received.took(frameBytes);
      const stream = streams.get(id);
      if (stream === undefined) return calm.fruitless();
      if (piece.length < MIN_PROGRESS_BYTES && !endsStream) calm.fruitless();
      if (!stream.hasStatus) return breakStream(stream, 'PROTOCOL_ERROR');
      stream.bodyBytes += frameBytes;
      if (piece.length > 0) stream.exchange.onBody(piece);
      if (endsStream) finish(stream);
      else if (stream.bodyBytes > MAX_BODY_BYTES) breakStream(stream, 'CANCEL');
    },
    reset(id, code) {
      const stream = streams.get(id);
      if (stream === undefined) return calm.fruitless();
      const why = nameOfError(code);
      if (!forget(stream)) return;
      if (why === 'REFUSED_STREAM') stream.exchange.onRefused(why);
      else stream.exchange.onFailure(failureOf(stream), why);
      afterStreams();
    },
    setting(id, value) {
      if (id === setting.headerTableSize) encoder.setTableSize(value);
      else if (id === setting.maxConcurrentStreams) maxStreams = value;
      else if (id === setting.initialWindowSize) outgoing.setInitialWindow(value, streams.values());
    },
    settings() {
      writer.frame(frameType.settings, flag.ack, 0, 0);
      isReady = true;
      clearTimeout(unready);
      if (outgoing.goOn() > 0) calm.letOut();
      afterStreams();
    },
    ping(payload) {
      const { target, at } = writer.frame(frameType.ping, flag.ack, 0, payload.length);
      payload.copy(target, at);
    },
    pong: () => keeper.ponged(),
    goAway(lastId, code) {
      leave(`GOAWAY_${nameOfError(code)}`);
      for (const stream of [...streams.values()]) {
        if (stream.id <= lastId || !forget(stream)) continue;
        stream.exchange.onRefused(`GOAWAY_${nameOfError(code)}`);
      }
      afterStreams();
    },
    windowUpdate(id, bytes) {
      const stream = streams.get(id);
      if (id === 0) outgoing.widen(bytes);
      else if (stream !== undefined && !outgoing.widenStream(stream, bytes)) {
        breakStream(stream, bytes === 0 ? 'PROTOCOL_ERROR' : 'FLOW_CONTROL_ERROR');
      }
      if (outgoing.goOn() > 0) calm.letOut();
      else calm.fruitless();
      afterStreams();
    },
    fruitless: calm.fruitless,
  });

  function finish(stream: Stream): void {
    if (!forget(stream)) return;
    // A peer may answer before it has read the body: the rest of that stays here.
    if (stream.sentBytes < stream.body.length) resetStream(stream.id, 'CANCEL');
    stream.exchange.onEnd();
    afterStreams();
  }

  function breakStream(stream: Stream, why: ErrorName): void {
    if (!forget(stream)) return;
    resetStream(stream.id, why);
    stream.exchange.onFailure(failureOf(stream), why);
    afterStreams();
  }

  /** @returns false when it had ended already: a callback may have ended the whole session. */
  function forget(stream: Stream): boolean {
    outgoing.drop(stream);
    calm.ended();
    return streams.delete(stream.id);
  }

  function afterStreams(): void {
    if (!isOver) events.onFree();
    else if (streams.size === 0 && !isEnded) {
      sendGoAway('NO_ERROR');
      end('CONNECTION_CLOSED');
    }
  }

  /** Answers that did not come in time. A session in which that happens again and again is not a session. */
  function endLate(): void {
    lateTimer = null;
    const now = performance.now();
    const late: Stream[] = [];
    for (const stream of streams.values()) {
      const leftMs = stream.sentAt + options.answerTimeoutMs - now;
      if (leftMs > 0) {
        lateTimer = setTimeout(endLate, Math.ceil(leftMs));
        break;
      }
      late.push(stream);
    }
    // Only after the next timer is set: the callback may send a request, which would set one of its own.
    for (const stream of late) {
      if (!forget(stream)) continue;
      // Where others were answered meanwhile the session lives: to close it would cost them theirs.
      if (!stream.hasStatus && answeredAt < stream.sentAt) timeoutsInRow++;
      resetStream(stream.id, 'CANCEL');
      stream.exchange.onFailure(failureOf(stream), 'ANSWER_TIMEOUT');
    }
    if (timeoutsInRow >= options.deadAfterTimeouts) end('NO_ANSWERS');
    else afterStreams();
  }

  const keeper = startKeeper({
    unusedSince: () => (streams.size === 0 ? usedAt : null),
    ping: () => sendNumbers(frameType.ping, 0, 0, 0),
    onSilent: () => end('PING_TIMEOUT'),
    onIdle: close,
  });

  const unready = setTimeout(() => end('SETTINGS_TIMEOUT'), options.settingsTimeoutMs).unref();

  /** No more requests over this one. */
  function leave(why: string): void {
    clearTimeout(unready);
    if (isOver) return;
    isOver = true;
    events.onOver(why, nextId > 1);
  }

  function close(): void {
    leave('CONNECTION_CLOSED');
    afterStreams();
  }

  function end(why: string): void {
    if (isEnded) return;
    isEnded = true;
    keeper.stop();
    clearTimeout(lateTimer ?? undefined);
    leave(why);
    const lost = [...streams.values()];
    streams.clear();
    // After what this turn wrote, such as the reason.
    setImmediate(() => socket.destroy());
    for (const stream of lost) stream.exchange.onFailure(failureOf(stream), why);
  }

  socket.setNoDelay(true);
  socket.on('data', (chunk: Buffer) => {
    if (isEnded) return;
    try {
      take(chunk);
    } catch (error) {
      if (!(error instanceof Http2Error)) throw error;
      sendGoAway(error.code);
      if (error.code === 'ENHANCE_YOUR_CALM') events.onFlood();
      end(error.code);
    }
  });
  socket.on('error', (error) => end(reasonOf(error)));
  socket.on('end', () => end('CONNECTION_CLOSED'));
  socket.on('close', () => end('CONNECTION_CLOSED'));
  open();

  return {
    free() {
      if (isOver || !isReady || outgoing.isFull()) return 0;
      return Math.max(0, Math.min(options.maxStreams, maxStreams) - streams.size);
    },
    request(exchange) {
      const { path, headers, body } = exchange;
      const id = nextId;
      nextId += 2;
      usedAt = performance.now();
      calm.requested();
      const window = outgoing.initialWindow();
      const stream: Stream = {
        id,
        exchange,
        body,
        sentBytes: 0,
        window,
        sentAt: usedAt,
        hasStatus: false,
        bodyBytes: 0,
      };
      streams.set(id, stream);
      // Before anything is written: that may end the session, and its timers with it.
      lateTimer ??= setTimeout(endLate, options.answerTimeoutMs);
      outgoing.headers(id, encoder, path, fieldsOf(headers, body.length));
      outgoing.body(stream);
      if (nextId > LAST_STREAM_ID) leave('STREAMS_USED_UP');
    },
    close,
    destroy: () => end('CONNECTION_CLOSED'),
  };
}

/** A peer cannot take a message of which a part stayed here: RFC 9113 section 8.1.1 has it refuse the request. */
const failureOf = ({ sentBytes, body }: Stream): Failure => (sentBytes < body.length ? 'refused' : 'unknown');
