import { createBeside } from '../../network/beside.ts';
import type { FeedItem } from './feed.ts';
import { type KeyedItem, keyItems } from './item-keys.ts';
import { createMatches, type FeedFilter } from './match-item.ts';
import { type FeedBytes, parseFeed } from './parse-feed.ts';

export interface FeedGiven extends FeedBytes {
  readonly filter: FeedFilter;
}

/** An item with all that costs a time of its own: what it is known by, and whether its filter wants it. */
export interface ReadItem extends KeyedItem {
  readonly matches: boolean;
}

export type FeedRead =
  | {
      readonly kind: 'parsed';
      readonly title: string | null;
      readonly link: string | null;
      /** In the feed's order. */
      readonly items: readonly ReadItem[];
    }
  /** A predicate in words for people; its subject is the feed. */
  | { readonly kind: 'fault'; readonly words: string };

export type ReadFeed = (given: FeedGiven) => Promise<FeedRead>;

/** A feed of 5 MB with the worst of links takes a fifth of it. */
const TIME_LIMIT_MS = 10_000;

/** What is done in the thread. */
export function readFeedHere({ filter, ...bytes }: FeedGiven): FeedRead {
  const parsed = parseFeed(bytes);
  return parsed.kind === 'fault' ? parsed : { ...parsed, items: readItems(parsed.items, filter) };
}

export function readItems(items: readonly FeedItem[], filter: FeedFilter): ReadItem[] {
  const matches = createMatches(filter);
  return keyItems(items).map((keyed) => ({ ...keyed, matches: matches(keyed.item) }));
}

/** Beside the event loop: a feed is up to 5 MB of a stranger's. */
export function createReadFeed(): ReadFeed {
  const beside = createBeside<FeedGiven, FeedRead>({
    entry: new URL('./read-feed-thread.ts', import.meta.url),
    timeLimitMs: TIME_LIMIT_MS,
  });
  return async function readFeed({ bytes, contentType, url, filter }) {
    const read = await beside({ bytes, contentType, url, filter });
    return read ?? { kind: 'fault', words: `takes longer than ${TIME_LIMIT_MS / 1_000} s to be read` };
  };
}
