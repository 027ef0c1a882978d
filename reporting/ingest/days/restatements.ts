import type { Sql } from '../../../engine/adapters/postgres/sql.ts';

/** What a load is about to change, before it does: the ledger's state of this moment is kept with it. */
interface Restating {
  readonly load: number;
  readonly source: string;
  readonly zone: string;
  /** It replaces these days; otherwise it adds to them. */
  readonly replaces: boolean;
  /** On the calendar of the source. */
  readonly days: readonly string[];
}

/**
 * Notes a restatement. The caller holds the lock of the ledger, made the load active in the same transaction, and has not
 * superseded anything yet. Replaced days that no load had rows of before are none.
 */
export const noteRestatement = (sql: Sql, { load, source, zone, replaces, days }: Restating) =>
  sql.query(
    `WITH known AS (
       SELECT kept.day, kept.state = 'final' AS final, coalesce(dead.below, 0) AS below
       FROM ad_days AS kept LEFT JOIN ad_restated AS dead ON dead.source = kept.source AND dead.day = kept.day
       WHERE kept.source = $2 AND kept.day = ANY($5::date[]) AND ($4 OR kept.state = 'final')
     )
     INSERT INTO ad_restatements (load, source, zone, replaces, days, belows, finals, max_load, hidden)
     SELECT $1, $2, $3, $4, array_agg(day ORDER BY day), array_agg(below ORDER BY day), array_agg(final ORDER BY day),
       (SELECT max(id) FROM ad_loads),
       ARRAY(SELECT id FROM ad_loads WHERE state = 'pending' OR (state = 'abandoned' AND cleaned_at IS NULL) ORDER BY id)
     FROM known HAVING count(*) > 0`,
    [load, source, zone, replaces, days],
  );

/** A restatement whose figures are to be counted. */
export interface Uncounted extends Restating {
  readonly id: number;
  readonly belows: readonly number[];
  readonly maxLoad: number;
  readonly hidden: readonly number[];
}

/**
 * The oldest one, locked; null: there is none, or another process counts it.
 * @param except loads whose restatements could not be counted a moment ago.
 */
export async function lockUncounted(sql: Sql, except: readonly number[]): Promise<Uncounted | null> {
  const [row] = await sql.query<
    Omit<Uncounted, 'belows' | 'hidden'> & { belows: string[]; hidden: string[] }
  >(
    `SELECT id, load, source, zone, replaces, days::text[] AS days, belows, hidden, max_load AS "maxLoad"
     FROM ad_restatements WHERE counted_at IS NULL AND load <> ALL($1) ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    [except],
  );
  if (row === undefined) return null;
  return { ...row, belows: row.belows.map(Number), hidden: row.hidden.map(Number) };
}

export const noteCounted = (sql: Sql, id: number): Promise<unknown> =>
  sql.query('UPDATE ad_restatements SET counted_at = clock_timestamp() WHERE id = $1', [id]);

/**
 * Restatements that could not be counted get numbers behind all others, so that the feed, which is in the order of numbers,
 * goes on without them and its readers find them at its end. One that is counted meanwhile keeps its place.
 */
export const moveBehind = (sql: Sql, loads: readonly number[]): Promise<unknown> =>
  sql.query(
    `UPDATE ad_restatements SET id = DEFAULT WHERE load = ANY($1) AND counted_at IS NULL
       AND EXISTS (SELECT FROM ad_restatements AS others WHERE others.id > ad_restatements.id AND others.load <> ALL($1))`,
    [loads],
  );
