import { type ChannelBoard, channelOfOrigin } from '../contract/channel-board.ts';
import {
  type EndpointPolicy,
  type EndpointRefusal,
  type PushService,
  parseEndpoint,
  pushServiceOf,
  pushServices,
} from '../contract/push-service.ts';
import { buildHeaders } from './headers.ts';
import type { SendBlock, VapidIdentity } from './protocol.ts';
import type { Authorize } from './vapid.ts';

/** What all messages of a block to one origin have in common, made once. */
export interface Letterhead {
  readonly origin: string;
  readonly service: PushService;
  /** Index into `pushServices`. */
  readonly serviceIndex: number;
  /** Place on the app's board. */
  readonly channel: number;
  /** Null where the app's VAPID keys are no keys, or have no subject. */
  readonly headers: string[] | null;
}

export type Address =
  | { readonly kind: 'address'; readonly letterhead: Letterhead; readonly path: string }
  | { readonly kind: 'refused'; readonly why: EndpointRefusal }
  /** Bound to a key pair that the task does not bring. */
  | { readonly kind: 'other-key' };

export type AddressOf = (endpoint: string, keyNumber: number | null) => Address;

/** Bounded by the block: at most one letterhead a target. */
export function createAddressOf(
  task: SendBlock,
  board: ChannelBoard,
  policy: EndpointPolicy,
  authorize: Authorize,
): AddressOf {
  /** By key pair, then by origin. */
  const ofKeys = new Map<VapidIdentity, Map<string, Letterhead>>();

  function letterheadOf(url: URL, identity: VapidIdentity): Letterhead {
    const { origin, hostname } = url;
    const letterheads = ofKeys.get(identity) ?? new Map<string, Letterhead>();
    ofKeys.set(identity, letterheads);
    const known = letterheads.get(origin);
    if (known !== undefined) return known;
    const service = pushServiceOf(hostname);
    const authorization = authorize(identity, origin);
    const headers = authorization === null ? null : buildHeaders(task.notification, service, authorization);
    const serviceIndex = pushServices.indexOf(service);
    const channel = service === 'other' ? channelOfOrigin(board, origin) : serviceIndex;
    const letterhead = { origin, service, serviceIndex, channel, headers };
    letterheads.set(origin, letterhead);
    return letterhead;
  }

  return function addressOf(endpoint, keyNumber) {
    const url = parseEndpoint(endpoint, policy);
    if (typeof url === 'string') return { kind: 'refused', why: url };
    const identity = identityOf(task, keyNumber);
    if (identity === null) return { kind: 'other-key' };
    return { kind: 'address', letterhead: letterheadOf(url, identity), path: url.pathname + url.search };
  };
}

function identityOf({ vapid, vapidByNumber }: SendBlock, keyNumber: number | null): VapidIdentity | null {
  if (keyNumber === null || vapidByNumber === undefined) return vapid;
  return vapidByNumber.get(keyNumber) ?? null;
}
