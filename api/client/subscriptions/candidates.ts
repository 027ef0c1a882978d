import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { Slice } from '../../http/slice.ts';
import { lookUpOneByOne } from './frequent-tags.ts';
import type { SubscriptionFilters } from './schema.ts';
import { select } from './selection.ts';

/**
 * A page that is filtered by one field and sorted by another. No index has both; walking the sort's index until
 * enough match is fast where they are spread evenly, and endless where they are not: subscribers of this month
 * are never among the longest unseen. So a few are taken from the sort's end and looked up one by one, and
 * where they do not fill the page the caller reads all matches.
 */

/** Beyond this number, reading all matches is cheaper. */
const MAX_CANDIDATES = 50_000;
/** More than expected, for they are never spread quite evenly. */
const MARGIN = { factor: 2, more: 500 } as const;
/** The second time as many as the first one suggests; or the maximum, where it found nothing. */
const ATTEMPTS = 2;

interface Crossed {
  readonly filters: SubscriptionFilters;
  readonly searchedSeq: number | null;
  readonly slice: Slice;
  /** How many match, and how many there are. */
  readonly total: number;
  readonly everybody: number;
  /** This number from the sort's end, in its order. */
  readonly take: (count: number) => Promise<readonly number[]>;
}

/** The slice; null where it is not to be had from so few candidates. */
export async function sliceOfCandidates(sql: Sql, appId: AppId, crossed: Crossed): Promise<number[] | null> {
  const { slice, total, everybody, take } = crossed;
  const needed = slice.offset + slice.limit;
  let wanted = Math.ceil((needed * everybody * MARGIN.factor) / total) + MARGIN.more;
  for (let attempt = 0; attempt < ATTEMPTS && wanted <= Math.min(MAX_CANDIDATES, total); attempt++) {
    const matching = await matchingAmong(sql, appId, crossed, await take(wanted));
    if (matching.length >= needed) return matching.slice(slice.offset, needed);
    const next = Math.ceil((wanted * needed * MARGIN.factor) / matching.length);
    wanted = matching.length === 0 ? MAX_CANDIDATES : next;
  }
  return null;
}

/** Those candidates that match, in their order. */
async function matchingAmong(
  sql: Sql,
  appId: AppId,
  { filters, searchedSeq }: Crossed,
  candidates: readonly number[],
): Promise<number[]> {
  const { from, seq, values } = select(appId, { filters, searchedSeq, sort: null, byKey: true });
  // LIMIT keeps the planner from reading all that match, to join them.
  const rows = await lookUpOneByOne(sql, filters, () =>
    sql.query<{ seq: number }>(
      `SELECT candidate.seq FROM unnest($${values.length + 1}::integer[]) AS candidate (seq)
       CROSS JOIN LATERAL (SELECT 1 ${from} AND ${seq} = candidate.seq LIMIT 1) AS found`,
      [...values, candidates],
    ),
  );
  const found = new Set(rows.map((row) => row.seq));
  return candidates.filter((each) => found.has(each));
}
