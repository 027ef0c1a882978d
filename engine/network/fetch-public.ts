import type { IncomingMessage } from 'node:http';
import { followPublic, readAtMost } from './follow-public.ts';
import type { PublicAddresses } from './public-addresses.ts';

const MAX_REDIRECTS = 3;

/** What is fetched, and how much of it. */
export interface FetchOptions {
  /** The `accept` header. */
  readonly accept: string;
  readonly maxBytes: number;
  /** Of a larger answer: its first `maxBytes`, instead of nothing. */
  readonly cut: boolean;
  /** From the first lookup to the last byte, redirects included. */
  readonly timeLimitMs: number;
}

export type Fetched =
  | { readonly kind: 'fetched'; readonly body: Buffer; readonly type: string; readonly url: URL }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'too-many-redirects' }
  /**
   * One ending for an unknown name, a closed port, a silent host and a name that leads inside: a caller who chooses the
   * URL must not learn from it what runs in our network.
   */
  | { readonly kind: 'unreachable' };

export type FetchPublic = (url: string) => Promise<Fetched>;

/**
 * Fetches a URL that a stranger chose. Every address is checked before the connection, that of each redirect too; the
 * bytes are counted as they come, whatever the answer says of their length.
 */
export function createFetchPublic(addresses: PublicAddresses, options: FetchOptions): FetchPublic {
  return async function fetchPublic(url) {
    try {
      return await fetchOrThrow(addresses, options, url);
    } catch {
      return { kind: 'unreachable' };
    }
  };
}

async function fetchOrThrow(
  addresses: PublicAddresses,
  options: FetchOptions,
  from: string,
): Promise<Fetched> {
  const headers = { accept: options.accept, 'accept-encoding': 'identity' };
  const signal = AbortSignal.timeout(options.timeLimitMs);
  const followed = await followPublic(addresses, from, { headers, maxRedirects: MAX_REDIRECTS, signal });
  switch (followed.kind) {
    case 'not-public':
      return { kind: 'unreachable' };
    case 'too-many-redirects':
      return followed;
    case 'answered':
      return await read(followed.answer, followed.url, options);
  }
}

async function read(answer: IncomingMessage, url: URL, { maxBytes, cut }: FetchOptions): Promise<Fetched> {
  const { statusCode = 0, headers } = answer;
  try {
    if (statusCode !== 200) return { kind: 'status', status: statusCode };
    if (!cut && Number(headers['content-length'] ?? 0) > maxBytes) return { kind: 'too-large' };
    const { bytes, whole } = await readAtMost(answer, maxBytes);
    if (!whole && !cut) return { kind: 'too-large' };
    if (whole && !answer.complete) return { kind: 'unreachable' };
    return { kind: 'fetched', body: bytes, type: headers['content-type'] ?? '', url };
  } finally {
    answer.destroy();
  }
}
