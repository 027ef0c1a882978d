import type { Sql } from '../../../engine/adapters/postgres/database.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { Slice } from '../slice.ts';
import { lookUpOneByOne } from './frequent-tags.ts';
import type { SubscriptionFilters } from './schema.ts';
import { select } from './selection.ts';

/**
 * A page that is filtered by one thing and sorted by another. No index has both; walking the sort's index until
 * enough match is quick where they are spread evenly, and has no end where they are not: of those who came this
 * month nobody is among who was seen longest ago. So a few are taken from the sort's end and looked up one by
 * one, and where they do not fill the page the caller reads all that match.
 */

/** Beyond so many, reading all that match is the smaller work. */
const MAX_CANDIDATES = 50_000;
/** More than expected, for they are never spread quite evenly. */
const MARGIN = { factor: 2, more: 500 } as const;
/** The second time as many as the first one tells; or all that may be, where it told nothing. */
const ATTEMPTS = 2;

interface Crossed {
  readonly filters: SubscriptionFilters;
  readonly searchedSeq: number | null;
  readonly slice: Slice;
  /** How many match, and how many there are. */
  readonly total: number;
  readonly everybody: number;
  /** So many from the sort's end, in its order. */
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
