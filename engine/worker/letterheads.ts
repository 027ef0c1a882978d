import {
  type EndpointPolicy,
  type EndpointRefusal,
  type PushService,
  parseEndpoint,
  pushServiceOf,
  pushServices,
} from '../contract/push-service.ts';
import { buildHeaders } from './headers.ts';
import type { SendBlock } from './protocol.ts';
import type { Authorize } from './vapid.ts';

/** What all messages of a block to one origin have in common, made once. */
export interface Letterhead {
  readonly origin: string;
  readonly service: PushService;
  /** Index into `pushServices`. */
  readonly serviceIndex: number;
  /** Null where the app's VAPID keys are no keys. */
  readonly headers: string[] | null;
}

export type Address =
  | { readonly kind: 'address'; readonly letterhead: Letterhead; readonly path: string }
  | { readonly kind: 'refused'; readonly why: EndpointRefusal };

export type AddressOf = (endpoint: string) => Address;

/** Bounded by the block: at most one letterhead a target. */
export function createAddressOf(task: SendBlock, policy: EndpointPolicy, authorize: Authorize): AddressOf {
  const letterheads = new Map<string, Letterhead>();

  function letterheadOf(url: URL): Letterhead {
    const { origin, hostname } = url;
    const known = letterheads.get(origin);
    if (known !== undefined) return known;
    const service = pushServiceOf(hostname);
    const authorization = authorize(task.vapid, origin);
    const headers = authorization === null ? null : buildHeaders(task.notification, service, authorization);
    const letterhead = { origin, service, serviceIndex: pushServices.indexOf(service), headers };
    letterheads.set(origin, letterhead);
    return letterhead;
  }

  return function addressOf(endpoint) {
    const url = parseEndpoint(endpoint, policy);
    if (typeof url === 'string') return { kind: 'refused', why: url };
    return { kind: 'address', letterhead: letterheadOf(url), path: url.pathname + url.search };
  };
}
