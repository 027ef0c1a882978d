import { createECDH, type ECDH, hash } from 'node:crypto';
import type { PushServiceOrigin, ServiceKind } from './options.ts';

/**
 * Subscriptions that are not stored: keys and endpoint follow from (seed, index), so a million of them cost
 * nothing to remember, and the double can recompute what it would have issued.
 */
export interface SubscriberFactory {
  /**
   * @param applicationServerKey the VAPID public key (base64url) the subscription is bound to, as a browser
   *   binds it: another sender is refused with 403. Left out: any sender may push.
   */
  subscriber(index: number, applicationServerKey?: string): Subscriber;
  /** The key material alone, in bytes. */
  keys(index: number): SubscriberKeys;
  /** A key agreement holding the index's private key. Its owner until the next call of anything here. */
  agreement(index: number): ECDH;
  auth(index: number): Buffer;
  /** Whose endpoint a request path is on one origin; null where it was never issued there. */
  identify(origin: number, path: string): EndpointOwner | null;
  /** The origin a subscriber lives at, as a position in `origins`. */
  originOf(index: number): number;
}

export interface Subscriber {
  readonly index: number;
  readonly endpoint: string;
  /** 65 bytes, uncompressed point, base64url. */
  readonly p256dh: string;
  /** 16 bytes, base64url. */
  readonly auth: string;
  /** 32 bytes, base64url. */
  readonly privateKey: string;
}

export interface SubscriberKeys {
  readonly publicKey: Buffer;
  readonly auth: Buffer;
  readonly privateKey: Buffer;
}

export interface EndpointOwner {
  readonly index: number;
  /** `senderMark` of the key the subscription is bound to, or empty. */
  readonly senderMark: string;
}

export interface SubscriberFactoryOptions {
  readonly seed: string;
  readonly origins: readonly Pick<PushServiceOrigin, 'kind' | 'url' | 'share'>[];
  /** The number of real key pairs that all subscribers share (bench); 0: one each. */
  readonly keyPairs?: number;
}

/** The paths look like the real ones: a token in the query must survive the sender too. */
const pathPrefix: Readonly<Record<ServiceKind, string>> = Object.freeze({
  fcm: '/fcm/send/',
  mozilla: '/wpush/v2/',
  wns: '/w/?token=',
  apple: '/',
});

const INDEX_LIMIT = 2 ** 31;

export function createSubscriberFactory(options: SubscriberFactoryOptions): SubscriberFactory {
  const { origins, keyPairs = 0 } = options;
  const derive = createDerivation(options.seed);
  const rounds = origins.flatMap((origin, number) => Array<number>(origin.share).fill(number));
  const prefixes = origins.map((origin) => pathPrefix[origin.kind]);
  const pool = createAgreements((pair) => derive.scalar(pair), keyPairs);

  const originOf = (index: number) => rounds[index % rounds.length] as number;
  const token = (index: number, mark: string) => `${index.toString(36)}.${mark}.${derive.tag(index, mark)}`;
  const auth = (index: number) => derive.bytes('a', index).subarray(0, 16);

  function keys(index: number): SubscriberKeys {
    const agreement = pool(index);
    return {
      publicKey: agreement.getPublicKey(),
      auth: auth(index),
      privateKey: derive.scalar(keyPairs > 0 ? index % keyPairs : index),
    };
  }

  function subscriber(index: number, applicationServerKey?: string): Subscriber {
    const { publicKey, auth, privateKey } = keys(index);
    const origin = originOf(index);
    const mark = applicationServerKey === undefined ? '' : senderMark(applicationServerKey);
    return {
      index,
      endpoint: `${origins[origin]?.url}${prefixes[origin]}${token(index, mark)}`,
      p256dh: publicKey.toString('base64url'),
      auth: auth.toString('base64url'),
      privateKey: privateKey.toString('base64url'),
    };
  }

  function identify(origin: number, path: string): EndpointOwner | null {
    const prefix = prefixes[origin] as string;
    if (!path.startsWith(prefix)) return null;
    const index = Number.parseInt(path.slice(prefix.length), 36);
    if (!(index >= 0 && index < INDEX_LIMIT) || originOf(index) !== origin) return null;
    const markAt = path.indexOf('.', prefix.length) + 1;
    const mark = path[markAt] === '.' ? '' : path.slice(markAt, markAt + MARK_LENGTH);
    return path === prefix + token(index, mark) ? { index, senderMark: mark } : null;
  }

  return { subscriber, keys, agreement: pool, auth, identify, originOf };
}

/** Names an application server key inside the endpoints bound to it: 8 characters of its digest. */
export const senderMark = (applicationServerKey: string): string =>
  hash('sha256', Buffer.from(applicationServerKey, 'base64url'), 'base64url').slice(0, 8);

const MARK_AT = 37;
const MARK_LENGTH = 8;

/** Everything hashed has one length, so a plain digest over the secret is as good as an HMAC, and cheaper. */
function createDerivation(seed: string) {
  const input = Buffer.alloc(MARK_AT + MARK_LENGTH);
  hash('sha256', `push service double ${seed}`, 'buffer').copy(input);

  function fill(label: string, index: number, mark: string): Buffer {
    input.write(label, 32, 'latin1');
    input.writeUInt32BE(index, 33);
    input.fill(0, MARK_AT);
    input.write(mark, MARK_AT, 'latin1');
    return input;
  }
  const bytes = (label: string, index: number): Buffer => hash('sha256', fill(label, index, ''), 'buffer');

  return {
    bytes,
    tag: (index: number, mark: string): string => hash('sha512', fill('t', index, mark), 'base64url'),
    /** Below 2^255, so below the order of P-256 too; 0 has odds of 2^-255. */
    scalar(index: number): Buffer {
      const scalar = bytes('k', index);
      scalar[0] = (scalar[0] as number) & 0x7f;
      return scalar;
    },
  };
}

/** With a pool, each pair's public key is computed once (20 µs); without one, a single object is re-keyed. */
function createAgreements(scalar: (pair: number) => Buffer, keyPairs: number): (index: number) => ECDH {
  const pool: ECDH[] = [];
  function make(pair: number): ECDH {
    const agreement = createECDH('prime256v1');
    agreement.setPrivateKey(scalar(pair));
    return agreement;
  }
  if (keyPairs > 0) {
    return (index) => {
      const pair = index % keyPairs;
      pool[pair] ??= make(pair);
      return pool[pair];
    };
  }
  const only = make(0);
  return (index) => {
    only.setPrivateKey(scalar(index));
    return only;
  };
}
