import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { eachStep } from '../../../engine/contract/concurrency/each-step.ts';
import { pluralOf } from '../../../engine/contract/counted.ts';
import type { DayState } from '../../../engine/contract/day-states.ts';
import { dayText, knownDay } from '../../../engine/contract/days.ts';
import { lockLedger } from '../lock-ledger.ts';
import { someDays } from './some-days.ts';
import { createTodayOf } from './today-of.ts';

/**
 * How certain the days of sources are: `ad_days`.
 *
 *   open ──► complete ──► final      an import or a rule says so: only forward
 *     ▲────────┴────────────┘        a person says so: to any state
 *
 * A day that becomes final is an event (`ad_final_days`) in the same transaction: once, also where it is said twice or by
 * two at once, for the lock of the ledger lets one after the other. A day that was opened again and becomes final again is
 * another event. If its owner dies, nothing of the transaction happened.
 */
export interface DaysSaid {
  readonly source: string;
  /** On the calendar of the source. */
  readonly days: readonly string[];
  readonly state: DayState;
  readonly by: 'import' | 'person' | 'rule';
  readonly load?: number;
  /** Of a person in the dashboard or the API. */
  readonly userId?: number;
  /** Of a person at the command line: the account of the machine. */
  readonly as?: string;
}

/** A day cannot be complete or final before it is over. */
export class DaysNotOver extends Error {
  constructor(days: readonly string[], zone: string, state: string) {
    super(
      `${someDays(days)} (${zone}) ${pluralOf(days.length, 'is', 'are')} not over and cannot be ${state} yet: say so on the next day`,
    );
    this.name = 'DaysNotOver';
  }
}

/** @returns the days that changed. @throws DaysNotOver. */
export const sayDays = (database: Pick<Database, 'transaction'>, said: DaysSaid): Promise<string[]> =>
  database.transaction(async (sql) => {
    await lockLedger(sql);
    return sayLockedDays(sql, said);
  });

/** The caller holds the lock of the ledger. */
export async function sayLockedDays(sql: Sql, said: DaysSaid): Promise<string[]> {
  const { source, days, state, by, load = null, userId = null, as = null } = said;
  if (state !== 'open') await refuseDaysToCome(sql, source, days, state);
  const changed = await sql.query<{ day: string }>(
    `WITH before AS (
       SELECT day, state FROM ad_days WHERE source = $1 AND day = ANY($2::date[])
     ), written AS (
       INSERT INTO ad_days AS kept (source, day, state, said_by, said_load, said_user, said_as, said_at)
       SELECT $1, day, $3, $4, $5, $6, $7, now() FROM (SELECT DISTINCT unnest($2::date[]) AS day) AS asked
       ON CONFLICT (source, day) DO UPDATE SET state = excluded.state, said_by = excluded.said_by,
         said_load = excluded.said_load, said_user = excluded.said_user, said_as = excluded.said_as,
         said_at = excluded.said_at
       WHERE CASE WHEN excluded.said_by = 'person' THEN kept.state <> excluded.state OR kept.said_by IS NULL
         ELSE array_position($8, kept.state) < array_position($8, excluded.state) END
       RETURNING day
     ), final AS (
       SELECT day, day - (row_number() OVER (ORDER BY day))::integer AS island FROM written
       WHERE $3 = 'final' AND NOT EXISTS (SELECT FROM before WHERE before.day = written.day AND before.state = 'final')
     ), events AS (
       INSERT INTO ad_final_days (source, first_day, last_day, said_by)
       SELECT $1, min(day), max(day), $4 FROM final GROUP BY island ORDER BY min(day)
     )
     SELECT day::text AS day FROM written ORDER BY day`,
    [source, days, state, by, load, userId, as, ['open', 'complete', 'final']],
  );
  return changed.map(({ day }) => day);
}

