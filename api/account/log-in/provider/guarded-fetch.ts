import { lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { readAtMost } from '../../../../engine/network/follow-public.ts';
import type { PublicAddresses } from '../../../../engine/network/public-addresses.ts';
import { requestPublic } from '../../../../engine/network/request-public.ts';
import type { ProviderConfig } from '../../../settings/provider.ts';

/** A discovery document has some KB; key sets of large providers have up to 30. */
const MAX_BYTES = 256 * 1024;
/** From the lookup to the last byte of one answer. */
const DEADLINE_MS = 10_000;
/** Answers that may have no body. */
const EMPTY = new Set([204, 205, 304]);

/** A provider does not answer, or may not be asked: callers say the same of both. */
export class ProviderAway extends Error {}

export interface FetchRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export type ProviderFetch = (url: string, request: FetchRequest) => Promise<Response>;

/** Whether the operator lets this host have private addresses and plain http. */
export type IsPrivateHost = (url: URL) => boolean;

const privateHostsOf = (hosts: readonly string[]): IsPrivateHost => {
  const known = new Set(hosts.map((host) => host.toLowerCase()));
  return ({ host }) => known.has(host);
};

export function openidPartsOf(
  addresses: PublicAddresses,
  { oidcPrivateHosts = [] }: Partial<ProviderConfig>,
): { readonly fetch: ProviderFetch; readonly isPrivate: IsPrivateHost } {
  const isPrivate = privateHostsOf(oidcPrivateHosts);
  return { isPrivate, fetch: createProviderFetch(addresses, isPrivate) };
}

/** Neither is checked: for hosts that the operator named. */
const open: PublicAddresses = { allows: () => true, lookup };

/**
 * Fetches what a provider, or its discovery document, names. An organization's admin chose the URL: the address is
 * checked before the connection, bytes and time are bounded, and no redirect is followed.
 * @throws ProviderAway.
 */
export function createProviderFetch(addresses: PublicAddresses, isPrivate: IsPrivateHost): ProviderFetch {
  return async function providerFetch(url, { method, headers, body }) {
    try {
      const target = new URL(url);
      if (!mayBeAsked(target, isPrivate)) throw new Error('a provider answers over https');
      const signal = AbortSignal.timeout(DEADLINE_MS);
      const answer = await requestPublic(isPrivate(target) ? open : addresses, target, {
        method: method === 'POST' ? 'POST' : 'GET',
        headers,
        ...(body === undefined || body === null ? {} : { body: String(body) }),
        signal,
      });
      const { bytes, whole } = await readAtMost(answer, MAX_BYTES);
      if (!whole || !answer.complete) throw new Error('the answer is too large, or broke off');
      return responseOf(answer, bytes);
    } catch (error) {
      throw new ProviderAway('the provider does not answer', { cause: error });
    }
  };
}

/** Also of the pages to which browsers are sent. */
export const mayBeAsked = (url: URL, isPrivate: IsPrivateHost): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && isPrivate(url));

function responseOf({ statusCode = 502, headers }: IncomingMessage, bytes: Buffer): Response {
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value ?? '')]);
  return new Response(EMPTY.has(statusCode) ? null : new Uint8Array(bytes), {
    status: statusCode,
    headers: pairs,
  });
}
