import type { TLSSocket } from 'node:tls';
import { Client } from 'undici';
import { type Exchange, type HttpSession, type HttpSessionEvents, IDLE_MS } from './exchange.ts';
import { reasonOf } from './reason.ts';

export interface Http1Options {
  readonly origin: string;
  readonly answerTimeoutMs: number;
}

/** A body over this ends its connection: nothing that long answers a push message. */
const MAX_BODY_BYTES = 65_536;

/**
 * One connection to a push service that knows nothing newer than HTTP/1.1: one request at a time.
 */
export function createHttp1Session(
  socket: TLSSocket,
  options: Http1Options,
  events: HttpSessionEvents,
): HttpSession {
  let isOver = false;
  let isBusy = false;
  let given = false;
  let hasCarried = false;
  const client = new Client(options.origin, {
    // Only this socket: the caller opens the next one too.
    connect: (_, callback) => {
      const isFirst = !given;
      given = true;
      // Not before this call returns: undici takes it for busy until then.
      queueMicrotask(() => {
        if (isFirst && !socket.destroyed) return callback(null, socket);
        leave();
        callback(new Error('the connection is over'), null);
      });
    },
    pipelining: 1,
    headersTimeout: options.answerTimeoutMs,
    bodyTimeout: options.answerTimeoutMs,
    keepAliveTimeout: IDLE_MS,
    maxResponseSize: MAX_BODY_BYTES,
  });
  client.on('disconnect', end);
  client.on('connectionError', end);
  // The client knows nothing of a socket that it was not given yet.
  socket.once('close', end);

  function leave(): void {
    if (isOver) return;
    isOver = true;
    events.onOver('CONNECTION_CLOSED', hasCarried);
  }

  function end(): void {
    leave();
    // Not at once: this runs inside the client's own callbacks too.
    queueMicrotask(() => {
      void client.destroy();
      socket.destroy();
    });
  }

  function close(): void {
    leave();
    client.close(() => socket.destroy());
  }

  const connection: Connection = {
    leave,
    isOver: () => isOver,
    onDone() {
      isBusy = false;
      if (!isOver) events.onFree();
    },
  };

  queueMicrotask(events.onFree);
  return {
    free: () => (isOver || isBusy ? 0 : 1),
    request(exchange) {
      isBusy = true;
      hasCarried = true;
      const { path, headers, body } = exchange;
      client.dispatch({ method: 'POST', path, headers, body }, new Handler(exchange, connection));
    },
    close,
    destroy: end,
  };
}

interface Connection {
  leave(): void;
  isOver(): boolean;
  onDone(): void;
}

/** Translates undici's callbacks for an exchange. */
class Handler {
  private readonly exchange: Exchange;
  private readonly connection: Connection;
  /** The request was written, or is about to be: from here on the peer may have seen it. */
  private started = false;

  constructor(exchange: Exchange, connection: Connection) {
    this.exchange = exchange;
    this.connection = connection;
  }

  onRequestStart(): void {
    this.started = true;
  }

  onResponseStart(_: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status < 200) return; // interim answers come this way too
    // A request given to the client between this answer and the end of the socket would never be written.
    if (String(headers.connection).toLowerCase() === 'close') this.connection.leave();
    const retryAfter = headers['retry-after'];
    this.exchange.onStatus(status, typeof retryAfter === 'string' ? retryAfter : null);
  }

  onResponseData(_: unknown, piece: Buffer): void {
    this.exchange.onBody(piece);
  }

  onResponseEnd(): void {
    this.exchange.onEnd();
    this.connection.onDone();
  }

  onResponseError(_: unknown, error: Error): void {
    if (this.started) this.exchange.onFailure('unknown', failureOf(error));
    // It waited for a socket that ended: another one may take it.
    else if (this.connection.isOver()) this.exchange.onRefused(failureOf(error));
    else this.exchange.onFailure('refused', failureOf(error));
    this.connection.onDone();
  }
}

const failureOf = (error: Error): string => {
  const reason = reasonOf(error);
  return reason === 'UND_ERR_HEADERS_TIMEOUT' ? 'ANSWER_TIMEOUT' : reason;
};
