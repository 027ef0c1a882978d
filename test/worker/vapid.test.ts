// tier: unit
import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import webpush from 'web-push';
import { createAuthorize } from '../../engine/worker/vapid.ts';
import { makeVapid } from './support.ts';

const hourMs = 3_600_000;
const audience = 'https://push.example';
const identity = makeVapid();

function read(header: string | null) {
  const [, token, key] = /^vapid t=([^,]+), k=(.+)$/.exec(header ?? '') ?? [];
  if (token === undefined || key === undefined) throw new Error(`no vapid header: ${header}`);
  const [head, claims, signature] = token.split('.') as [string, string, string];
  const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)];
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const holds = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  return { head: decode(head), claims: decode(claims), key, holds };
}

describe('VAPID', () => {
  it('signs a token for one audience that lives twelve hours', () => {
    const header = read(createAuthorize(() => 1_000_000_500)(identity, audience));
    expect(header).toEqual({
      head: { typ: 'JWT', alg: 'ES256' },
      claims: { aud: audience, exp: 1_000_000 + 12 * 3_600, sub: identity.subject },
      key: identity.publicKey,
      holds: true,
    });
  });

  it('equals web-push’s, which the same reader accepts', () => {
    const theirs = webpush.getVapidHeaders(
      audience,
      String(identity.subject),
      identity.publicKey,
      identity.privateKey,
      'aes128gcm',
    ).Authorization;
    const ours = read(createAuthorize(Date.now)(identity, audience));
    const reference = read(theirs);
    expect(reference.holds).toBe(true);
    expect({ ...ours, claims: { ...ours.claims, exp: 0 } }).toEqual({
      ...reference,
      claims: { ...reference.claims, exp: 0 },
    });
    expect(Math.abs(ours.claims.exp - reference.claims.exp)).toBeLessThan(10);
  });

  it('keeps a token for its audience and renews it an hour before its end', () => {
    let now = 0;
    const authorize = createAuthorize(() => now);
    const first = authorize(identity, audience);
    now = 11 * hourMs - 1;
    expect(authorize(identity, audience)).toBe(first);
    now = 11 * hourMs;
    const second = read(authorize(identity, audience));
    expect(second.claims.exp).toBe((now + 12 * hourMs) / 1_000);
  });

  it('never gives one app or audience the token of another', () => {
    const authorize = createAuthorize(() => 0);
    const other = makeVapid();
    expect(read(authorize(identity, audience)).key).toBe(identity.publicKey);
    expect(read(authorize(other, audience)).key).toBe(other.publicKey);
    expect(read(authorize(identity, 'https://other.example')).claims.aud).toBe('https://other.example');
    expect(read(authorize({ ...identity, subject: 'https://news.example' }, audience)).claims.sub).toBe(
      'https://news.example',
    );
  });

  it('keeps a bounded number of tokens and evicts the least recently used', () => {
    const authorize = createAuthorize(() => 0, 2);
    const [a, b] = ['a', 'b'].map((name) => authorize(identity, `https://${name}.example`));
    expect(authorize(identity, 'https://a.example')).toBe(a);
    authorize(identity, 'https://c.example');
    expect(authorize(identity, 'https://a.example')).toBe(a);
    // ECDSA signatures are random, so a token signed again is another one.
    expect(authorize(identity, 'https://b.example')).not.toBe(b);
  });

  it('is null without a subject: a token without one is refused message by message', () => {
    expect(createAuthorize(Date.now)({ ...identity, subject: null }, audience)).toBeNull();
  });

  it('is null for keys that are no pair', () => {
    const authorize = createAuthorize(Date.now);
    const other = makeVapid();
    for (const broken of [
      { ...identity, privateKey: other.privateKey },
      { ...identity, privateKey: 'AAAA' },
      { ...identity, privateKey: '' },
      { ...identity, publicKey: identity.publicKey.slice(0, 40) },
      { ...identity, publicKey: Buffer.alloc(65, 4).toString('base64url') },
    ]) {
      expect(authorize(broken, audience)).toBeNull();
    }
  });
});
