import type { ParsedSubscription } from './parse-subscription.ts';
import type { Match } from './statements.ts';

/** What becomes of a batch: each item, by its number, is in one of the three lists, or has nothing to write. */
export interface PlannedWrites {
  readonly inserts: readonly number[];
  readonly replaces: readonly { readonly item: number; readonly seq: number }[];
  /** They share a row with an item before them, and come to their turn in a later batch. */
  readonly left: readonly number[];
  /** Rows of browsers that have moved on. */
  readonly stale: readonly number[];
  /** Change of the app's active subscribers, without the inserts. */
  readonly active: number;
}

/**
 * Keeps one row a browser: the same endpoint is the same browser; else the same user identity is, with a new
 * endpoint. Where both match and are several rows, the endpoint's stays and the others are unsubscribed:
 * their browser would be sent everything twice.
 *
 * @param items of which no two have an endpoint or a user identity in common.
 * @param rows all rows that match one of them.
 */
export function planWrites(items: readonly ParsedSubscription[], rows: readonly Match[]): PlannedWrites {
  const byEndpoint = Map.groupBy(rows, (row) => row.endpoint);
  const byUser = Map.groupBy(rows, (row) => row.user_identity);
  const claimed = new Set<number>();
  const plan = {
    inserts: [] as number[],
    replaces: [] as { item: number; seq: number }[],
    left: [] as number[],
    stale: [] as number[],
    active: 0,
  };
  for (const [index, item] of items.entries()) {
    const ofUser = item.userIdentity === null ? [] : (byUser.get(item.userIdentity) ?? []);
    const matches = [...new Set([...(byEndpoint.get(item.endpoint) ?? []), ...ofUser])];
    const [kept, ...others] = matches.toSorted(keptFirst(item.endpoint));
    if (matches.some(({ seq }) => claimed.has(seq))) plan.left.push(index);
    else if (kept === undefined) plan.inserts.push(index);
    // Nobody can send to it: its page must make a new subscription, which will have another endpoint.
    else if (isBeyondReach(kept, item)) continue;
    else {
      for (const { seq } of matches) claimed.add(seq);
      const stale = others.filter(({ status }) => status === 'subscribed').map(({ seq }) => seq);
      plan.replaces.push({ item: index, seq: kept.seq });
      plan.stale.push(...stale);
      plan.active += (kept.status === 'unsubscribed' ? 1 : 0) - stale.length;
    }
  }
  return plan;
}

const isBeyondReach = (kept: Match, item: ParsedSubscription): boolean =>
  kept.key_ended &&
  kept.status === 'unsubscribed' &&
  kept.endpoint === item.endpoint &&
  item.vapidKeyNumber === null;

/** The endpoint's own row, else a subscribed one, else the one seen last. */
const keptFirst =
  (endpoint: string) =>
  (a: Match, b: Match): number =>
    Number(b.endpoint === endpoint) - Number(a.endpoint === endpoint) ||
    Number(b.status === 'subscribed') - Number(a.status === 'subscribed') ||
    b.last_seen_at.getTime() - a.last_seen_at.getTime() ||
    a.seq - b.seq;