async function refuseDaysToCome(
  sql: Sql,
  source: string,
  days: readonly string[],
  state: DayState,
): Promise<void> {
  const zone = await dayZoneOf(sql, source);
  const today = createTodayOf()(zone, (await timeOf(sql)).getTime());
  const early = days.filter((day) => knownDay(day) >= today).toSorted();
  if (early.length > 0) throw new DaysNotOver(early, zone, state);
}

async function timeOf(sql: Sql): Promise<Date> {
  const [row] = await sql.query<{ now: Date }>('SELECT now() AS now');
  return row?.now ?? new Date();
}

/** Days of a load that counts, which had no row yet, are open. */
export const noteDays = (sql: Sql, source: string, days: readonly string[]): Promise<unknown> =>
  sql.query(
    `INSERT INTO ad_days (source, day) SELECT DISTINCT $1, unnest($2::date[]) ON CONFLICT DO NOTHING`,
    [source, days],
  );

/** What an import says of files that are in already, as parts of these loads. */
export const sayDaysOfLoads = (
  database: Database,
  loads: readonly number[],
  said: Omit<DaysSaid, 'days'>,
): Promise<string[]> =>
  database.transaction(async (sql) => {
    await lockLedger(sql);
    const days = await sql.query<{ day: string }>(
      `SELECT DISTINCT unnest(coalesce(own_days, days))::text AS day FROM ad_loads
       WHERE id = ANY($1) AND source = $2 AND state = 'active'`,
      [loads, said.source],
    );
    return sayLockedDays(sql, { ...said, days: days.map(({ day }) => day) });
  });

/** Of these days of the source, the final ones. */
export async function finalDaysOf(sql: Sql, source: string, days: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ day: string }>(
    `SELECT day::text AS day FROM ad_days WHERE source = $1 AND day = ANY($2::date[]) AND state = 'final' ORDER BY day`,
    [source, days],
  );
  return rows.map(({ day }) => day);
}

/** Of one source in one step. */
const DAYS_PER_STEP = 1_000;

/**
 * Sources whose days are final some days after their end: `finalAfter` of their settings. A day that a person opened again
 * stays open.
 * @returns how many became final.
 */
export async function applyRules(database: Database): Promise<number> {
  const rules = await database.query<{ source: string; zone: string; after: number; now: Date }>(
    `SELECT kept.source, coalesce(day_zone, 'UTC') AS zone, (settings ->> 'finalAfter')::integer AS after, now() AS now
     FROM ad_source_settings AS kept LEFT JOIN ad_sources AS sources ON sources.source = kept.source
     WHERE settings ->> 'finalAfter' ~ '^[0-9]{1,4}$'`,
  );
  const todayOf = createTodayOf();
  const last = rules.map(({ zone, after, now }) => dayText(todayOf(zone, now.getTime()) - 1 - after));
  const due = await database.query<{ source: string; days: string[] }>(
    `SELECT source, array_agg(day::text ORDER BY day) AS days FROM (
       SELECT days.source, days.day, row_number() OVER (PARTITION BY days.source ORDER BY days.day) AS place
       FROM unnest($2::text[], $3::date[]) AS rules (source, last)
         JOIN ad_days AS days ON days.source = rules.source AND days.state <> 'final' AND days.day <= last
           AND NOT (days.state = 'open' AND days.said_by IS NOT DISTINCT FROM 'person')
     ) AS found WHERE place <= $1 GROUP BY source`,
    [DAYS_PER_STEP, rules.map(({ source }) => source), last],
  );
  return eachStep(
    due.map(({ source, days }) => async () => {
      const changed = await sayDays(database, { source, days, state: 'final', by: 'rule' });
      return changed.length;
    }),
  );
}

export async function dayZoneOf(sql: Sql, source: string): Promise<string> {
  const [row] = await sql.query<{ day_zone: string }>('SELECT day_zone FROM ad_sources WHERE source = $1', [
    source,
  ]);
  return row?.day_zone ?? 'UTC';
}
