import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { Page } from '../../http/page.ts';
import { sliceOf } from '../../http/slice.ts';
import type { StoredApp } from '../apps/store.ts';
import { readSentCounts } from './block-counts.ts';
import { sliceOfCandidates } from './candidates.ts';
import { type Chosen, parseIntegers } from './chosen.ts';
import type { Direction, SubscriptionFilters } from './schema.ts';
import { type FoundSeqs, filterNames, isGiven, select } from './selection.ts';
import { readTotal } from './total.ts';

interface Asked {
  readonly filters: SubscriptionFilters;
  readonly searchedSeq: number | null;
  /** The result of a search in other tables than these; null where the filters find it. */
  readonly found: Chosen | null;
  readonly direction: Direction;
  readonly page: Page;
}

/**
 * Sorted by `notifications_sent`. An index on it would be written for every message sent; instead the app's
 * packed counts are read whole (977 rows for a million) and sorted here, in linear time.
 */
export async function listBySent(sql: Sql, app: StoredApp, asked: Asked): Promise<FoundSeqs> {
  const { counts, subscribers } = await readSentCounts(sql, app.id);
  if (asked.found !== null) return pageOf(counts, asked.found, asked);
  const everybody = allOf(counts);
  const isFiltered = filterNames(asked.filters).length > 0;
  if (!isFiltered && everybody.total === subscribers) return pageOf(counts, everybody, asked);
  // A search scans all words: its result is read at once.
  const quick =
    isFiltered && !isGiven(asked.filters.search)
      ? await tryCandidates(sql, app, asked, counts, everybody)
      : null;
  return quick ?? pageOf(counts, await readMatching(sql, app.id, asked, counts.length), asked);
}

const pageOf = (counts: Int32Array, chosen: Chosen, { direction, page }: Asked): FoundSeqs => ({
  seqs: pageBySent(counts, chosen, direction, page),
  total: chosen.total,
});

/** Null where too few at the sort's end match. */
async function tryCandidates(
  sql: Sql,
  app: StoredApp,
  asked: Asked,
  counts: Int32Array,
  everybody: Chosen,
): Promise<FoundSeqs | null> {
  const total = await readTotal(sql, app, asked);
  const slice = sliceOf(asked.page, total);
  if (slice.limit === 0) return { seqs: [], total };
  const direction = (asked.direction === 'desc') !== slice.reversed ? 'desc' : 'asc';
  const seqs = await sliceOfCandidates(sql, app.id, {
    ...asked,
    slice,
    total,
    everybody: everybody.total,
    take: async (size) => pageBySent(counts, everybody, direction, { number: 1, size, offset: 0 }),
  });
  return seqs === null ? null : { seqs: slice.reversed ? seqs.toReversed() : seqs, total };
}

/**
 * Every `seq` in use. A running import has taken some that are not inserted yet, and one that died leaves them
 * unused; then the total shows it.
 */
function allOf(counts: Int32Array): Chosen {
  const map = new Uint8Array(counts.length);
  let total = 0;
  for (let seq = 0; seq < counts.length; seq++) {
    if ((counts[seq] ?? 0) < 0) continue;
    map[seq] = 1;
    total++;
  }
  return { map, total };
}

async function readMatching(sql: Sql, appId: AppId, asked: Asked, size: number): Promise<Chosen> {
  const { from, seq, values } = select(appId, {
    filters: asked.filters,
    searchedSeq: asked.searchedSeq,
    sort: null,
  });
  // As one text: an object a row takes ten times as long.
  const [row] = await sql.query<{ seqs: string | null }>(
    `SELECT array_agg(${seq})::text AS seqs ${from}`,
    values,
  );
  const map = new Uint8Array(size);
  let total = 0;
  for (const each of parseIntegers(row?.seqs ?? '{}')) {
    // Subscribers since the counts were read are on no page yet.
    if (each >= size) continue;
    map[each] = 1;
    total++;
  }
  return { map, total };
}

/** A counting sort that keeps only the page: each index follows from the number of entries before it. */
function pageBySent(counts: Int32Array, { map, total }: Chosen, direction: Direction, page: Page): number[] {
  const descending = direction === 'desc';
  const next = firstIndexes(counts, map, descending);
  const wanted = Math.max(0, Math.min(page.size, total - page.offset));
  const seqs = new Array<number>(wanted).fill(0);
  for (let step = 0; step < map.length; step++) {
    const seq = descending ? map.length - 1 - step : step;
    if (map[seq] !== 1) continue;
    const sent = Math.max(0, counts[seq] ?? 0);
    const index = next[sent] ?? 0;
    next[sent] = index + 1;
    if (index >= page.offset && index < page.offset + wanted) seqs[index - page.offset] = seq;
  }
  return seqs;
}

/** For each count, the index of the first subscription that has it. Plain loops: a million entries in 5 ms. */
function firstIndexes(counts: Int32Array, map: Uint8Array, descending: boolean): Int32Array {
  let most = 0;
  for (let seq = 0; seq < counts.length; seq++) most = Math.max(most, counts[seq] ?? 0);
  const indexes = new Int32Array(most + 1);
  for (let seq = 0; seq < map.length; seq++) {
    if (map[seq] !== 1) continue;
    const sent = Math.max(0, counts[seq] ?? 0);
    indexes[sent] = (indexes[sent] ?? 0) + 1;
  }
  let before = 0;
  for (let step = 0; step <= most; step++) {
    const sent = descending ? most - step : step;
    const here = indexes[sent] ?? 0;
    indexes[sent] = before;
    before += here;
  }
  return indexes;
}
