import { createPublicAddresses, type PublicAddresses } from '../network/public-addresses.ts';
import { createOwnClient } from './http/own-client.ts';
import { createUndiciClient } from './http/undici-client.ts';
import type { WorkerOptions } from './protocol.ts';
import type { ClientOptions, PushClient } from './push-client.ts';

type Create = (options: ClientOptions, addresses: PublicAddresses | null) => PushClient;

const transports: Readonly<Record<WorkerOptions['pushTransport'], Create>> = {
  own: createOwnClient,
  undici: createUndiciClient,
};

/** @param addresses which ones may be connected to; null: any. Tests put in their own. */
export function createPushClient(
  options: ClientOptions & Pick<WorkerOptions, 'pushTransport'>,
  addresses: PublicAddresses | null = options.allowAnyEndpointHost ? null : createPublicAddresses(),
): PushClient {
  return transports[options.pushTransport](options, addresses);
}
