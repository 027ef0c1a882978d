import { hash } from 'node:crypto';
import type { PushService } from '../contract/push-service.ts';
import type { NotificationOnWire } from './protocol.ts';

/**
 * The request headers of a notification for one push service (RFC 8030 section 5): names and values in
 * turn. They are the same for every target of an origin, so one array serves them all.
 */
export function buildHeaders(
  notification: NotificationOnWire,
  service: PushService,
  authorization: string,
): string[] {
  const headers = [
    ...['ttl', String(notification.ttlSeconds)],
    ...['urgency', notification.urgency],
    ...['content-encoding', 'aes128gcm'],
    ...['content-type', 'application/octet-stream'],
    ...['authorization', authorization],
  ];
  if (notification.topic !== null) headers.push('topic', wireTopic(notification.topic));
  if (service === 'wns')
    headers.push('x-wns-cache-policy', notification.ttlSeconds === 0 ? 'no-cache' : 'cache');
  return headers;
}

const TOPIC_BYTES = 24;

/**
 * 32 characters of base64url for any topic: Apple decodes a topic as base64 and refuses lengths of 1
 * modulo 4; RFC 8030 section 5.4 allows at most 32.
 */
export function wireTopic(topic: string): string {
  return hash('sha256', topic, 'buffer').toString('base64url', 0, TOPIC_BYTES);
}
