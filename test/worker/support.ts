import { createECDH, type ECDH, randomBytes } from 'node:crypto';
import {
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type Settings,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { generate } from 'selfsigned';
import webpush from 'web-push';
import { openBackend } from '../../engine/worker/encryption/backends.ts';
import { createGovernor, governorOptions } from '../../engine/worker/governor.ts';
import { createOrigins } from '../../engine/worker/origin-health.ts';
import { createProbation } from '../../engine/worker/probation.ts';
import type {
  NotificationOnWire,
  SendBlock,
  VapidIdentity,
  WorkerOptions,
} from '../../engine/worker/protocol.ts';
import type { PushClient } from '../../engine/worker/push-client.ts';
import { createRehearsalSink } from '../../engine/worker/rehearsal-sink.ts';
import { createSendBlock } from '../../engine/worker/send-block.ts';
import { createPushClient } from '../../engine/worker/transports.ts';
import { createAuthorize } from '../../engine/worker/vapid.ts';
import { createWindow } from '../../engine/worker/window.ts';

/** One request as the little push service saw it, its body complete. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  readonly body: Buffer;
}

/** Decides one request once its body is there. */
export type Reply = (stream: ServerHttp2Stream, received: Received, session: ServerHttp2Session) => void;

export interface LittlePushService {
  readonly origin: string;
  readonly port: number;
  /** PEM to trust. */
  readonly ca: string;
  readonly pem: { readonly key: string; readonly cert: string };
  readonly received: Received[];
  /** Sessions opened so far, the ended ones included. */
  readonly sessions: ServerHttp2Session[];
  /** The most streams open at the same time, over all sessions. */
  peakStreams(): number;
  close(): Promise<void>;
}

export const accept: Reply = (stream) => stream.respond({ ':status': 201 }, { endStream: true });

export const answerWith =
  (status: number, body = '', headers: Record<string, string> = {}): Reply =>
  (stream) => {
    stream.respond({ ':status': status, ...headers });
    stream.end(body);
  };

export const neverAnswer: Reply = () => {};

/** A push service for one test on loopback: HTTP/2 over TLS, with the given behaviour. */
export async function startLittlePushService(
  given: { reply?: Reply; settings?: Settings; onStream?: (stream: ServerHttp2Stream) => boolean } = {},
): Promise<LittlePushService> {
  const reply = given.reply ?? accept;
  const pems = await certificate;
  const server = createSecureServer({
    ...{ key: pems.private, cert: pems.cert, settings: given.settings ?? {} },
    // Some servers heed the client's order: one that names http/1.1 first would get that here, and no answer.
    ALPNCallback: ({ protocols }) => protocols[0],
  });
  const received: Received[] = [];
  const sessions: ServerHttp2Session[] = [];
  // A destroyed session may leave its TCP socket open, and the server would wait for it for ever.
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  let open = 0;
  let peak = 0;
  server.on('session', (session) => {
    sessions.push(session);
    session.on('error', () => {});
  });
  server.on('stream', (raw, headers) => {
    const stream = raw as ServerHttp2Stream;
    open++;
    peak = Math.max(peak, open);
    stream.on('error', () => {});
    stream.on('close', () => open--);
    if (given.onStream?.(stream) === false) return;
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const one = { headers, path: headers[':path'] ?? '', body: Buffer.concat(chunks) };
      received.push(one);
      reply(stream, one, stream.session as ServerHttp2Session);
    });
  });
  const port = await listen(server);
  return {
    origin: `https://localhost:${port}`,
    port,
    ca: pems.cert,
    pem: { key: pems.private, cert: pems.cert },
    received,
    sessions,
    peakStreams: () => peak,
    async close() {
      for (const session of sessions) session.destroy();
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function listen(server: Http2SecureServer): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );
}

export const certificate = generate([{ name: 'commonName', value: 'little push service' }], {
  keyType: 'ec',
  curve: 'P-256',
  algorithm: 'sha256',
  extensions: [
    { name: 'basicConstraints', cA: true, critical: true },
    {
      name: 'subjectAltName',
      altNames: [
        { type: 2, value: 'localhost' },
        { type: 7, ip: '127.0.0.1' },
      ],
    },
  ],
});

/** A browser's side of a subscription: it can read what was sent to it. */
export interface Subscriber {
  readonly ecdh: ECDH;
  readonly p256dh: Buffer;
  readonly auth: Buffer;
}

