import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { PublicAddresses } from './public-addresses.ts';

export interface PublicRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** Left out: none. */
  readonly body?: string;
  readonly signal: AbortSignal;
}

/**
 * One request to a URL that a stranger chose: the address is checked, and is the one that is connected to. A redirect is
 * an answer like any other. Callers say the same of every rejection: the URL's author must not learn from it what runs
 * in our network.
 * @throws Error where the URL may not be asked, or nobody answers.
 */
export async function requestPublic(
  { allows, lookup }: PublicAddresses,
  url: URL,
  { method, headers, body, signal }: PublicRequest,
): Promise<IncomingMessage> {
  // A socket asks no lookup for an address literal.
  if (!isWebAddress(url) || !allows(url.hostname))
    throw new Error('this address is not on the public internet');
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const all = { ...headers, ...length, 'user-agent': 'Broadside' };
  return new Promise((resolve, reject) => {
    // An agent of its own: no connection is shared or kept, and no proxy of the environment is used.
    request(url, { method, lookup, signal, headers: all, agent: false }, resolve)
      .on('error', reject)
      .end(body);
  });
}

const isWebAddress = ({ protocol, username, password }: URL): boolean =>
  (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
