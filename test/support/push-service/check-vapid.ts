import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { RefusalReason } from './services.ts';
import { senderMark } from './subscriber.ts';

/**
 * RFC 8292 for one push service.
 * @param audiences what a token may name: its origin, and perhaps that without its port.
 * @param expectedMark `senderMark` of the key the subscription is bound to; empty: bound to none.
 * @returns why the sender is refused, or null.
 */
export type CheckVapid = (authorization: string | undefined, expectedMark: string) => RefusalReason | null;

interface Token {
  readonly refusal: RefusalReason | null;
  readonly expiresAtMs: number;
  readonly senderMark: string;
}

const MAX_CACHED_TOKENS = 1_024;
const DAY_MS = 86_400_000;

/** A sender uses one token for hours: its signature (100 µs) is verified once, its expiry every time. */
export function createCheckVapid(audiences: readonly string[]): CheckVapid {
  const cache = new Map<string, Token>();

  function read(authorization: string): Token {
    const known = cache.get(authorization);
    if (known !== undefined) return known;
    if (cache.size >= MAX_CACHED_TOKENS) cache.clear();
    const token = readToken(authorization, audiences);
    cache.set(authorization, token);
    return token;
  }

  return (authorization, expectedMark) => {
    if (authorization === undefined) return 'vapid-missing';
    const token = read(authorization);
    if (token.refusal !== null) return token.refusal;
    const leftMs = token.expiresAtMs - Date.now();
    if (leftMs <= 0) return 'vapid-expired';
    if (leftMs > DAY_MS) return 'vapid-expiry-too-far';
    return expectedMark === '' || expectedMark === token.senderMark ? null : 'vapid-key-mismatch';
  };
}

const refused = (refusal: RefusalReason): Token => ({ refusal, expiresAtMs: 0, senderMark: '' });

function readToken(authorization: string, audiences: readonly string[]): Token {
  const { t: jwt = '', k: key = '' } = readParameters(authorization);
  const publicKey = importKey(key);
  const [header, claims, signature, ...more] = jwt.split('.');
  if (publicKey === null || !header || !claims || !signature || more.length > 0) {
    return refused('vapid-malformed');
  }
  const { alg } = parse(header);
  const { aud, exp, sub } = parse(claims);
  if (alg !== 'ES256' || typeof exp !== 'number') return refused('vapid-malformed');
  if (!isSigned(`${header}.${claims}`, signature, publicKey)) return refused('vapid-signature-invalid');
  if (typeof aud !== 'string' || !audiences.includes(aud)) return refused('vapid-audience-invalid');
  if (!isReachableSubject(sub)) return refused('vapid-subject-invalid');
  return { refusal: null, expiresAtMs: exp * 1_000, senderMark: senderMark(key) };
}

/** `vapid t=…, k=…`, the parameters in any order. RFC 8292, section 3. */
function readParameters(authorization: string): Partial<Record<string, string>> {
  const [, list = ''] = /^vapid +(.*)$/i.exec(authorization) ?? [];
  return Object.fromEntries(list.split(',').map((parameter) => parameter.trim().split('=', 2)));
}

function importKey(key: string): KeyObject | null {
  const point = Buffer.from(key, 'base64url');
  if (point.length !== 65 || point[0] !== 4) return null;
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  try {
    return createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' } });
  } catch {
    return null;
  }
}

/** JWS signatures are the two numbers side by side, not DER. RFC 7518, section 3.4. */
function isSigned(text: string, signature: string, key: KeyObject): boolean {
  const bytes = Buffer.from(signature, 'base64url');
  return verify('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, bytes);
}

function parse(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Apple refuses an unreachable contact; the double does so for all. */
function isReachableSubject(subject: unknown): boolean {
  const url = typeof subject === 'string' ? URL.parse(subject) : null;
  if (url === null || (url.protocol !== 'mailto:' && url.protocol !== 'https:')) return false;
  const host = url.protocol === 'https:' ? url.hostname : (url.pathname.split('@')[1] ?? '');
  return host !== '' && !/^(.*\.)?(localhost|invalid)$/.test(host);
}
