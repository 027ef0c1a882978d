import type { Sql } from './sql.ts';

/** Days in a row of a source that became final at one moment. */
export interface FinalDays {
  /** In the order in which they became final. */
  readonly id: number;
  readonly source: string;
  /** `YYYY-MM-DD` on the calendar of the source, both ends included. */
  readonly firstDay: string;
  readonly lastDay: string;
  readonly saidBy: 'import' | 'person' | 'rule';
  readonly saidAt: Date;
}

/** Migration 0150 has a row for each. */
type FinalDaysReader = 'webhooks' | 'schedules';

export const hasFinalDays = (reader: FinalDaysReader): string =>
  `EXISTS (SELECT FROM ad_final_days WHERE id > (SELECT after_id FROM ad_final_readers WHERE reader = '${reader}'))`;

/**
 * The next events of the reader, in their order. In the caller's transaction, which does what they cause: committed, they
 * never come again; rolled back or killed, they come again to whoever claims next. While another process holds the reader's
 * row, there are none.
 * @param except sources whose events wait: those from the first of them on are left.
 */
export async function claimFinalDays(
  sql: Sql,
  reader: FinalDaysReader,
  limit: number,
  except: readonly string[] = [],
): Promise<FinalDays[]> {
  const [turn] = await sql.query<{ after_id: number }>(
    'SELECT after_id FROM ad_final_readers WHERE reader = $1 FOR UPDATE SKIP LOCKED',
    [reader],
  );
  if (turn === undefined) return [];
  const next = await sql.query<FinalDays>(
    `SELECT id, source, first_day::text AS "firstDay", last_day::text AS "lastDay", said_by AS "saidBy",
       said_at AS "saidAt"
     FROM ad_final_days WHERE id > $1 ORDER BY id LIMIT $2`,
    [turn.after_id, limit],
  );
  const end = next.findIndex(({ source }) => except.includes(source));
  const found = end < 0 ? next : next.slice(0, end);
  const last = found.at(-1);
  if (last !== undefined)
    await sql.query('UPDATE ad_final_readers SET after_id = $2 WHERE reader = $1', [reader, last.id]);
  return found;
}
