import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Exposition } from '../../adapters/telemetry/metrics.ts';
import { type ControlSecret, type ControlSurface, controlAnswer } from './control-answer.ts';
import { type Answer, json } from './internal-answer.ts';
import { isOwnHost } from './own-host.ts';
import type { ProgressStreams } from './progress-streams.ts';
import type { Readiness } from './readiness.ts';

/**
 * Health, metrics and control of a role that serves nothing else: `GET /health/live`, `/health/ready`,
 * `/metrics`, `/state`, `/deliveries/{id}/progress` (a stream of events), the role's own `lookUp`, and `POST
 * /pause`, `/resume`, `/drain`. Reads need no authentication, so on loopback unless the operator names another
 * address; changes need the secret where there is one. A request under a name that may be a stranger's gets
 * 421.
 *
 * Life cycle: serves → `drain` (ready answers 503, so that no traffic comes to this process) → `close`.
 */
export interface InternalServer {
  /** Where it listens, such as `http://127.0.0.1:8081`. */
  readonly url: string;
  drain(): void;
  /** Takes no more requests, lets running answers finish up to the deadline, then cuts them. Safe to call twice. */
  close(deadlineMs: number): Promise<void>;
}

export interface InternalServerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Further names by which it may be asked. */
  readonly hostNames?: readonly string[];
  /** The secret that a POST needs; null: none. */
  readonly secret?: ControlSecret;
  readonly readiness: Readiness;
  readonly metrics: () => Promise<Exposition>;
  /** Answers further paths as JSON; null: there is nothing at this path. */
  readonly lookUp?: (path: string) => Promise<object | null>;
  /** Null: nothing to control yet. */
  readonly control?: () => ControlSurface | null;
  readonly streams?: ProgressStreams;
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
    answer(request, response, options, draining).then(
      (given) => given !== 'streaming' && send(response, given, server.listening),
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
      options.streams?.close();
      return closeServer(server, deadlineMs);
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { hostNames = [], secret = null, readiness, metrics, lookUp, control, streams }: InternalServerOptions,
  draining: boolean,
): Promise<Answer | 'streaming'> {
  if (!isOwnHost(request.headers.host, hostNames)) return misdirected;
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  const engine = control?.() ?? null;
  const controlled = control === undefined ? null : controlAnswer(request, path, { engine, secret });
  if (controlled !== null) return controlled;
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { ...json(405, { message: `This address does not take ${request.method}.` }), allow: 'GET, HEAD' };
  }
  switch (path) {
    case '/health/live':
      return json(200, { status: 'live' });
    case '/health/ready':
      return draining || isDraining(engine) ? drainingAnswer : readyAnswer(await readiness());
    case '/metrics':
      return { status: 200, ...(await metrics()) };
    default: {
      const [, id] = /^\/deliveries\/([1-9]\d{0,14})\/progress$/.exec(path) ?? [];
      if (id !== undefined && streams !== undefined) return stream(streams, Number(id), request, response);
      const found = await lookUp?.(path);
      return found ? json(200, found) : json(404, { message: 'Not found.' });
    }
  }
}

const misdirected = json(421, {
  message:
    'The Host header names another server. Add the name to INTERNAL_HOST_NAMES if it is this listener’s.',
});

function readyAnswer(checks: Readonly<Record<string, boolean>>): Answer {
  const ready = Object.values(checks).every(Boolean);
  return json(ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', checks });
}

const drainingAnswer = json(503, { status: 'draining', checks: {} });
const isDraining = (engine: ControlSurface | null): boolean => /^drain/.test(engine?.state() ?? '');

async function stream(
  streams: ProgressStreams,
  id: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Answer | 'streaming'> {
  if (request.method === 'HEAD') return { ...json(405, { message: 'A stream has no HEAD.' }), allow: 'GET' };
  switch (await streams.open({ id }, response)) {
    case 'open':
      return 'streaming';
    case 'missing':
      return json(404, { message: 'Not found.' });
    case 'full':
      return json(503, { message: 'Too many streams are open, or Postgres does not answer.' });
  }
}

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
