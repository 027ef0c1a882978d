import { createPublicAddresses, type PublicAddresses } from '../network/public-addresses.ts';
import { createUndiciClient } from './http/undici-client.ts';
import type { WorkerOptions } from './protocol.ts';
import type { ClientOptions, PushClient } from './push-client.ts';
import { createTwoClients, type SecondClient } from './second-client.ts';

const alwaysOpen: SecondClient = { isOpen: () => true, onGivenUp: () => {} };

/**
 * Our own HTTP/2 with undici's behind it, or undici's alone.
 * @param addresses which ones may be connected to; null: any. Tests put in their own.
 */
export function createPushClient(
  options: ClientOptions & Pick<WorkerOptions, 'pushTransport'>,
  addresses: PublicAddresses | null = options.allowAnyEndpointHost ? null : createPublicAddresses(),
  secondClient = alwaysOpen,
): PushClient {
  switch (options.pushTransport) {
    case 'own':
      return createTwoClients(options, addresses, secondClient);
    case 'undici':
      return createUndiciClient(options, addresses);
  }
}
