// tier: unit
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildHeaders, wireTopic } from '../../engine/worker/headers.ts';
import { makeNotification } from './support.ts';

const asObject = (headers: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] as string] as const] : [])),
  );

describe('the headers of a notification', () => {
  it('always carry TTL, urgency, the coding and the authorization', () => {
    const notification = makeNotification({ ttlSeconds: 0, urgency: 'high' });
    expect(asObject(buildHeaders(notification, 'fcm', 'vapid t=a, k=b'))).toEqual({
      ttl: '0',
      urgency: 'high',
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      authorization: 'vapid t=a, k=b',
    });
  });

  it('carry a topic only where one was given', () => {
    const headers = asObject(buildHeaders(makeNotification({ topic: 'breaking' }), 'apple', ''));
    expect(headers.topic).toBe(wireTopic('breaking'));
  });

  it('forbid WNS to keep messages that must be shown at once or never', () => {
    const policy = (ttlSeconds: number) =>
      asObject(buildHeaders(makeNotification({ ttlSeconds }), 'wns', ''))['x-wns-cache-policy'];
    expect(policy(0)).toBe('no-cache');
    expect(policy(60)).toBe('cache');
  });

  it('send every topic as 32 characters of base64url, the same for the same topic', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (topic) => {
        const digest = createHash('sha256').update(topic).digest();
        expect(wireTopic(topic)).toBe(digest.subarray(0, 24).toString('base64url'));
        expect(wireTopic(topic)).toMatch(/^[\w-]{32}$/);
      }),
    );
  });
});
