import type { RateAnswer } from '../../contract/concurrency/rate-limit.ts';
import type { Sql } from './sql.ts';

/** The columns of `take_hit`, which counts a request exactly over all processes. */
export interface HitRow {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly wait_seconds: number | null;
}

export const rateAnswerOf = ({ allowed, remaining, wait_seconds }: HitRow): RateAnswer => ({
  isWithinRate: allowed,
  remaining,
  waitSeconds: wait_seconds ?? 0,
});

/** A hit that was counted, for `giveBackHit`. */
export interface Hit {
  readonly userId: number;
  readonly via:
    | 'token'
    | 'session'
    | 'report'
    | 'report-page'
    | 'report-job'
    | 'report-job-look'
    | 'report-wire';
  /** The limit it was counted against: hits in 60 seconds. */
  readonly most: number;
  /** As Postgres writes it: a Date would lose its microseconds. */
  readonly at: string;
}

/** Takes the hit out of the count; the second time it has no effect. @returns the limit's state afterwards. */
export async function giveBackHit(sql: Sql, { userId, via, most, at }: Hit): Promise<RateAnswer> {
  const [row] = await sql.query<Omit<HitRow, 'allowed'>>(
    `SELECT remaining, wait_seconds FROM give_back_hit($1, $2, $3, $4::timestamptz)`,
    [userId, via, most, at],
  );
  return rateAnswerOf({
    allowed: true,
    remaining: row?.remaining ?? 0,
    wait_seconds: row?.wait_seconds ?? 0,
  });
}
