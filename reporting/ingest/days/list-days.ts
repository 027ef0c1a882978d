import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { DaySpeaker, DayState } from '../../../engine/contract/day-states.ts';
import { dayText } from '../../../engine/contract/days.ts';
import { createTodayOf } from './today-of.ts';

/** Days in a row of a source with the same state, said by the same. */
export interface StateRun {
  readonly source: string;
  /** `YYYY-MM-DD` on the calendar of the source, both ends included. */
  readonly first_day: string;
  readonly last_day: string;
  readonly state: DayState;
  readonly said_by: DaySpeaker | null;
  readonly said_at: Date | null;
  /** Of a person: the e-mail address, or the account of the machine at the command line; of an import likewise. */
  readonly said_as: string | null;
}

/** Of each source, the last day that `complete_until` holds all of. */
async function completeDays(
  sql: Sql,
  source: string | null,
): Promise<readonly { readonly source: string; readonly day: string }[]> {
  const rows = await sql.query<{ source: string; zone: string; until: Date }>(
    `SELECT source, day_zone AS zone, complete_until AS until FROM ad_sources
     WHERE complete_until BETWEEN '2000-01-01' AND '2200-01-01' AND ($1::text IS NULL OR source = $1)`,
    [source],
  );
  const todayOf = createTodayOf();
  return rows.map(({ source: name, zone, until }) => ({
    source: name,
    day: dayText(todayOf(zone, until.getTime()) - 1),
  }));
}

/**
 * What is known of the days between these, of one source or of all, in runs. A day that is open as far as anybody said is
 * complete where its source is complete until a time after it.
 */
export async function listDays(
  sql: Sql,
  { from, until, source }: { readonly from: string; readonly until: string; readonly source: string | null },
): Promise<StateRun[]> {
  const ends = await completeDays(sql, source);
  return sql.query<StateRun>(
    `WITH days AS (
       SELECT days.source, days.day,
         CASE WHEN byTime THEN 'complete' ELSE days.state END AS state,
         CASE WHEN byTime THEN 'time' ELSE days.said_by END AS said_by,
         CASE WHEN byTime THEN NULL ELSE days.said_at END AS said_at,
         CASE WHEN byTime THEN NULL ELSE coalesce(people.email, days.said_as, loads.made_by) END AS said_as
       FROM ad_days AS days LEFT JOIN unnest($4::text[], $5::date[]) AS ends (source, day) ON ends.source = days.source
         LEFT JOIN users AS people ON people.id = days.said_user
         LEFT JOIN ad_loads AS loads ON loads.id = days.said_load
         CROSS JOIN LATERAL (SELECT days.state = 'open' AND days.said_by IS NULL
           AND coalesce(days.day <= ends.day, false) AS byTime) AS said
       WHERE days.day BETWEEN $1 AND $2 AND ($3::text IS NULL OR days.source = $3)
     ), islands AS (
       SELECT *, day - (row_number() OVER (PARTITION BY source, state, said_by, said_at, said_as ORDER BY day))::integer
         AS island FROM days
     )
     SELECT source, min(day)::text AS first_day, max(day)::text AS last_day, state, said_by, said_at, said_as
     FROM islands GROUP BY source, state, said_by, said_at, said_as, island ORDER BY min(day), source`,
    [from, until, source, ends.map((end) => end.source), ends.map(({ day }) => day)],
  );
}
