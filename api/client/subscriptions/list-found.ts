import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { Page } from '../../http/page.ts';
import { sliceOf } from '../../http/slice.ts';
import type { StoredApp } from '../apps/store.ts';
import { type Chosen, parseIntegers } from './chosen.ts';
import type { Direction } from './schema.ts';
import { among, type FoundSeqs, type IndexedSort, orderOf, type Selection, select } from './selection.ts';

interface Asked {
  readonly sort: IndexedSort;
  readonly direction: Direction;
  readonly page: Page;
}

/** Up to this many are sorted by themselves; more are soon found on a walk along the sort's own index. */
const FEW = 1_000;
/** More than would do where they are spread evenly, so that one walk mostly is enough. */
const MARGIN = { factor: 1.5, more: 200, growth: 4 } as const;

/** A page of subscriptions that are known by now, in an order that an index has. */
export async function listFound(sql: Sql, app: StoredApp, found: Chosen, asked: Asked): Promise<FoundSeqs> {
  const { total } = found;
  const slice = sliceOf(asked.page, total);
  if (slice.limit === 0) return { seqs: [], total };
  const ascending = (asked.direction === 'asc') !== slice.reversed;
  const needed = slice.offset + slice.limit;
  const inOrder =
    total <= FEW
      ? await readInOrder(sql, among(app.id, seqsOf(found), asked.sort), ascending, needed)
      : await walk(sql, app, found, asked.sort, ascending, needed);
  const seqs = inOrder.slice(slice.offset, needed);
  return { seqs: slice.reversed ? seqs.toReversed() : seqs, total };
}

/** The first that were found of all in this order, as many as are needed. */
async function walk(
  sql: Sql,
  app: StoredApp,
  { map, total }: Chosen,
  sort: IndexedSort,
  ascending: boolean,
  needed: number,
): Promise<number[]> {
  const everybody = select(app.id, { filters: {}, searchedSeq: null, sort });
  let wanted = Math.ceil((needed * app.subscriber_count * MARGIN.factor) / total) + MARGIN.more;
  for (;;) {
    const met = await readInOrder(sql, everybody, ascending, wanted);
    const matching = met.filter((seq) => map[seq] === 1);
    if (matching.length >= needed || met.length < wanted) return matching;
    wanted *= MARGIN.growth;
  }
}

async function readInOrder(
  sql: Sql,
  selection: Selection,
  ascending: boolean,
  limit: number,
): Promise<number[]> {
  const { from, seq, values } = selection;
  const [row] = await sql.query<{ seqs: string | null }>(
    `SELECT array_agg(seq)::text AS seqs FROM (
       SELECT ${seq} AS seq ${from} ORDER BY ${orderOf(selection, ascending)} LIMIT $${values.length + 1}
     ) AS ordered`,
    [...values, limit],
  );
  return [...parseIntegers(row?.seqs ?? '{}')];
}

function seqsOf({ map }: Chosen): number[] {
  const seqs: number[] = [];
  for (let seq = 0; seq < map.length; seq++) if (map[seq] === 1) seqs.push(seq);
  return seqs;
}
