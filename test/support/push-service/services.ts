import type { OutgoingHttpHeaders } from 'node:http2';
import type { ServiceKind } from './options.ts';

/** Why a message was not taken. A fault of the sender; faults on request are in `faults.ts`. */
export const refusalReasons = [
  'unknown-endpoint',
  'method-not-allowed',
  'ttl-missing',
  'ttl-invalid',
  'cache-policy-conflict',
  'encoding-invalid',
  'urgency-invalid',
  'topic-invalid',
  'body-malformed',
  'body-too-large',
  'vapid-missing',
  'vapid-malformed',
  'vapid-signature-invalid',
  'vapid-audience-invalid',
  'vapid-expired',
  'vapid-expiry-too-far',
  'vapid-subject-invalid',
  'vapid-key-mismatch',
  'silent-pushes',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** As the services answer: no credentials 401, credentials that do not hold 403, a bad request 400. */
export const refusalStatus: Readonly<Record<RefusalReason, number>> = Object.freeze({
  'unknown-endpoint': 404,
  'method-not-allowed': 405,
  'ttl-missing': 400,
  'ttl-invalid': 400,
  'cache-policy-conflict': 400,
  'encoding-invalid': 400,
  'urgency-invalid': 400,
  'topic-invalid': 400,
  'body-malformed': 400,
  'body-too-large': 413,
  'vapid-missing': 401,
  'vapid-malformed': 401,
  'vapid-signature-invalid': 403,
  'vapid-audience-invalid': 403,
  'vapid-expired': 403,
  'vapid-expiry-too-far': 403,
  'vapid-subject-invalid': 403,
  'vapid-key-mismatch': 403,
  'silent-pushes': 410,
});

/** What differs between the push services. */
export interface ServiceManners {
  readonly throttledStatus: number;
  /** Topics are decoded as base64: a length of 1 modulo 4 cannot be. */
  readonly topicIsBase64: boolean;
  /** TTL 0 needs `X-WNS-Cache-Policy: no-cache`, another TTL must not have it. */
  readonly cachePolicy: boolean;
  /** Messages that show nothing, until the subscription ends. Null: not counted. */
  readonly endsAfterSilent: number | null;
  /** How a refusal gives its reason: a header (WNS sends no body) or a JSON body. */
  explain(reason: string): { readonly headers: OutgoingHttpHeaders; readonly body: string };
}

const json = { 'content-type': 'application/json' };
const plain: Omit<ServiceManners, 'explain'> = {
  throttledStatus: 429,
  topicIsBase64: false,
  cachePolicy: false,
  endsAfterSilent: null,
};

export const serviceManners: Readonly<Record<ServiceKind, ServiceManners>> = Object.freeze({
  fcm: {
    ...plain,
    explain: (reason: string) => ({ headers: { 'content-type': 'text/plain' }, body: reason }),
  },
  mozilla: {
    ...plain,
    explain: (reason: string) => ({ headers: json, body: JSON.stringify({ message: reason }) }),
  },
  wns: {
    ...plain,
    throttledStatus: 406,
    cachePolicy: true,
    explain: (reason: string) => ({ headers: { 'x-wns-error-description': reason }, body: '' }),
  },
  apple: {
    ...plain,
    topicIsBase64: true,
    endsAfterSilent: 3,
    explain: (reason: string) => ({ headers: json, body: JSON.stringify({ reason }) }),
  },
});
