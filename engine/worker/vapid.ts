import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { VapidIdentity } from './protocol.ts';

/** RFC 8292 lets a token live 24 hours; half of it leaves room for clocks that differ. */
const TOKEN_LIFE_MS = 12 * 3_600_000;
/** A token this close to its end is replaced, so that none ends between hand-over and check. */
const RENEW_BEFORE_MS = 3_600_000;
/** Tokens kept per thread, one for each (identity, audience); the least recently used one goes first. */
const MAX_TOKENS = 1_024;
const POINT_BYTES = 65;

interface Token {
  readonly header: string;
  readonly renewAt: number;
}

/**
 * The `Authorization` value for a push service's origin, RFC 8292 section 3.
 * @returns null where the identity has no subject, or keys that are not a P-256 pair: no push service would accept it.
 */
export type Authorize = (identity: VapidIdentity, audience: string) => string | null;

/** @param now milliseconds since the epoch. */
export function createAuthorize(now: () => number, maxTokens = MAX_TOKENS): Authorize {
  const tokens = new Map<string, Token>();
  return function authorize(identity, audience) {
    const key = `${identity.publicKey} ${identity.privateKey} ${identity.subject} ${audience}`;
    const known = tokens.get(key);
    tokens.delete(key);
    const token = known !== undefined && now() < known.renewAt ? known : issue(identity, audience, now());
    if (token === null) return null;
    tokens.set(key, token); // Last in the map's order: the most recently used.
    if (tokens.size > maxTokens) tokens.delete(tokens.keys().next().value as string);
    return token.header;
  };
}

function issue(identity: VapidIdentity, audience: string, now: number): Token | null {
  if (identity.subject === null) return null;
  const key = importPrivateKey(identity);
  if (key === null) return null;
  const claims = { aud: audience, exp: Math.floor((now + TOKEN_LIFE_MS) / 1_000), sub: identity.subject };
  const unsigned = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(unsigned), {
    key,
    dsaEncoding: 'ieee-p1363',
  });
  const token = `${unsigned}.${signature.toString('base64url')}`;
  return {
    header: `vapid t=${token}, k=${identity.publicKey}`,
    renewAt: now + TOKEN_LIFE_MS - RENEW_BEFORE_MS,
  };
}

/** Node refuses a JWK whose private number does not belong to its point. */
function importPrivateKey({ publicKey, privateKey }: VapidIdentity): KeyObject | null {
  const point = Buffer.from(publicKey, 'base64url');
  if (point.length !== POINT_BYTES) return null;
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)];
  try {
    return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d: privateKey }, format: 'jwk' });
  } catch {
    return null;
  }
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
