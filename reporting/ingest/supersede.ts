import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import { pluralOf } from '../../engine/contract/counted.ts';
import { type Activation, daysOf } from './activation.ts';
import { someDays } from './days/some-days.ts';
import { type OwnDay, ownDaysOf } from './own-days.ts';

/**
 * A restatement replaces days as its source has them. Restated statistics live in `ad_restated`, in the transaction that
 * makes the new ones count. If its owner dies after it, the old rows are invisible all the same, and a sweep of any
 * process deletes them.
 */
export async function supersede(
  sql: Sql,
  activation: Activation,
  { source, zone }: { readonly source: string; readonly zone: string },
): Promise<void> {
  const { load, onlyDays = null } = activation;
  const days = daysOf(activation);
  const found = ownDaysOf(zone, activation.times ?? [])?.map(({ day }) => day) ?? activation.days;
  const other = onlyDays === null ? [] : found.filter((day) => !onlyDays.includes(day));
  if (other.length > 0) throw new OtherDays(other, zone);
  const own = ownDaysOfLoad(zone, activation);
  const written = await sql.query(
    `INSERT INTO ad_restated AS kept (source, day, below, from_at, until_at)
     SELECT $2, day, $1, from_at, until_at
     FROM unnest($3::date[], $4::timestamptz[], $5::timestamptz[]) AS own (day, from_at, until_at)
     ON CONFLICT (day, source) DO UPDATE
       SET below = greatest(kept.below, excluded.below), rewritten = false,
         restated_at = now(), cleaned_at = NULL, from_at = excluded.from_at, until_at = excluded.until_at
       WHERE kept.cleaned_at IS NOT NULL OR kept.from_at IS NOT DISTINCT FROM excluded.from_at
     RETURNING 1`,
    [
      ...[load, source, own?.map(({ day }) => day) ?? days],
      own?.map(({ from }) => from) ?? days.map(() => null),
      own?.map(({ until }) => until) ?? days.map(() => null),
    ],
  );
  if (written.length < (own ?? days).length) throw new DaysMoved(source);
}

/** With the days that a restatement names; null: of a source whose days are those of UTC. */
export function ownDaysOfLoad(
  zone: string,
  { times = [], onlyDays }: Pick<Activation, 'times' | 'onlyDays'>,
): OwnDay[] | null {
  const named = (onlyDays ?? []).map((day) => ({ day, wholeDays: true, hours: null }));
  return ownDaysOf(zone, [...times, ...named]);
}

/** The files have rows of days that their restatement does not name. */
export class OtherDays extends Error {
  constructor(days: readonly string[], zone: string) {
    super(
      `nothing was done: the files have rows of ${someDays(days)} (days in ${zone}), which --restate does not name. Name ` +
        `${pluralOf(days.length, 'this day', 'these days')} too, or use --restate without a day`,
    );
    this.name = 'OtherDays';
  }
}

/** A day of the source was restated in another timezone, and the rows of then are not deleted yet. */
export class DaysMoved extends Error {
  constructor(source: string) {
    super(
      `days of ${source} were restated in another timezone a moment ago, and their old rows are still there: try again in ` +
        '20 minutes, while the reporting role runs',
    );
    this.name = 'DaysMoved';
  }
}
