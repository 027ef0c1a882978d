import { type ClientHttp2Session, connect, constants } from 'node:http2';
import webpush from 'web-push';
import type { Subscriber } from './subscriber.ts';

/**
 * The simplest correct sender: `web-push` encrypts and signs, `node:http2` sends. It retries nothing,
 * so what the double does to a message is what comes out.
 */
export interface PlainSender {
  readonly vapidPublicKey: string;
  send(subscriber: Subscriber, change?: Change): Promise<Ending>;
  /** The connection to an endpoint's origin; made where there is none. */
  session(endpoint: string): ClientHttp2Session;
  close(): void;
}

/** Deviations from a correct request. */
export interface Change {
  readonly payload?: string;
  readonly ttlSeconds?: number;
  readonly method?: string;
  /** Sent instead of the endpoint's. */
  readonly path?: string;
  /** `null` takes a header away. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: Buffer;
  /** Stops waiting, and closes the stream, after this. */
  readonly patienceMs?: number;
}

export type Ending =
  | { readonly kind: 'answered'; readonly status: number; readonly headers: Headers; readonly body: string }
  /** The stream was closed with this HTTP/2 error code. */
  | { readonly kind: 'stream-closed'; readonly code: number }
  /** No answer came within `patienceMs`. */
  | { readonly kind: 'silence' };
type Headers = Readonly<Record<string, string | string[] | number | undefined>>;

const defaultPayload = JSON.stringify({ notification: { title: 'Hello' } });
const vapidSubject = 'mailto:push@example.org';

export function createPlainSender(ca: string): PlainSender {
  const keys = webpush.generateVAPIDKeys();
  const sessions = new Map<string, ClientHttp2Session>();

  function session(endpoint: string): ClientHttp2Session {
    const { origin } = new URL(endpoint);
    const open = sessions.get(origin);
    if (open !== undefined && !open.closed && !open.destroyed) return open;
    const opened = connect(origin, { ca });
    opened.on('error', () => {});
    sessions.set(origin, opened);
    return opened;
  }

  async function send(subscriber: Subscriber, change: Change = {}): Promise<Ending> {
    const { p256dh, auth, endpoint } = subscriber;
    const made = webpush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      change.payload ?? defaultPayload,
      {
        TTL: change.ttlSeconds ?? 60,
        vapidDetails: { subject: vapidSubject, ...keys },
      },
    );
    const { pathname, search } = new URL(endpoint);
    const headers = { ...lowerCased(made.headers), ...lowerCased(change.headers ?? {}) };
    // The length was right for the body it was made with.
    const body = change.body ?? made.body ?? Buffer.alloc(0);
    return exchange(session(endpoint), body, change.patienceMs ?? 20_000, {
      ...present(headers),
      'content-length': String(body.length),
      ':method': change.method ?? 'POST',
      ':path': change.path ?? pathname + search,
    });
  }

  return {
    vapidPublicKey: keys.publicKey,
    send,
    session,
    close: () => sessions.forEach((open) => void open.destroy()),
  };
}

const present = (headers: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null));

const lowerCased = (headers: Readonly<Record<string, unknown>>): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      value === null ? null : String(value),
    ]),
  );

/** Resolves when the stream is closed, however it was. */
function exchange(
  session: ClientHttp2Session,
  body: Buffer,
  patienceMs: number,
  sent: Record<string, string>,
) {
  const { promise, resolve } = Promise.withResolvers<Ending>();
  const stream = session.request(sent);
  let headers: Headers | null = null;
  let text = '';
  const impatience = setTimeout(() => {
    resolve({ kind: 'silence' });
    stream.close(constants.NGHTTP2_CANCEL);
  }, patienceMs);
  stream.on('response', (received) => {
    headers = received;
  });
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  stream.on('error', () => {});
  stream.on('close', () => {
    clearTimeout(impatience);
    if (headers === null) resolve({ kind: 'stream-closed', code: stream.rstCode ?? 0 });
    else resolve({ kind: 'answered', status: Number(headers[':status']), headers, body: text });
  });
  stream.end(body);
  return promise;
}
