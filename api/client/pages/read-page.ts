import { createBeside } from '../../../engine/network/beside.ts';
import { createFetchPublic } from '../../../engine/network/fetch-public.ts';
import type { PublicAddresses } from '../../../engine/network/public-addresses.ts';
import { type PageHead, readHead } from './read-head.ts';

/** A page of 512 KB takes some milliseconds. */
const READ_LIMIT_MS = 2_000;

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
  const readBeside = createBeside<PageGiven, PageHead>({
    entry: new URL('./read-head-thread.ts', import.meta.url),
    timeLimitMs: READ_LIMIT_MS,
  });
  return async function readPage(from: string): Promise<ReadPage | null> {
    const fetched = await fetchPublic(from);
    if (fetched.kind !== 'fetched' || !/^(text\/html|application\/xhtml\+xml)\b/i.test(fetched.type))
      return null;
    const head = await readBeside({ body: fetched.body, type: fetched.type });
    return head === null ? null : { head, url: fetched.url };
  };
}

interface PageGiven {
  readonly body: Uint8Array;
  readonly type: string;
}

/** What is done in the thread. */
export const readHeadHere = ({ body, type }: PageGiven): PageHead => readHead(decode(body, type));

const DECLARED_WITHIN_BYTES = 1_024;

/** As the answer says, or the page near its beginning; an unknown encoding is read as UTF-8. */
function decode(body: Uint8Array, type: string): string {
  const start = Buffer.from(body.subarray(0, DECLARED_WITHIN_BYTES)).toString('latin1');
  const charset = /charset=["']?([\w-]{1,40})/i;
  const label = charset.exec(type)?.[1] ?? charset.exec(start)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
