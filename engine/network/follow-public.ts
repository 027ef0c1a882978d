import type { IncomingMessage } from 'node:http';
import type { PublicAddresses } from './public-addresses.ts';
import { requestPublic } from './request-public.ts';

export interface FollowOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly maxRedirects: number;
  readonly signal: AbortSignal;
}

export type Followed =
  | { readonly kind: 'answered'; readonly answer: IncomingMessage; readonly url: URL }
  /** The URL, or that of a redirect, is none of the web, or a literal address that is not public. */
  | { readonly kind: 'not-public' }
  | { readonly kind: 'too-many-redirects' };

/**
 * Gets a URL that a stranger chose, redirects included: the address of each is checked before its connection.
 * @throws Error where nobody answers, or a name leads inside: callers say the same of both.
 */
export async function followPublic(
  addresses: PublicAddresses,
  from: string,
  { headers, maxRedirects, signal }: FollowOptions,
): Promise<Followed> {
  let url = URL.parse(from);
  for (let hops = 0; hops <= maxRedirects; hops++) {
    if (url === null || !/^https?:$/.test(url.protocol) || !addresses.allows(url.hostname))
      return { kind: 'not-public' };
    const answer = await requestPublic(addresses, url, { method: 'GET', headers, signal });
    const location = redirectOf(answer);
    if (location === null) return { kind: 'answered', answer, url };
    answer.destroy();
    url = URL.parse(location, url);
  }
  return { kind: 'too-many-redirects' };
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage): string | null {
  const redirects = statusCode > 300 && statusCode < 309 && statusCode !== 304;
  return redirects ? (headers.location ?? null) : null;
}

/** Of a larger body its first `maxBytes`, and nothing more is read. Bytes are counted as they come. */
export async function readAtMost(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<{ readonly bytes: Buffer; readonly whole: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    chunks.push(chunk);
    if (length > maxBytes) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), whole: length <= maxBytes };
}
