import type { ParsedSubscription } from './parse-subscription.ts';
import type { Match } from './statements.ts';

/** The result for a batch: each item, by its number, is in one of the three lists, or has nothing to write. */
export interface PlannedWrites {
  readonly inserts: readonly number[];
  readonly replaces: readonly { readonly item: number; readonly seq: number }[];
  /** Of `replaces`, those whose row was unsubscribed. */
  readonly returned: readonly { readonly item: number; readonly seq: number; readonly isLongGone: boolean }[];
  /** They share a row with an item before them, and come to their turn in a later batch. */
  readonly left: readonly number[];
  /** Rows of browsers that have moved on. */
  readonly stale: readonly number[];
  /** Rows whose secret one of `replaces` gets. */
  readonly sealed: readonly number[];
  /** Change of the app's active subscribers, without the inserts. */
  readonly active: number;
}

/**
 * Keeps one row a browser: the same endpoint is the same browser; otherwise the same secret is, with a new endpoint,
 * and among browsers and rows without a secret the same user identity. Where both match different rows, the
 * endpoint's stays and the others are unsubscribed: their browser would get everything twice.
 *
 * A row that has a secret is for the item with the same one. Another item with its endpoint has nothing to
 * write, and is answered like a stored one: a caller cannot learn which endpoints are known.
 *
 * @param items of which no two share a key of `keysOf`.
 * @param rows all rows that match one of them.
 */
export function planWrites(items: readonly ParsedSubscription[], rows: readonly Match[]): PlannedWrites {
  const byEndpoint = Map.groupBy(rows, (row) => row.endpoint);
  const byUser = Map.groupBy(
    rows.filter((row) => row.secret_hash === null),
    (row) => row.user_identity,
  );
  const bySecret = Map.groupBy(rows, (row) => row.secret_hash?.toString('hex'));
  const claimed = new Set<number>();
  const plan = {
    inserts: [] as number[],
    replaces: [] as { item: number; seq: number }[],
    returned: [] as { item: number; seq: number; isLongGone: boolean }[],
    left: [] as number[],
    stale: [] as number[],
    sealed: [] as number[],
    active: 0,
  };
  const bySecretOrUser = ({ secretHash, userIdentity }: ParsedSubscription): readonly Match[] => {
    if (secretHash !== null) return bySecret.get(secretHash.toString('hex')) ?? [];
    return userIdentity === null ? [] : (byUser.get(userIdentity) ?? []);
  };
  for (const [index, item] of items.entries()) {
    const own = byEndpoint.get(item.endpoint) ?? [];
    const alike = bySecretOrUser(item);
    const matches = [...new Set([...own, ...alike])];
    const [kept, ...others] = matches.toSorted(keptFirst(item.endpoint));
    if (matches.some(({ seq }) => claimed.has(seq))) plan.left.push(index);
    else if (own.some((row) => isAnothers(row, item))) continue;
    else if (kept === undefined) plan.inserts.push(index);
    // It cannot be sent to: its page must make a new subscription, which will have another endpoint.
    else if (isBeyondReach(kept, item)) continue;
    else {
      for (const { seq } of matches) claimed.add(seq);
      if (item.secretHash !== null) plan.sealed.push(...others.map(({ seq }) => seq));
      const stale = others.filter(({ status }) => status === 'subscribed').map(({ seq }) => seq);
      plan.replaces.push({ item: index, seq: kept.seq });
      plan.stale.push(...stale);
      if (kept.status === 'unsubscribed')
        plan.returned.push({ item: index, seq: kept.seq, isLongGone: kept.is_long_gone });
      plan.active += (kept.status === 'unsubscribed' ? 1 : 0) - stale.length;
    }
  }
  return plan;
}

const isAnothers = ({ secret_hash: kept }: Match, { secretHash }: ParsedSubscription): boolean =>
  kept !== null && (secretHash === null || !kept.equals(secretHash));

const isBeyondReach = (kept: Match, item: ParsedSubscription): boolean =>
  kept.key_ended &&
  kept.status === 'unsubscribed' &&
  kept.endpoint === item.endpoint &&
  item.vapidKeyNumber === null;

/** The endpoint's own row, otherwise a subscribed one, otherwise the one seen last. */
const keptFirst =
  (endpoint: string) =>
  (a: Match, b: Match): number =>
    Number(b.endpoint === endpoint) - Number(a.endpoint === endpoint) ||
    Number(b.status === 'subscribed') - Number(a.status === 'subscribed') ||
    b.last_seen_at.getTime() - a.last_seen_at.getTime() ||
    a.seq - b.seq;
