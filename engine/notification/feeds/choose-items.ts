import type { FeedItem } from './feed.ts';
import type { ReadItem } from './read-feed.ts';

const HOUR_MS = 3_600_000;

export interface Check {
  readonly items: readonly ReadItem[];
  /** The keys of all earlier checks (`seenNow`). */
  readonly seen: ReadonlySet<string>;
  readonly isFirstCheck: boolean;
  readonly perHour: number;
  /** Items and digests. */
  readonly sentLastHour: number;
  readonly overflow: 'drop' | 'digest';
  /** By their own date: older ones are never sent. */
  readonly maxAgeHours: number;
  readonly now: Date;
}

export interface ChosenItem {
  readonly item: FeedItem;
  readonly key: string;
}

export interface Choice {
  /** Oldest first. */
  readonly send: readonly ChosenItem[];
  /** Newest first, sent as one notification, which counts as one of the hour. */
  readonly digest: readonly ChosenItem[] | null;
  /** Must be remembered, in the transaction that creates what is sent. */
  readonly seenNow: readonly string[];
  /** Items wait for room: the next check must read the feed again, even if it is as before. */
  readonly waits: boolean;
}

/**
 * Which items of a feed are sent now. A first check sends nothing; nothing is sent twice; old items are remembered and not
 * sent, so a feed that comes back with 500 "new" ones does no harm. Of more items than the hour allows the newest are
 * sent, and the rest is dropped, or summed up in one digest, which takes the place of an item. If the hour has no room
 * for a digest, its items wait for the next check that has: they are not remembered yet.
 */
export function chooseItems(check: Check): Choice {
  const { seen, isFirstCheck, perHour, sentLastHour, overflow } = check;
  const keyed = withoutRepeats(check.items);
  const fresh = keyed.filter(({ knownBy }) => !knownBy.some((key) => seen.has(key)));
  const wanted = isFirstCheck ? [] : newestFirst(fresh.filter((each) => isWanted(each, check)));
  const room = Math.max(0, perHour - sentLastHour);
  const fits = wanted.length <= room;
  const sums = overflow === 'digest' && !fits;
  const waits = sums && room === 0;
  const sent = sums ? Math.max(0, room - 1) : room;
  const rest = wanted.slice(sent);
  const waiting = new Set(waits ? rest : []);
  return {
    send: wanted.slice(0, sent).toReversed().map(chosen),
    digest: sums && !waits ? rest.map(chosen) : null,
    waits,
    seenNow: [...new Set(keyed.filter((each) => !waiting.has(each)).flatMap(({ remembered }) => remembered))],
  };
}

const chosen = ({ item, key }: ReadItem): ChosenItem => ({ item, key });

/** The first of those that one check names twice. */
function withoutRepeats(items: readonly ReadItem[]): ReadItem[] {
  const here = new Set<string>();
  return items.filter(({ knownBy }) => {
    const isRepeat = knownBy.some((key) => here.has(key));
    for (const key of knownBy) here.add(key);
    return !isRepeat;
  });
}

/** By date, if all have one; otherwise in the feed's order, which by custom begins with the newest. */
function newestFirst(items: readonly ReadItem[]): ReadItem[] {
  const timeOf = ({ item }: ReadItem): number | undefined => item.publishedAt?.getTime();
  if (items.some((each) => timeOf(each) === undefined)) return [...items];
  return items.toSorted((a, b) => (timeOf(b) ?? 0) - (timeOf(a) ?? 0));
}

function isWanted({ item: { publishedAt }, matches }: ReadItem, { maxAgeHours, now }: Check): boolean {
  return matches && (publishedAt === null || now.getTime() - publishedAt.getTime() <= maxAgeHours * HOUR_MS);
}
