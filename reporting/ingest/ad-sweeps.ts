import type { SupersededRun } from '../../engine/adapters/postgres/ad-ledger.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';

/** The ledger's dead rows, and the notes that they are deleted. Every statement can be repeated. */

/** A pending load of yesterday without an owner is abandoned. An importer holds its lock while it lives. */
export async function abandonForgotten(sql: Sql): Promise<number> {
  const rows = await sql.query(
    `UPDATE ad_loads SET state = 'abandoned', ended_at = now()
     WHERE state = 'pending' AND created_at < now() - interval '1 day' AND (kind = 'batch' OR
       pg_try_advisory_xact_lock(hashtextextended('broadside ad load ' || source || ' ' || content, 0)))
     RETURNING 1`,
  );
  return rows.length;
}

/**
 * Loads abandoned long enough ago that no insert of theirs can still be in flight: until then they stay hidden,
 * and a late row of theirs never shows.
 */
export async function abandonedLoads(sql: Sql, limit: number): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(
    `SELECT id FROM ad_loads
     WHERE state = 'abandoned' AND cleaned_at IS NULL AND ended_at < now() - interval '1 day'
     ORDER BY id LIMIT $1`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

export async function noteLoadsCleaned(sql: Sql, loads: readonly number[]): Promise<void> {
  await sql.query(`UPDATE ad_loads SET cleaned_at = now() WHERE id = ANY($1) AND state = 'abandoned'`, [
    loads,
  ]);
}

/**
 * Dead for long enough that no report which still counts the old rows can be running, and counted for its restatements
 * as long ago.
 */
const due = `cleaned_at IS NULL AND restated_at < now() - $1 * interval '1 millisecond' AND NOT EXISTS (
  SELECT FROM ad_restatements AS changes WHERE changes.source = ad_restated.source AND ad_restated.day = ANY(changes.days)
    AND (changes.counted_at IS NULL OR changes.counted_at > now() - $1 * interval '1 millisecond'))`;

/** At most `limit` restated days, the oldest first, each a run of its own. */
export async function supersededDays(sql: Sql, graceMs: number, limit: number): Promise<SupersededRun[]> {
  const rows = await sql.query<{
    source: string;
    day: string;
    below: number;
    first: number | null;
    until: number | null;
  }>(
    `SELECT source, day::text AS day, below, extract(epoch FROM from_at)::bigint AS first,
       extract(epoch FROM until_at)::bigint AS until FROM ad_restated WHERE ${due} ORDER BY day, source LIMIT $2`,
    [graceMs, limit],
  );
  return rows.map(({ source, day, below, first, until }) => ({
    ...{ source, firstDay: day, lastDay: day, below },
    ...(first === null || until === null ? {} : { hours: [Number(first), Number(until)] as const }),
  }));
}

/** A day that was restated again, or got rows that were dead on arrival, meanwhile is not due: it stays. */
export async function noteDaysCleaned(
  sql: Sql,
  graceMs: number,
  runs: readonly SupersededRun[],
): Promise<void> {
  await sql.query(
    `UPDATE ad_restated SET cleaned_at = now()
     FROM unnest($2::text[], $3::date[], $4::bigint[]) AS gone (source, day, below)
     WHERE ad_restated.source = gone.source AND ad_restated.day = gone.day AND ad_restated.below = gone.below
       AND ${due}`,
    [
      graceMs,
      runs.map(({ source }) => source),
      runs.map(({ firstDay }) => firstDay),
      runs.map(({ below }) => below),
    ],
  );
}
