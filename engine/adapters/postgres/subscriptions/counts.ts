import type { AppId } from '../../../contract/ids.ts';
import type { Sql } from '../sql.ts';

/**
 * The one writer of an app's counts: `subscriber_count` (all of its subscriptions), `active_subscriber_count` (the
 * subscribed ones) and `next_seq`. What changes them is here, too: unsubscribing and deleting. A check refuses another
 * writer (`test/architecture/single-writers.ts`).
 *
 * Every transaction that writes subscriptions takes its locks in this order, because two that take them in different
 * orders would deadlock:
 *
 * 1. the keys of browsers that subscribe, as advisory locks, in the order of the keys;
 * 2. `failing_endpoints`, in the order of `seq`;
 * 3. `subscriptions`, in the order of `seq` (`lockedRows`);
 * 4. `accepted_endpoints`, in the order of `block`;
 * 5. the app's row;
 * 6. `subscriber_days`, `prompt_counts`, `welcomes` and `block_counts`, which are written under the app's row;
 * 7. `permission_days`, in the order of the days.
 *
 * New rows are not locked by anybody else, so they may come after the app's row. Whoever skips locked rows waits for
 * none, and may take them in any order. The texts below are parts of statements on app `$1`; a part that reads another
 * one runs after it, which is how they keep the order within a statement.
 */

/** Subscriptions under a lock. @param where names them as `kept`, by their `seq`: joins could read all of the app. */
export const lockedRows = (
  where: string,
  { app = '$1', columns = 'seq', join = '', limit = '', lock = 'UPDATE', orSkip = false } = {},
): string =>
  `SELECT ${columns} FROM subscriptions AS kept ${join} WHERE kept.app_id = ${app} AND ${where}
   ORDER BY kept.seq ${limit} FOR ${lock} OF kept ${orSkip ? 'SKIP LOCKED' : ''}`;

/** Sums to add, as SQL. What is left out stays. */
interface Change {
  readonly seqs?: string;
  readonly all?: string;
  readonly active?: string;
  /** Other columns of the app's row, written at the same time. */
  readonly also?: string;
  readonly app?: string;
  readonly from?: string;
  readonly where?: string;
}

/** Call it after the locks on subscriptions, those on new ones aside. */
export function changeCounts({ seqs, all, active, also, app = '$1', from, where }: Change): string {
  const added = { next_seq: seqs, subscriber_count: all, active_subscriber_count: active };
  const sets = Object.entries(added).flatMap(([column, sum]) =>
    sum ? `${column} = ${column} + ${sum}` : [],
  );
  return `UPDATE apps SET ${[...sets, also ?? []].flat().join(', ')} ${from ? `FROM ${from}` : ''}
    WHERE id = ${app} ${where ? `AND ${where}` : ''}`;
}

/** @param rows a query of `seq`s that holds their locks. */
const unsubscribed = (rows: string, app = '$1', also = ''): string =>
  `UPDATE subscriptions SET status = 'unsubscribed', unsubscribed_at = now()${also}
   WHERE app_id = ${app} AND seq = ANY(ARRAY(${rows})) RETURNING seq`;

/** Parts that have to have their locks before the app's row. */
interface Parts {
  readonly text: string;
  /** Of the last one. */
  readonly name: string | null;
}
const noParts: Parts = { text: '', name: null };
const after = ({ name }: Parts): string => (name === null ? '' : ` AND (SELECT count(*) FROM ${name}) >= 0`);

interface Unsubscribing {
  readonly app?: string;
  readonly also?: string;
  readonly between?: Parts;
}

/** The parts `unsubscribed` and `fewer`. @param rows a query that locks subscribed ones. */
export const unsubscribing = (
  rows: string,
  { app = '$1', also = '', between = noParts }: Unsubscribing = {},
): string => `
  unsubscribed AS (${unsubscribed(rows, app, also)}),${between.text}
  fewer AS (${changeCounts({
    app,
    active: '-sum.left_now',
    from: '(SELECT count(*)::integer AS left_now FROM unsubscribed) AS sum',
    where: `left_now > 0${after(between)}`,
  })})`;

/**
 * The parts `deleted`, `forgotten` and `fewer`. A deleted subscription lives in `forgotten_subscriptions`. If its owner
 * dies, any engine makes its rows in ClickHouse anonymous; doing it twice changes nothing.
 */
export const deleting = (rows: string, between = noParts): string => `
  deleted AS (
    DELETE FROM subscriptions WHERE app_id = $1 AND seq = ANY(ARRAY(${rows})) RETURNING seq, status
  ),
  forgotten AS (
    INSERT INTO forgotten_subscriptions (app_id, seq) SELECT $1, seq FROM deleted ON CONFLICT DO NOTHING
  ),${between.text}
  fewer AS (${changeCounts({
    all: '-sum.gone',
    active: '-sum.left_now',
    from: `(SELECT count(*)::integer AS gone, (count(*) FILTER (WHERE status = 'subscribed'))::integer AS left_now
      FROM deleted) AS sum`,
    where: `gone > 0${after(between)}`,
  })})`;

/** Of rows under a lock. `countBrowsers` has to follow. */
export async function unsubscribe(sql: Sql, appId: AppId, seqs: readonly number[]): Promise<void> {
  await sql.query(unsubscribed('SELECT unnest($2::integer[])'), [appId, seqs]);
}

/** An imported subscription's browser may come to the site for the first time. */
export const noteFirstBrowser = 'first_browser_at = coalesce(first_browser_at, now())';

/** @param active how many more (or, negative, fewer) of the app's known rows are subscribed. */
export async function countBrowsers(sql: Sql, appId: AppId, active: number): Promise<void> {
  await sql.query(
    changeCounts({
      active: '$2',
      also: noteFirstBrowser,
      where: '($2::integer <> 0 OR first_browser_at IS NULL)',
    }),
    [appId, active],
  );
}
