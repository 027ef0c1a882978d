import type { Sql } from '../../../engine/adapters/postgres/database.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { StoredApp } from '../apps/store.ts';
import type { Found, Page } from '../page.ts';
import { type Slice, sliceOf } from '../slice.ts';
import { listBySent } from './list-by-sent.ts';
import type { Direction, SubscriptionFilters } from './schema.ts';
import { type FoundSeqs, filterNames, type IndexedSort, type Selection, select } from './selection.ts';
import { findSeq, readSubscriptions, type StoredSubscription } from './store.ts';

/**
 * One page. Ties are broken by `seq`, so that pages never overlap, and ascending is the exact reverse of
 * descending. Reads the total first, then the page from the nearer end of the index.
 */
export async function listSubscriptions(
  sql: Sql,
  app: StoredApp,
  filters: SubscriptionFilters,
  page: Page,
): Promise<Found<StoredSubscription>> {
  const { sort = 'created_at', direction = 'desc' } = filters;
  const searchedSeq = await seqOfSearch(sql, app.id, filters.search);
  const { seqs, total } =
    sort === 'notifications_sent'
      ? await listBySent(sql, app.id, { filters, searchedSeq, direction, page })
      : await listByIndex(sql, app, { filters, searchedSeq, sort, direction, page });
  return { rows: await readSubscriptions(sql, app.id, seqs), total };
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
  const names = filterNames(filters);
  const few = names.includes('search') ? await findFew(sql, app.id, asked) : null;
  const total = few?.length ?? knownTotal(app, filters, names) ?? (await count(sql, app.id, asked));
  const slice = sliceOf(page, total);
  if (slice.limit === 0) return { seqs: [], total };
  const selection = few === null ? select(app.id, asked) : among(app.id, few, sort);
  const seqs = await readSeqs(sql, selection, slice, (direction === 'asc') !== slice.reversed);
  return { seqs: slice.reversed ? seqs.toReversed() : seqs, total };
}

/** The app's counts are kept with every change, in its transaction. */
function knownTotal(app: StoredApp, filters: SubscriptionFilters, names: readonly string[]): number | null {
  if (names.length === 0) return app.subscriber_count;
  if (names.length > 1 || filters.status === undefined) return null;
  const active = app.active_subscriber_count;
  return filters.status === 'subscribed' ? active : app.subscriber_count - active;
}

/** Without the sort's table: only the filters decide how many there are. */
async function count(sql: Sql, appId: AppId, asked: Asked): Promise<number> {
  const { from, values } = select(appId, { ...asked, sort: null });
  const [row] = await sql.query<{ total: number }>(`SELECT count(*) AS total ${from}`, values);
  return row?.total ?? 0;
}

/** What so few match is fetched whole: to look through the words twice more would cost as much each time. */
const FEW = 1_000;

async function findFew(sql: Sql, appId: AppId, asked: Asked): Promise<number[] | null> {
  const { from, seq, values } = select(appId, { ...asked, sort: null });
  const rows = await sql.query<{ seq: number }>(`SELECT ${seq} AS seq ${from} LIMIT ${FEW + 1}`, values);
  return rows.length > FEW ? null : rows.map((row) => row.seq);
}

/** Those `seq`s, in the order of the sort. */
function among(appId: AppId, seqs: readonly number[], sort: IndexedSort): Selection {
  const table = sort === 'created_at' ? 'subscription_facets' : 'subscription_activity';
  return {
    from: `FROM ${table} WHERE app_id = $1 AND seq = ANY($2::integer[])`,
    seq: 'seq',
    sortKey: sort,
    values: [appId, seqs],
  };
}

async function readSeqs(
  sql: Sql,
  { from, seq, sortKey, values }: Selection,
  slice: Slice,
  ascending: boolean,
): Promise<number[]> {
  const order = ascending ? 'ASC' : 'DESC';
  // Nulls are named only where there are some: no index serves an order that differs in them alone.
  const nulls = sortKey === 'activity.last_clicked_at' || sortKey === 'last_clicked_at';
  const placed = nulls ? ` NULLS ${ascending ? 'FIRST' : 'LAST'}` : '';
  const rows = await sql.query<{ seq: number }>(
    `SELECT ${seq} AS seq ${from} ORDER BY ${sortKey} ${order}${placed}, ${seq} ${order}
     LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, slice.limit, slice.offset],
  );
  return rows.map((row) => row.seq);
}
