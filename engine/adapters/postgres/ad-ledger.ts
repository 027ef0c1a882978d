import type { Sql } from './sql.ts';

/**
 * Selects the rows of ClickHouse's `ad_stats` that a report counts: one state of the ledger, whatever is
 * imported or restated while the report runs. A row counts where all of these hold:
 *
 *     load <= maxLoad, load is not in hidden, and no superseded run has its source and UTC day and load < below
 *
 * Superseded and abandoned rows are deleted by a sweep, which waits longer than a report may take
 * (`SWEEP_GRACE_MS` of reporting/ingest): the rows of a ledger still exist when it is used.
 */
export interface Ledger {
  /** Loads above it were registered later. 0: there is none. */
  readonly maxLoad: number;
  /** Loads at or below it that do not count: not finished, or abandoned. Usually none. */
  readonly hidden: readonly number[];
  /** Usually none; a restatement of days in a row is one run, for the minutes until its old rows are gone. */
  readonly superseded: readonly SupersededRun[];
  /** Whether any of the days that were asked was ever restated. */
  readonly restated: boolean;
  /**
   * The time until which the data is complete: the earliest that any ad server stated in the last 35 days. Ad
   * servers that never stated one are ignored; null where none did.
   */
  readonly completeUntil: Date | null;
  /** What these two say of each source; the days of restatements among those that were asked, in UTC. */
  readonly bySource: {
    readonly completeUntil: Readonly<Record<string, number>>;
    readonly restated: readonly {
      readonly source: string;
      readonly firstDay: string;
      readonly lastDay: string;
    }[];
  };
  /** Whose days the days of a source are, where that is not UTC. */
  readonly dayZones: Readonly<Record<string, string>>;
}

/** What a ledger says to somebody who may see some of the statistics. */
export type SeenState = Pick<Ledger, 'completeUntil' | 'restated'>;

/** A source, and a UTC day (`YYYY-MM-DD`) on which it has a row that may be seen. */
export type SourceDay = readonly [source: string, day: string];

/** As long as a source counts for `completeUntil` after it reported. */
export const DAYS_OF_A_SOURCE = 35;

/** What others deliver says something about them alone: only the sources and days of which a row is seen count. */
export function seenState({ bySource }: Ledger, seen: readonly SourceDay[]): SeenState {
  const times = [...new Set(seen.map(([source]) => source))]
    .map((source) =>
      Object.hasOwn(bySource.completeUntil, source) ? bySource.completeUntil[source] : undefined,
    )
    .filter((seconds) => seconds !== undefined);
  return {
    completeUntil: times.length === 0 ? null : new Date(Math.min(...times) * 1_000),
    restated: bySource.restated.some((run) =>
      seen.some(([source, day]) => source === run.source && run.firstDay <= day && day <= run.lastDay),
    ),
  };
}

export interface SupersededRun {
  readonly source: string;
  /** `YYYY-MM-DD` in UTC, both ends included. */
  readonly firstDay: string;
  readonly lastDay: string;
  readonly below: number;
  /** Of a source whose days are not those of UTC: where its hours are, in seconds; `lastDay` and `firstDay` are its own. */
  readonly hours?: readonly [from: number, until: number] | null;
}

/** UTC days `YYYY-MM-DD`, both ends included. */
export interface DayRange {
  readonly firstDay: string;
  readonly lastDay: string;
}

interface LedgerRow {
  readonly max_load: number;
  readonly hidden: readonly (string | number)[];
  readonly superseded: readonly {
    readonly source: string;
    readonly first_day: string;
    readonly last_day: string;
    readonly below: number;
    readonly from_at: number | null;
    readonly until_at: number | null;
  }[];
  readonly restated: boolean;
  readonly complete_until: Date | null;
  readonly complete_by_source: Readonly<Record<string, number>>;
  readonly restated_days: readonly {
    readonly source: string;
    readonly first_day: string;
    readonly last_day: string;
  }[];
  readonly day_zones: Readonly<Record<string, string>>;
}

