import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { PublicAddresses } from '../../engine/network/public-addresses.ts';
import { checkImage, type ImageChecked, MAX_IMAGE_BYTES, refuseImage, tooLarge } from './check-image.ts';

/** From the first look-up to the last byte, redirects included. */
const TIME_LIMIT_MS = 5_000;
const MAX_REDIRECTS = 3;

export type FetchImage = (url: string) => Promise<ImageChecked>;

/**
 * One answer for a name that is not known, a port that is closed, a host that is silent and a name that leads
 * inside: who may choose the URL must not learn from it what runs in our network.
 */
const unreachable = refuseImage('must lead to an image that can be fetched from the public internet');

/**
 * Fetches the image at a URL that a stranger chose. Every address is checked before it is connected to, that of
 * each redirect too; the bytes are counted as they come, whatever the answer says of their length.
 */
export function createFetchImage(addresses: PublicAddresses): FetchImage {
  return async function fetchImage(url) {
    const signal = AbortSignal.timeout(TIME_LIMIT_MS);
    try {
      return await follow(addresses, url, signal);
    } catch {
      return unreachable;
    }
  };
}

async function follow(addresses: PublicAddresses, from: string, signal: AbortSignal): Promise<ImageChecked> {
  let address: string | null = from;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const url = address === null ? null : URL.parse(address);
    if (url === null || !mayFetch(url, addresses)) return unreachable;
    const answer = await get(url, addresses, signal);
    address = redirectOf(answer, url);
    if (address === null) return await read(answer);
    answer.destroy();
  }
  return refuseImage(`must not redirect more than ${MAX_REDIRECTS} times`);
}

function mayFetch(url: URL, addresses: PublicAddresses): boolean {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
  if (url.username !== '' || url.password !== '') return false;
  // A socket asks no look-up for an address literal.
  return addresses.allows(url.hostname.replace(/^\[|\]$/g, ''));
}

function get(url: URL, { lookup }: PublicAddresses, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const headers = {
    accept: 'image/png, image/jpeg',
    'accept-encoding': 'identity',
    'user-agent': 'Broadside',
  };
  return new Promise((resolve, reject) => {
    // An agent of its own: no connection is shared, none is kept, no proxy of the environment is asked.
    request(url, { lookup, signal, headers, agent: false }, resolve).on('error', reject).end();
  });
}

function redirectOf(answer: IncomingMessage, url: URL): string | null {
  const { statusCode = 0, headers } = answer;
  const redirects = statusCode > 300 && statusCode < 309 && statusCode !== 304;
  if (!redirects || headers.location === undefined) return null;
  return URL.parse(headers.location, url)?.href ?? 'nowhere';
}

async function read(answer: IncomingMessage): Promise<ImageChecked> {
  const { statusCode, headers } = answer;
  try {
    if (statusCode !== 200) return refuseImage(`must lead to an image, not to an answer ${statusCode}`);
    if (Number(headers['content-length'] ?? 0) > MAX_IMAGE_BYTES) return tooLarge;
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_IMAGE_BYTES) return tooLarge;
      chunks.push(chunk);
    }
    return answer.complete ? checkImage(Buffer.concat(chunks)) : unreachable;
  } finally {
    answer.destroy();
  }
}
