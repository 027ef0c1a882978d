import { type ChannelState, channelOfOrigin, SENDERS } from '../contract/channel-state.ts';
import {
  type EndpointPolicy,
  type EndpointRefusal,
  type PushService,
  parseEndpoint,
  pushServiceOf,
  pushServices,
} from '../contract/push-service.ts';
import { buildHeaders } from './headers.ts';
import type { OriginHealth, Origins } from './origin-health.ts';
import type { SendBlock, VapidIdentity } from './protocol.ts';
import type { Authorize } from './vapid.ts';

/** The headers that all messages of a block to one origin share, built once. */
export interface SharedHeaders {
  readonly origin: string;
  readonly service: PushService;
  /** Index into `pushServices`. */
  readonly serviceIndex: number;
  /** The app's key pair that signs; its index in the channel state (`SENDERS`). */
  readonly key: number;
  readonly health: OriginHealth;
  /** Place on the app's state. An origin that never answered takes none: there are few. */
  channel(): number;
  /** Made when it is first sent with: a signature for each name that strangers made up would be dear. Null where
   * the app's VAPID keys are not keys, or have no subject. */
  headers(): string[] | null;
}

export type Address =
  | { readonly kind: 'address'; readonly sharedHeaders: SharedHeaders; readonly path: string }
  | { readonly kind: 'refused'; readonly why: EndpointRefusal }
  /** Bound to a key pair that the task does not bring. */
  | { readonly kind: 'other-key' };

export type AddressOf = (endpoint: string, keyNumber: number | null) => Address;

/** Bounded by the block: at most one set of headers for each target. */
export function createAddressOf(
  task: SendBlock,
  state: ChannelState,
  policy: EndpointPolicy,
  authorize: Authorize,
  origins: Origins,
): AddressOf {
  /** By key pair, then by origin. */
  const ofKeys = new Map<VapidIdentity, Map<string, SharedHeaders>>();

  function sharedHeadersOf(url: URL, identity: VapidIdentity, keyNumber: number | null): SharedHeaders {
    const { origin, hostname } = url;
    const byOrigin = ofKeys.get(identity) ?? new Map<string, SharedHeaders>();
    ofKeys.set(identity, byOrigin);
    const known = byOrigin.get(origin);
    if (known !== undefined) return known;
    const service = pushServiceOf(hostname);
    const serviceIndex = pushServices.indexOf(service);
    const health = origins.of(origin);
    let headers: string[] | null | undefined;
    let channel = serviceIndex;
    const sharedHeaders: SharedHeaders = {
      origin,
      service,
      serviceIndex,
      health,
      key: (keyNumber ?? 0) % SENDERS,
      channel() {
        if (channel === 0 && health.isReal) channel = channelOfOrigin(state, origin);
        return channel;
      },
      headers() {
        if (headers !== undefined) return headers;
        const authorization = authorize(identity, origin);
        headers = authorization === null ? null : buildHeaders(task.notification, service, authorization);
        return headers;
      },
    };
    byOrigin.set(origin, sharedHeaders);
    return sharedHeaders;
  }

  return function addressOf(endpoint, keyNumber) {
    const url = parseEndpoint(endpoint, policy);
    if (typeof url === 'string') return { kind: 'refused', why: url };
    const identity = identityOf(task, keyNumber);
    if (identity === null) return { kind: 'other-key' };
    return {
      kind: 'address',
      sharedHeaders: sharedHeadersOf(url, identity, keyNumber),
      path: url.pathname + url.search,
    };
  };
}

function identityOf({ vapid, vapidByNumber }: SendBlock, keyNumber: number | null): VapidIdentity | null {
  if (keyNumber === null || vapidByNumber === undefined) return vapid;
  return vapidByNumber.get(keyNumber) ?? null;
}
