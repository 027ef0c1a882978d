import { randomBytes } from 'node:crypto';
import type { PublicAddresses } from '../../engine/network/public-addresses.ts';

/** What Standard Webhooks asks for is 24 to 64. */
const KEY_BYTES = 32;

export interface WebhookSecret {
  readonly key: Buffer;
  /** As it is shown, once. */
  readonly shown: string;
}

export function newWebhookSecret(): WebhookSecret {
  const key = randomBytes(KEY_BYTES);
  return { key, shown: `whsec_${key.toString('base64')}` };
}

/** The URL of a receiver; null where it may not be one. The address that its name leads to is checked when it is sent to. */
export function receiverUrl(addresses: Pick<PublicAddresses, 'allows'>, text: string): URL | null {
  const url = URL.parse(text.trim());
  const fits =
    url?.protocol === 'https:' &&
    url.username === '' &&
    url.password === '' &&
    addresses.allows(url.hostname);
  return fits ? url : null;
}
