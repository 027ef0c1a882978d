import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Exposition } from './metrics.ts';
import type { Readiness } from './readiness.ts';

/**
 * Health and metrics of a role that serves nothing else: `GET /health/live`, `/health/ready`, `/metrics`,
 * and what the role's own `lookUp` knows.
 * Without authentication, so on loopback unless the operator names another address.
 *
 * Life cycle: serves → `drain` (ready answers 503, so that nobody counts on this process) → `close`.
 */
export interface InternalServer {
  /** Where it listens, such as `http://127.0.0.1:8081`. */
  readonly url: string;
  drain(): void;
  /** Takes no more, lets answers in hand finish up to the deadline, then cuts. Safe to call twice. */
  close(deadlineMs: number): Promise<void>;
}

export interface InternalServerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly readiness: Readiness;
  readonly metrics: () => Promise<Exposition>;
  /** Answers further paths as JSON; null: there is nothing at this path. */
  readonly lookUp?: (path: string) => Promise<object | null>;
}

/** An orchestrator and a few scrapers; more is a mistake, and must not cost the engine its sockets. */
const MAX_CONNECTIONS = 64;
const REQUEST_TIMEOUT_MS = 5_000;

/** @throws Error where the address cannot be listened on. */
export async function startInternalServer(options: InternalServerOptions): Promise<InternalServer> {
  let draining = false;
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: REQUEST_TIMEOUT_MS });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    answer(request, options, draining).then(
      (given) => send(response, given, server.listening),
      () => send(response, json(500, { message: 'Something went wrong on our side.' }), server.listening),
    );
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  return {
    url: urlOf(server),
    drain: () => {
      draining = true;
    },
    close: (deadlineMs) => {
      draining = true;
      return closeServer(server, deadlineMs);
    },
  };
}

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly allow?: string;
}

async function answer(
  request: IncomingMessage,
  { readiness, metrics, lookUp }: InternalServerOptions,
  draining: boolean,
): Promise<Answer> {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { ...json(405, { message: `This address does not take ${request.method}.` }), allow: 'GET, HEAD' };
  }
  switch (path) {
    case '/health/live':
      return json(200, { status: 'live' });
    case '/health/ready':
      return draining ? json(503, { status: 'draining', checks: {} }) : readyAnswer(await readiness());
    case '/metrics':
      return { status: 200, ...(await metrics()) };
    default: {
      const found = await lookUp?.(path);
      return found ? json(200, found) : json(404, { message: 'Not found.' });
    }
  }
}

function readyAnswer(checks: Readonly<Record<string, boolean>>): Answer {
  const ready = Object.values(checks).every(Boolean);
  return json(ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', checks });
}

const json = (status: number, body: object): Answer => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
});

function send(response: ServerResponse, given: Answer, listening: boolean): void {
  // While closing, a connection kept open after its answer would hold `close` back until the deadline.
  if (!listening) response.shouldKeepAlive = false;
  response.writeHead(given.status, {
    'content-type': given.contentType,
    'content-length': Buffer.byteLength(given.body),
    'cache-control': 'no-store',
    ...(given.allow === undefined ? {} : { allow: given.allow }),
  });
  response.end(response.req.method === 'HEAD' ? undefined : given.body);
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

async function closeServer(server: Server, deadlineMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  const late = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await closed;
  clearTimeout(late);
}
