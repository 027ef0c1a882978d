import { patternOf } from '../../../engine/adapters/postgres/folded.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { parseDay } from '../../http/fields.ts';
import { tagPairs } from './frequent-tags.ts';
import type { Sort, SubscriptionFilters } from './schema.ts';

/** A page's subscriptions, in order, by their `seq`. */
export interface FoundSeqs {
  readonly seqs: readonly number[];
  readonly total: number;
}

/** The sorts that an index answers. */
export type IndexedSort = Exclude<Sort, 'notifications_sent'>;

/** Which subscriptions, as `FROM … WHERE …` over the narrow tables; parameters from $1. */
export interface Selection {
  readonly from: string;
  /** Each table that takes part has a `seq`; this is one of them. */
  readonly seq: string;
  /** The expression that the requested sort compares. */
  readonly sortKey: string;
  readonly values: readonly unknown[];
}

export interface Wanted {
  readonly filters: SubscriptionFilters;
  /** The `seq` of the subscription whose id was searched. */
  readonly searchedSeq: number | null;
  /** Null where the caller sorts on its own. */
  readonly sort: IndexedSort | null;
  /** For a lookup of one `seq`: over the facets whatever the filters, because only they are indexed by it. */
  readonly byKey?: boolean;
}

/**
 * Takes only the tables it needs: a filter alone, in the default order, reads one index from one of its ends.
 * The conditions name the app for each table, so that each is pruned to its partition.
 */
export function select(appId: AppId, { filters, searchedSeq, sort, byKey = false }: Wanted): Selection {
  const values: unknown[] = [appId];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const tags = tagConditions(filters, bind);
  const facets = facetConditions(filters, searchedSeq, bind);
  const tables = [
    ...(byKey || facets.length > 0 || tags.length === 0 ? ['subscription_facets AS facets'] : []),
    ...tags.map((_, index) => `subscription_tags AS ${tagTable(index)}`),
  ].map((table) => ({ table, alias: table.split(' AS ')[1] ?? '' }));
  const base = tables[0]?.alias ?? '';
  const byActivity = sort === 'last_seen_at' || sort === 'last_clicked_at';
  // The sort's own table alone, where nothing is filtered: its index holds all that is asked.
  const alone = byActivity && facets.length === 0 && tags.length === 0 && !hasRange(filters);
  const ranges = alone ? [] : rangeConditions(filters, base, bind);
  const activity = { table: 'subscription_activity AS activity', alias: 'activity' };
  const all = alone ? [activity] : byActivity ? [...tables, activity] : tables;
  const [first, ...others] = all;
  const conditions = [
    ...all.map(({ alias }) => `${alias}.app_id = $1`),
    ...others.map(({ alias }) => joined(first?.alias ?? '', alias)),
    ...facets,
    ...tags,
    ...ranges,
  ];
  return {
    from: `FROM ${all.map(({ table }) => table).join(', ')} WHERE ${conditions.join(' AND ')}`,
    seq: byActivity ? 'activity.seq' : `${base}.seq`,
    sortKey: byActivity ? `activity.${sort}` : `${base}.created_at`,
    values,
  };
}

/** The order of a sort; ties by `seq`. */
export function orderOf({ sortKey, seq }: Selection, ascending: boolean): string {
  const order = ascending ? 'ASC' : 'DESC';
  // Nulls are named only where there are some: no index serves an order that differs in them alone.
  const nulls = sortKey === 'activity.last_clicked_at' || sortKey === 'last_clicked_at';
  const placed = nulls ? ` NULLS ${ascending ? 'FIRST' : 'LAST'}` : '';
  return `${sortKey} ${order}${placed}, ${seq} ${order}`;
}

/** Those `seq`s, in the order of the sort. */
export function among(appId: AppId, seqs: readonly number[], sort: IndexedSort): Selection {
  const table = sort === 'created_at' ? 'subscription_facets' : 'subscription_activity';
  return {
    from: `FROM ${table} WHERE app_id = $1 AND seq = ANY($2::integer[])`,
    seq: 'seq',
    sortKey: sort,
    values: [appId, seqs],
  };
}

const tagTable = (index: number): string => `tag${index}`;

/** Tags and facets both have the subscription's creation time, which comes before `seq` in their indexes. */
const joined = (first: string, other: string): string =>
  other === 'activity'
    ? `activity.seq = ${first}.seq`
    : `${other}.created_at = ${first}.created_at AND ${other}.seq = ${first}.seq`;

type Bind = (value: unknown) => string;

function tagConditions(filters: SubscriptionFilters, bind: Bind): string[] {
  return tagPairs(filters).map(
    ([key, value], index) =>
      `${tagTable(index)}.key = ${bind(key)} AND ${tagTable(index)}.value = ${bind(value)}`,
  );
}

function facetConditions(filters: SubscriptionFilters, searchedSeq: number | null, bind: Bind): string[] {
  const conditions: string[] = [];
  if (filters.status !== undefined) conditions.push(`facets.status = ${bind(filters.status)}`);
  if (filters.device_type !== undefined)
    conditions.push(`facets.device_type = folded(${bind(filters.device_type)})`);
  if (filters.browser !== undefined) conditions.push(`facets.browser = folded(${bind(filters.browser)})`);
  if (filters.country !== undefined)
    // In the column's collation: an index serves no other.
    conditions.push(`facets.country = upper(${bind(filters.country)} COLLATE "C") COLLATE "default"`);
  if (isGiven(filters.search)) {
    const found = `facets.words LIKE ${patternOf(`folded(${bind(filters.search)})`)}`;
    conditions.push(searchedSeq === null ? found : `(${found} OR facets.seq = ${bind(searchedSeq)})`);
  }
  return conditions;
}

export const isGiven = (text: string | undefined): text is string => text !== undefined && text !== '';

const hasRange = ({ created_after: after, created_before: before }: SubscriptionFilters): boolean =>
  after !== undefined || before !== undefined;

function rangeConditions(filters: SubscriptionFilters, table: string, bind: Bind): string[] {
  const { created_after: after, created_before: before } = filters;
  return [
    ...(after === undefined ? [] : [`${table}.created_at >= ${bind(parseDay(after)?.from)}`]),
    ...(before === undefined ? [] : [`${table}.created_at <= ${bind(parseDay(before)?.until)}`]),
  ];
}

/** The filters of a list, without paging and order. */
export function filterNames(filters: SubscriptionFilters): string[] {
  const { page: _page, per_page: _perPage, sort: _sort, direction: _direction, ...others } = filters;
  return Object.entries(others)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name]) => name);
}