/**
 * One statement, so that it is one state. The range must hold every UTC day that the report may touch.
 * @param asked the days that the report shows, where these are not all of the range.
 */
export async function readLedger(
  sql: Sql,
  range: DayRange,
  asked: readonly DayRange[] = [range],
): Promise<Ledger> {
  const [row] = await sql.query<LedgerRow>(ledgerStatement, [
    range.firstDay,
    range.lastDay,
    asked.map(({ firstDay }) => firstDay),
    asked.map(({ lastDay }) => lastDay),
  ]);
  if (row === undefined) throw new Error('the ledger answered nothing');
  return {
    maxLoad: row.max_load,
    hidden: row.hidden.map(Number),
    superseded: row.superseded.map(({ source, first_day, last_day, below, from_at, until_at }) => ({
      source,
      firstDay: first_day,
      lastDay: last_day,
      below,
      ...(from_at === null || until_at === null ? {} : { hours: [from_at, until_at] as const }),
    })),
    restated: row.restated,
    completeUntil: row.complete_until,
    bySource: {
      completeUntil: row.complete_by_source,
      restated: row.restated_days.map(({ source, first_day, last_day }) => ({
        ...{ source, firstDay: first_day, lastDay: last_day },
      })),
    },
    dayZones: row.day_zones,
  };
}

/** Days in a row have one value of `day - rank`. */
const ledgerStatement = `
  WITH restated AS (
    SELECT * FROM ad_restated
    WHERE day BETWEEN $1 AND $2 OR (from_at IS NOT NULL AND day BETWEEN $1::date - 1 AND $2::date + 1)
  ),
  islands AS (
    SELECT source, day, below, from_at, until_at,
      day - (row_number() OVER (PARTITION BY source, below, from_at IS NULL ORDER BY day))::integer AS island
    FROM restated WHERE cleaned_at IS NULL
  ),
  runs AS (
    SELECT source, below, min(day) AS first_day, max(day) AS last_day,
      extract(epoch FROM min(from_at))::bigint AS from_at, extract(epoch FROM max(until_at))::bigint AS until_at
    FROM islands GROUP BY source, below, island, from_at IS NULL
  ),
  in_utc AS (
    SELECT source, coalesce((from_at AT TIME ZONE 'UTC')::date, day) AS first_day,
      coalesce(((until_at - interval '1 second') AT TIME ZONE 'UTC')::date, day) AS last_day
    FROM restated WHERE NOT rewritten
  ),
  concerned AS (
    SELECT DISTINCT in_utc.* FROM in_utc JOIN unnest($3::date[], $4::date[]) AS asked (first_day, last_day)
      ON in_utc.first_day <= asked.last_day AND in_utc.last_day >= asked.first_day
  )
  SELECT
    coalesce((SELECT max(id) FROM ad_loads), 0) AS max_load,
    ARRAY(
      SELECT id FROM ad_loads
      WHERE state = 'pending' OR (state = 'abandoned' AND cleaned_at IS NULL) ORDER BY id
    ) AS hidden,
    coalesce((SELECT jsonb_agg(to_jsonb(runs) ORDER BY source, first_day) FROM runs), '[]') AS superseded,
    EXISTS (SELECT FROM concerned) AS restated,
    coalesce((SELECT jsonb_agg(to_jsonb(concerned)) FROM concerned), '[]') AS restated_days,
    coalesce((SELECT jsonb_object_agg(source, extract(epoch FROM complete_until)) FROM ad_sources
      WHERE complete_until IS NOT NULL AND reported_at > now() - interval '35 days'), '{}') AS complete_by_source,
    (SELECT min(complete_until) FROM ad_sources WHERE reported_at > now() - interval '35 days') AS complete_until,
    coalesce((SELECT jsonb_object_agg(source, day_zone) FROM ad_sources WHERE day_zone <> 'UTC'), '{}') AS day_zones`;
