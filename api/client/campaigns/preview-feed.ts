import type { FeedPlan } from '../../../engine/contract/campaign.ts';
import { createFairQueue } from '../../../engine/contract/concurrency/fair-queue.ts';
import type { OrganizationId } from '../../../engine/contract/ids.ts';
import { say } from '../../../engine/kit/http/explain-with.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import type { PublicAddresses } from '../../../engine/network/public-addresses.ts';
import { chooseItems } from '../../../engine/notification/feeds/choose-items.ts';
import { MAX_ITEMS } from '../../../engine/notification/feeds/feed.ts';
import { createFetchFeed } from '../../../engine/notification/feeds/fetch-feed.ts';
import { defaultDigest, mapDigest, mapItem } from '../../../engine/notification/feeds/map-item.ts';
import { createReadFeed, type FeedRead } from '../../../engine/notification/feeds/read-feed.ts';
import type { FeedForecast } from './feed-schema.ts';

/** Fetches at a time in this process, each of up to 5 MB and 10 s, and how many requests may wait for one. */
const FETCHES = { permits: 4, waiting: 8, mostOfOwner: 2 } as const;

type Feed = Extract<FeedRead, { readonly kind: 'parsed' }>;

export type FeedPreviewed =
  | { readonly kind: 'feed'; readonly feed: FeedForecast }
  | { readonly kind: 'refused'; readonly errors: FieldErrors }
  /** Too many are being fetched: the client should come again. */
  | { readonly kind: 'busy' };

export type PreviewFeed = (plan: FeedPlan, organizationId: OrganizationId) => Promise<FeedPreviewed>;

/** What a feed's next notification would be, by one check that nothing remembers. */
export function createPreviewFeed(addresses: PublicAddresses): PreviewFeed {
  const fetchFeed = createFetchFeed({ addresses });
  const readFeed = createReadFeed();
  const queue = createFairQueue(FETCHES);

  /** Words where it cannot be read; their subject is the feed. */
  async function check({ url, filter }: FeedPlan): Promise<Feed | string> {
    const fetched = await fetchFeed({ url, etag: null, lastModified: null });
    if (fetched.kind === 'failed') return fetched.words;
    if (fetched.kind === 'unchanged') return 'answered 304';
    const read = await readFeed({ ...fetched, filter });
    return read.kind === 'fault' ? read.words : read;
  }

  return async function previewFeed(plan, organizationId) {
    const ending = await queue.run(() => check(plan), organizationId);
    if (ending === 'full' || ending === 'closed') return { kind: 'busy' };
    return typeof ending === 'string' ? refused(ending) : { kind: 'feed', feed: forecastOf(plan, ending) };
  };
}

function forecastOf({ mapping, digest }: FeedPlan, feed: Feed): FeedForecast {
  const { items, title } = feed;
  const limits = { perHour: MAX_ITEMS, sentLastHour: 0, overflow: 'drop', maxAgeHours: Infinity } as const;
  const check = { items, seen: new Set<string>(), isFirstCheck: false, now: new Date(), ...limits };
  const matching = chooseItems(check)
    .send.map(({ item }) => item)
    .toReversed();
  const [newest] = matching;
  const mapped =
    newest === undefined
      ? null
      : digest !== null && matching.length > 1
        ? mapDigest(matching, feed, defaultDigest)
        : mapItem(newest, mapping);
  const counts = { title, items: items.length, matching: matching.length };
  if (mapped?.kind !== 'mapped') return { ...counts, next: null };
  const { kind: _, ...next } = mapped;
  return { ...counts, next };
}

const refused = (words: string): FeedPreviewed => ({
  kind: 'refused',
  errors: say('/plan/url', `must lead to a feed that can be read: it ${words}${hintOf(words)}`),
});

/** How to fix it. */
function hintOf(words: string): string {
  if (words.includes('web page'))
    return '. Look for “RSS” or “Feed” on the site, and take that link’s address';
  if (/answered 40[13]/.test(words)) return '. Ask the site to let Broadside read it without signing in';
  if (/answered (404|410)/.test(words)) return '. Open the address in a browser, and compare it';
  if (words.includes('larger than')) return '. Ask the site for a feed with its newest items alone';
  if (words.includes('public')) return '. Feeds are read from the public internet only: check the address';
  if (/answered 5\d\d|took longer|takes longer|broke off/.test(words)) return '. Try again in a few minutes';
  return '';
}
