import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { Certificate } from './certificate.ts';

export interface OriginServer {
  readonly port: number;
  setMaxConcurrentStreams(streams: number): void;
  /** TCP RST under the session: nothing in flight gets an answer. */
  resetConnection(session: ServerHttp2Session): void;
  /** Cuts every connection; what is in flight gets no answer. */
  close(): Promise<void>;
}

export interface OriginServerOptions {
  readonly certificate: Certificate;
  readonly port: number;
  readonly maxConcurrentStreams: number;
  readonly onStream: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;
  /** Takes HTTP/1.1. Null: it is not offered. */
  readonly onRequest: ((request: IncomingMessage, response: ServerResponse) => void) | null;
}

const MAX_SESSIONS = 4_096;
const KEEP_ALIVE_MS = 60_000;

/** HTTP/2 over TLS on loopback, as a push service offers it. @throws the error of `listen`, EADDRINUSE say. */
export async function serveOrigin(options: OriginServerOptions): Promise<OriginServer> {
  const { cert, key } = options.certificate;
  const settings = { maxConcurrentStreams: options.maxConcurrentStreams };
  const protocols = options.onRequest === null ? {} : { ALPNCallback: preferHttp2 };
  const server = createSecureServer({ cert, key, settings, ...protocols });
  if (options.onRequest !== null) takeHttp1(server, options.onRequest);
  let granted = options.maxConcurrentStreams;
  const sessions = new Set<ServerHttp2Session>();
  const sockets = trackSockets(server);

  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  // A client that disconnects midway is not a fault of the double.
  server.on('sessionError', () => {});
  server.on('stream', options.onStream);
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    setMaxConcurrentStreams(maxConcurrentStreams) {
      if (maxConcurrentStreams === granted) return;
      granted = maxConcurrentStreams;
      server.updateSettings({ maxConcurrentStreams });
      for (const session of sessions) if (!session.destroyed) session.settings({ maxConcurrentStreams });
    },
    resetConnection: (session) => sockets.get(session.socket.remotePort ?? 0)?.resetAndDestroy(),
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const session of sessions) session.destroy();
      for (const socket of sockets.values()) socket.destroy();
      await closed;
    },
  };
}

/** The TCP sockets by the client's port: a session does not give its own away, and TLS cannot send RST. */
function trackSockets(server: Http2SecureServer): Map<number, Socket> {
  const sockets = new Map<number, Socket>();
  server.maxConnections = MAX_SESSIONS;
  server.on('connection', (socket: Socket) => {
    const port = socket.remotePort ?? 0;
    sockets.set(port, socket);
    socket.on('close', () => sockets.delete(port));
  });
  return sockets;
}

const preferHttp2 = ({ protocols }: { readonly protocols: readonly string[] }): string =>
  protocols.includes('h2') ? 'h2' : 'http/1.1';

/**
 * `allowHTTP1` would do the same, but every HTTP/2 stream would then become a compatibility request too, at
 * the cost of each message.
 */
function takeHttp1(
  server: Http2SecureServer,
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  const plain = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, onRequest);
  server.on('unknownProtocol', (socket) => void plain.emit('connection', socket));
  server.on('close', () => plain.closeAllConnections());
}
