import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { followPublic, readAtMost } from '../../network/follow-public.ts';
import type { PublicAddresses } from '../../network/public-addresses.ts';

export const MAX_FEED_BYTES = 5 * 1024 * 1024;
const MAX_REDIRECTS = 5;
/** From the first lookup to the last byte, redirects included. */
const DEADLINE_MS = 10_000;
/** Of a validator. We send it back with every check, so a server does not choose how much that is. */
const MAX_VALIDATOR_LENGTH = 1_000;
const ACCEPT =
  'application/atom+xml, application/rss+xml, application/feed+json, ' +
  'application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.9, */*;q=0.5';

export interface FeedAddress {
  readonly url: string;
  /** The validators of the last answer that was read (RFC 9110, section 13.1). */
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export type FetchedFeed =
  /** The feed is as it was when its validators were given out. */
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'read';
      readonly bytes: Uint8Array;
      readonly contentType: string;
      readonly etag: string | null;
      readonly lastModified: string | null;
      /** Where the redirects ended. */
      readonly url: string;
    }
  /** A predicate in words for people; its subject is the feed. */
  | { readonly kind: 'failed'; readonly words: string };

export type FetchFeed = (feed: FeedAddress) => Promise<FetchedFeed>;

interface FetchFeedDeps {
  readonly addresses: PublicAddresses;
  readonly deadlineMs?: number;
}

/** Reads a feed whose URL a stranger chose, and never rejects. */
export function createFetchFeed({ addresses, deadlineMs = DEADLINE_MS }: FetchFeedDeps): FetchFeed {
  return async function fetchFeed(feed) {
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      const options = { headers: headersOf(feed), maxRedirects: MAX_REDIRECTS, signal };
      const followed = await followPublic(addresses, feed.url, options);
      if (followed.kind === 'not-public') return failed('is not a public address');
      if (followed.kind === 'too-many-redirects') return failed(`redirects more than ${MAX_REDIRECTS} times`);
      return await read(followed.answer, followed.url, feed);
    } catch (error) {
      if (signal.aborted) return failed(`took longer than ${deadlineMs / 1_000} s`);
      return failed(wordsOf(error));
    }
  };
}

const failed = (words: string): FetchedFeed => ({ kind: 'failed', words });

const headersOf = ({ etag, lastModified }: FeedAddress): Record<string, string> => ({
  accept: ACCEPT,
  'accept-encoding': 'gzip, br, deflate',
  ...(etag === null ? {} : { 'if-none-match': etag }),
  ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
});

async function read(answer: IncomingMessage, url: URL, asked: FeedAddress): Promise<FetchedFeed> {
  const { statusCode, headers } = answer;
  try {
    if (statusCode === 304 && (asked.etag ?? asked.lastModified) !== null) return { kind: 'unchanged' };
    if (statusCode !== 200) return failed(`answered ${statusCode}`);
    const body = decoded(answer, headers['content-encoding'] ?? '');
    if (body === null) return failed('has a content-encoding that is not supported');
    const { bytes, whole } = await readAtMost(body, MAX_FEED_BYTES);
    if (!whole) return failed(`is larger than ${MAX_FEED_BYTES / 1024 / 1024} MB`);
    if (!answer.complete) return failed('broke off before its end');
    return {
      kind: 'read',
      bytes,
      contentType: headers['content-type'] ?? '',
      etag: validator(headers.etag),
      lastModified: validator(headers['last-modified']),
      url: url.href,
    };
  } finally {
    answer.destroy();
  }
}

/** Null: in a way that nobody asked for. */
function decoded(answer: IncomingMessage, encoding: string): Readable | null {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return answer;
    case 'gzip':
    case 'x-gzip':
      return pipeline(answer, createGunzip(), ignore);
    case 'br':
      return pipeline(answer, createBrotliDecompress(), ignore);
    case 'deflate':
      return pipeline(answer, createInflate(), ignore);
    default:
      return null;
  }
}

/** The decoder carries the error to its reader. */
const ignore = (): void => {};

function wordsOf(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  // Of zlib and of Brotli: only an answer of a public address has a body.
  if (/^(Z_|ERR__ERROR_)/.test(code)) return 'is not compressed as its content-encoding says';
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') return 'broke off before its end';
  // An unknown name, a closed port and a name that leads inside are one ending: whoever chose the URL must not learn
  // from it what runs in our network.
  return 'could not be reached on the public internet';
}

const validator = (value: string | undefined): string | null =>
  value === undefined || value === '' || value.length > MAX_VALIDATOR_LENGTH ? null : value;