export function makeSubscriber(): Subscriber {
  const ecdh = createECDH('prime256v1');
  return { ecdh, p256dh: ecdh.generateKeys(), auth: randomBytes(16) };
}

export interface Row {
  readonly seq: number;
  readonly endpoint: string;
  readonly p256dh: Uint8Array;
  readonly auth: Uint8Array;
}

/** `count` rows to one origin, the path names the seq, all with the keys of one subscriber. */
export function makeRows(origin: string, count: number, subscriber = makeSubscriber()): Row[] {
  const { p256dh, auth } = subscriber;
  return Array.from({ length: count }, (_, seq) => ({
    seq,
    endpoint: `${origin}/push/${seq}`,
    p256dh,
    auth,
  }));
}

/** What Postgres answers to `COPY (SELECT seq, endpoint, p256dh, auth …) TO STDOUT (FORMAT binary)`. */
export function copyOf(rows: readonly Row[]): Uint8Array<ArrayBuffer> {
  const parts = [Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)];
  for (const { seq, endpoint, p256dh, auth } of rows) {
    const int4 = Buffer.alloc(4);
    int4.writeInt32BE(seq);
    parts.push(Buffer.of(0, 4), field(int4), field(Buffer.from(endpoint)), field(p256dh), field(auth));
  }
  return new Uint8Array(Buffer.concat([...parts, Buffer.of(0xff, 0xff)]));
}

function field(value: Uint8Array): Buffer<ArrayBuffer> {
  const length = Buffer.alloc(4);
  length.writeInt32BE(value.length);
  return Buffer.concat([length, value]);
}

export const everyBit = (): Uint8Array => new Uint8Array(128).fill(0xff);

export const makeVapid = (): VapidIdentity => ({
  ...webpush.generateVAPIDKeys(),
  subject: 'mailto:push@news.example',
});

export const makeNotification = (given: Partial<NotificationOnWire> = {}): NotificationOnWire => ({
  plaintext: Buffer.from('{"web_push":8030,"notification":{"title":"News"}}'),
  ttlSeconds: 3_600,
  urgency: 'normal',
  topic: null,
  ...given,
});

export const makeTask = (rows: readonly Row[], given: Partial<SendBlock> = {}): SendBlock => ({
  kind: 'send-block',
  targets: copyOf(rows),
  wanted: everyBit(),
  notification: makeNotification(),
  vapid: makeVapid(),
  stop: new Int32Array(new SharedArrayBuffer(4)),
  notAfterMs: null,
  rehearsal: false,
  ...given,
});

/** Whatever carries messages passes the same tests. */
export const pushTransports = ['own', 'undici'] as const satisfies readonly WorkerOptions['pushTransport'][];

export const makeWorkerOptions = (given: Partial<WorkerOptions> = {}): WorkerOptions => ({
  connectionsPerOrigin: 2,
  streamsPerConnection: 100,
  maxInFlight: 256,
  // A busy machine takes seconds for a handshake: no test that leaves these is about them.
  connectTimeoutMs: 20_000,
  answerTimeoutMs: 60_000,
  deadSessionAfterTimeouts: 3,
  maxOrigins: 16,
  extraCa: null,
  endpointHosts: [],
  allowAnyEndpointHost: true,
  pushTransport: 'own',
  encryptionBackend: 'auto',
  cryptoMbLibrary: null,
  allowProbes: true,
  ...given,
});

/** What sends a block in a worker's thread. @param wrap changes how a message leaves. */
export function makeSender(
  ca: string,
  given: Partial<WorkerOptions> = {},
  wrap = (real: PushClient): PushClient => real,
) {
  const options = makeWorkerOptions({ extraCa: ca, ...given });
  const client = wrap(createPushClient(options));
  const window = createWindow(options.maxInFlight);
  const { encryptBatch } = openBackend('node', { cryptoMbLibrary: null });
  const authorize = createAuthorize(Date.now);
  const sink = createRehearsalSink(() => 0.5);
  const random = Math.random;
  const governor = createGovernor(governorOptions(options), Date.now, random);
  const now = Date.now;
  const own = { window, governor, probation: createProbation(), origins: createOrigins() };
  const deps = { options, encryptBatch, authorize, client, sink, random, now, ...own };
  return { window, sendBlock: createSendBlock(deps), close: client.close };
}
