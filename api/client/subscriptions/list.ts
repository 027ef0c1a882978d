import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { Found, Page } from '../../http/page.ts';
import { type Slice, sliceOf } from '../../http/slice.ts';
import type { StoredApp } from '../apps/store.ts';
import { sliceOfCandidates } from './candidates.ts';
import { type Chosen, chosenOf, readSeqs } from './chosen.ts';
import { joinFrequentTags } from './frequent-tags.ts';
import { listBySent } from './list-by-sent.ts';
import { listFound } from './list-found.ts';
import { scanForShort } from './scan-for-short.ts';
import type { Direction, SubscriptionFilters } from './schema.ts';
import { findTags, noTags, readFound } from './search-tags.ts';
import {
  among,
  type FoundSeqs,
  filterNames,
  type IndexedSort,
  isGiven,
  orderOf,
  type Selection,
  select,
} from './selection.ts';
import { findSeq, readSubscriptions, type StoredSubscription } from './store.ts';
import { readTotal } from './total.ts';

/**
 * One page. Ties are broken by `seq`, so that pages never overlap, and ascending is the exact reverse of
 * descending. Reads the total first, then the page from the nearer end of the index.
 * @param within only of those.
 */
export async function listSubscriptions(
  sql: Sql,
  app: StoredApp,
  filters: SubscriptionFilters,
  page: Page,
  within: Chosen | null = null,
): Promise<Found<StoredSubscription>> {
  const { sort = 'created_at', direction = 'desc' } = filters;
  const searchedSeq = await seqOfSearch(sql, app.id, filters.search);
  const tags = isGiven(filters.search) ? await findTags(sql, app.id, filters.search) : noTags;
  await joinFrequentTags(sql, app.id, filters);
  await scanForShort(sql, filters.search);
  const found =
    tags.keys.length > 0
      ? await readFound(sql, app.id, { filters, searchedSeq, tags, within })
      : within && (await narrow(sql, app.id, { filters, searchedSeq, within }));
  const asked = { filters, searchedSeq, found, direction, page };
  const { seqs, total } =
    sort === 'notifications_sent'
      ? await listBySent(sql, app, asked)
      : found === null
        ? await listByIndex(sql, app, { ...asked, sort })
        : await listFound(sql, app, found, { ...asked, sort });
  return { rows: await readSubscriptions(sql, app.id, seqs), total };
}

interface Narrowed {
  readonly filters: SubscriptionFilters;
  readonly searchedSeq: number | null;
  readonly within: Chosen;
}

/** What the filters leave of a set. */
async function narrow(sql: Sql, appId: AppId, { filters, searchedSeq, within }: Narrowed): Promise<Chosen> {
  if (filterNames(filters).length === 0) return within;
  const { from, seq, values } = select(appId, { filters, searchedSeq, sort: null });
  return chosenOf(await readSeqs(sql, `SELECT ${seq} AS seq ${from}`, values), within);
}

/** Ids are exact: 12 must not find 4,127. */
async function seqOfSearch(sql: Sql, appId: AppId, search: string | undefined): Promise<number | null> {
  return search !== undefined && /^[1-9]\d{0,14}$/.test(search) ? findSeq(sql, appId, Number(search)) : null;
}

interface Asked {
  readonly filters: SubscriptionFilters;
  readonly searchedSeq: number | null;
  readonly sort: IndexedSort;
  readonly direction: Direction;
  readonly page: Page;
}

async function listByIndex(sql: Sql, app: StoredApp, asked: Asked): Promise<FoundSeqs> {
  const { filters, sort, direction, page } = asked;
  const few = isGiven(filters.search) ? await findFew(sql, app.id, asked) : null;
  const total = few?.length ?? (await readTotal(sql, app, asked));
  const slice = sliceOf(page, total);
  if (slice.limit === 0) return { seqs: [], total };
  const ascending = (direction === 'asc') !== slice.reversed;
  const isCrossed = few === null && sort !== 'created_at' && filterNames(filters).length > 0;
  const seqs = isCrossed
    ? await readCrossed(sql, app, asked, slice, total, ascending)
    : await readPage(sql, few === null ? select(app.id, asked) : among(app.id, few, sort), slice, ascending);
  return { seqs: slice.reversed ? seqs.toReversed() : seqs, total };
}

/** Sorted by activity, filtered by anything else. */
async function readCrossed(
  sql: Sql,
  app: StoredApp,
  asked: Asked,
  slice: Slice,
  total: number,
  ascending: boolean,
): Promise<number[]> {
  const everybody = select(app.id, { filters: {}, searchedSeq: null, sort: asked.sort });
  const seqs = await sliceOfCandidates(sql, app.id, {
    ...asked,
    slice,
    total,
    everybody: app.subscriber_count,
    take: (limit) => readPage(sql, everybody, { offset: 0, limit, reversed: false }, ascending),
  });
  if (seqs !== null) return seqs;
  return readPage(sql, allMatching(app.id, asked), slice, ascending);
}

/** First all that match, then their activity: OFFSET keeps the planner from walking the sort's index instead. */
function allMatching(appId: AppId, { filters, searchedSeq, sort }: Asked): Selection {
  const { from, seq, values } = select(appId, { filters, searchedSeq, sort: null });
  return {
    from: `FROM (SELECT ${seq} AS seq ${from} OFFSET 0) AS matching, subscription_activity AS activity
      WHERE activity.app_id = $1 AND activity.seq = matching.seq`,
    seq: 'activity.seq',
    sortKey: `activity.${sort}`,
    values,
  };
}

/** A small result is fetched whole: scanning the words twice more would cost as much each time. */
const FEW = 1_000;

async function findFew(sql: Sql, appId: AppId, asked: Asked): Promise<number[] | null> {
  const { from, seq, values } = select(appId, { ...asked, sort: null });
  const rows = await sql.query<{ seq: number }>(`SELECT ${seq} AS seq ${from} LIMIT ${FEW + 1}`, values);
  return rows.length > FEW ? null : rows.map((row) => row.seq);
}

async function readPage(sql: Sql, selection: Selection, slice: Slice, ascending: boolean): Promise<number[]> {
  const { from, seq, values } = selection;
  const rows = await sql.query<{ seq: number }>(
    `SELECT ${seq} AS seq ${from} ORDER BY ${orderOf(selection, ascending)}
     LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, slice.limit, slice.offset],
  );
  return rows.map((row) => row.seq);
}
