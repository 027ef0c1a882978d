import type { IncomingHttpHeaders } from 'node:http2';
import type { CheckVapid } from './check-vapid.ts';
import type { ServiceKind } from './options.ts';
import { type RefusalReason, serviceManners } from './services.ts';
import type { EndpointOwner } from './subscriber.ts';

/** What is known of a message once its last byte came. */
export interface Message {
  readonly headers: IncomingHttpHeaders;
  readonly owner: EndpointOwner | null;
  readonly bodyBytes: number;
  /** At least the first `BODY_START_BYTES`, or all of a shorter body. Null: no body. */
  readonly bodyStart: Buffer | null;
}

/** @returns why the message is refused, or null. Services check in this order. */
export type CheckRequest = (message: Message) => RefusalReason | null;

export const MAX_BODY_BYTES = 4_096;
const MAX_TTL_SECONDS = 2_419_200;
const urgencies = new Set(['very-low', 'low', 'normal', 'high']);
const topicPattern = /^[A-Za-z0-9_-]{1,32}$/;

export function createCheckRequest(kind: ServiceKind, checkVapid: CheckVapid): CheckRequest {
  const manners = serviceManners[kind];

  /** RFC 8030, section 5.2. */
  function checkTtl(headers: IncomingHttpHeaders): RefusalReason | null {
    const ttl = one(headers.ttl);
    if (ttl === undefined) return 'ttl-missing';
    if (!/^\d+$/.test(ttl) || Number(ttl) > MAX_TTL_SECONDS) return 'ttl-invalid';
    if (!manners.cachePolicy) return null;
    const policy = one(headers['x-wns-cache-policy']) ?? 'cache';
    return (policy === 'no-cache') === (Number(ttl) === 0) ? null : 'cache-policy-conflict';
  }

  /** RFC 8030, sections 5.3 and 5.4. */
  function checkOptional(headers: IncomingHttpHeaders): RefusalReason | null {
    const urgency = one(headers.urgency);
    if (urgency !== undefined && !urgencies.has(urgency)) return 'urgency-invalid';
    const topic = one(headers.topic);
    if (topic === undefined) return null;
    if (!topicPattern.test(topic)) return 'topic-invalid';
    return manners.topicIsBase64 && topic.length % 4 === 1 ? 'topic-invalid' : null;
  }

  return ({ headers, owner, bodyBytes, bodyStart }) => {
    if (owner === null) return 'unknown-endpoint';
    if (headers[':method'] !== 'POST') return 'method-not-allowed';
    if (bodyBytes > MAX_BODY_BYTES) return 'body-too-large';
    return (
      checkTtl(headers) ??
      (headers['content-encoding'] === 'aes128gcm' ? null : 'encoding-invalid') ??
      checkOptional(headers) ??
      (isPushBody(bodyBytes, bodyStart) ? null : 'body-malformed') ??
      checkVapid(headers.authorization, owner.senderMark)
    );
  };
}

const SALT_BYTES = 16;
const KEY_ID_BYTES = 65;
/** Up to and with the first byte of the key id: what `Message.bodyStart` must hold. */
export const BODY_START_BYTES = SALT_BYTES + 4 + 1 + 1;
const HEADER_BYTES = SALT_BYTES + 4 + 1 + KEY_ID_BYTES;
/** An empty plaintext: its delimiter and the tag. */
const MIN_RECORD_BYTES = 17;

/** RFC 8188, section 2.1, as RFC 8291, section 4 narrows it: one record, the sender's point as key id. */
function isPushBody(bytes: number, start: Buffer | null): boolean {
  if (start === null || start.length < BODY_START_BYTES || bytes < HEADER_BYTES + MIN_RECORD_BYTES)
    return false;
  const isPoint = start[SALT_BYTES + 4] === KEY_ID_BYTES && start[SALT_BYTES + 5] === 4;
  return isPoint && start.readUInt32BE(SALT_BYTES) >= bytes - HEADER_BYTES;
}

const one = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' || value === undefined ? value : value.join(',');
