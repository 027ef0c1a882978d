import { createFetchPublic } from '../../../engine/network/fetch-public.ts';
import type { PublicAddresses } from '../../../engine/network/public-addresses.ts';
import { type PageHead, readHead } from './read-head.ts';

/** The head of a page is at its beginning. */
const page = {
  accept: 'text/html, application/xhtml+xml',
  maxBytes: 512 * 1_024,
  cut: true,
  timeLimitMs: 5_000,
} as const;

export interface ReadPage {
  readonly head: PageHead;
  /** Where it is, after redirects. */
  readonly url: URL;
}

/**
 * Fetches a page that a publisher names, through the guard.
 * @returns a function that answers null whatever went wrong: an answer must not say what runs in our network.
 */
export function createReadPage(addresses: PublicAddresses) {
  const fetchPublic = createFetchPublic(addresses, page);
  return async function readPage(from: string): Promise<ReadPage | null> {
    const fetched = await fetchPublic(from);
    if (fetched.kind !== 'fetched' || !/^(text\/html|application\/xhtml\+xml)\b/i.test(fetched.type))
      return null;
    return { head: readHead(decode(fetched.body, fetched.type)), url: fetched.url };
  };
}

const DECLARED_WITHIN_BYTES = 1_024;

/** As the answer says, or the page near its beginning; an unknown encoding is read as UTF-8. */
function decode(body: Buffer, type: string): string {
  const start = body.subarray(0, DECLARED_WITHIN_BYTES).toString('latin1');
  const charset = /charset=["']?([\w-]{1,40})/i;
  const label = charset.exec(type)?.[1] ?? charset.exec(start)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
