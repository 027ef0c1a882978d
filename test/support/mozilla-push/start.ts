import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { keepCertificate } from '../push-service/certificate.ts';
import { type CheckVapid, createCheckVapid } from '../push-service/check-vapid.ts';
import { senderMark } from '../push-service/subscriber.ts';
import { connect } from './connection.ts';
import { createMailbox, type Mailbox } from './mailbox.ts';
import { createUserAgents, type PushEnding, type UserAgents } from './user-agents.ts';

/**
 * Mozilla's push service in small, for a real Firefox: its WebSocket protocol on one side, RFC 8030 over
 * HTTP/2 on the other. Messages for a browser that is away wait until it says hello again, or their TTL is over.
 */
export interface MozillaPush {
  /** For Firefox: `dom.push.serverURL`. */
  readonly serverUrl: string;
  readonly caFile: string;
  /** How many messages browsers have acknowledged. */
  acknowledged(): number;
  /** How many subscriptions browsers have. */
  channels(): number;
  /** All subscriptions are lost, and every browser learns it when it connects again, which it must at once. */
  forget(): void;
  /** Brings a browser something that no sender of ours would send. */
  deliver(endpoint: string, body: Uint8Array): void;
  /** A subscription of a browser that has another push service. */
  createMailbox(key: string): Mailbox;
  stop(): Promise<void>;
}

export async function startMozillaPush(directory: string): Promise<MozillaPush> {
  const agents = createUserAgents();
  const endpoints = await serveEndpoints(directory, agents);
  const urlOf = (endpoint: string): string => `${endpoints.origin}/wpush/v2/${endpoint}`;
  const browsers = await serveBrowsers(agents, urlOf);
  return {
    serverUrl: browsers.url,
    caFile: endpoints.caFile,
    acknowledged: agents.acknowledged,
    channels: agents.channels,
    forget: () => {
      agents.forget();
      browsers.disconnect();
    },
    deliver: (endpoint, body) => {
      const ending = agents.push(endpoint.split('/').at(-1) ?? '', () => true, {
        version: randomBytes(12).toString('base64url'),
        data: Buffer.from(body).toString('base64url'),
        untilMs: Date.now() + 60_000,
      });
      if (ending !== 'taken') throw new Error(`${endpoint} did not take it: ${ending}`);
    },
    createMailbox: (key) => createMailbox(agents, urlOf, key),
    stop: async () => {
      await Promise.all([browsers.stop(), endpoints.stop()]);
    },
  };
}

async function serveBrowsers(agents: UserAgents, urlOf: (endpoint: string) => string) {
  const http = createServer();
  const sockets = new WebSocketServer({ server: http, handleProtocols: ([first]) => first ?? false });
  sockets.on('connection', (socket) => {
    const connection = connect(agents, urlOf, (message) => socket.send(JSON.stringify(message)));
    socket.on('message', (text) => connection.heard(String(text)));
    socket.on('close', () => connection.left());
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const disconnect = (): void => {
    for (const socket of sockets.clients) socket.terminate();
  };
  return {
    url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/`,
    disconnect,
    stop: async () => {
      disconnect();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

async function serveEndpoints(directory: string, agents: UserAgents) {
  const certificate = await keepCertificate(directory, ['localhost']);
  const server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
    void receive(request, response, agents, checkVapid);
  });
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  const checkVapid = createCheckVapid([origin]);
  return {
    origin,
    caFile: certificate.caFile,
    stop: async () => {
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const PUSH_PATH = /^\/wpush\/v2\/([A-Za-z0-9_-]{1,64})$/;
const MAX_BODY_BYTES = 4_096;

const statuses: Readonly<Record<PushEnding, number>> = { taken: 201, gone: 410, stranger: 403, full: 503 };

async function receive(
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  agents: UserAgents,
  checkVapid: CheckVapid,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const status = statusOf(request, Buffer.concat(chunks), agents, checkVapid);
  response.writeHead(status, { location: request.url }).end();
}

function statusOf(
  { url, headers }: Http2ServerRequest,
  body: Buffer,
  agents: UserAgents,
  checkVapid: CheckVapid,
): number {
  const [, endpoint] = PUSH_PATH.exec(url) ?? [];
  if (endpoint === undefined) return 404;
  if (headers['content-encoding'] !== 'aes128gcm' || headers.ttl === undefined) return 400;
  if (body.length > MAX_BODY_BYTES) return 413;
  const isSender = (key: string | null): boolean =>
    checkVapid(headers.authorization, key === null ? '' : senderMark(key)) === null;
  const ending = agents.push(endpoint, isSender, {
    version: randomBytes(12).toString('base64url'),
    data: body.toString('base64url'),
    untilMs: Date.now() + Number(headers.ttl) * 1_000,
  });
  return statuses[ending];
}
