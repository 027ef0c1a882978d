import type { Sql } from './database.ts';

/** What the rate limit says to one request of a user. */
export interface Hit {
  readonly isWithinRate: boolean;
  /** How many more requests would be let in right now. */
  readonly remaining: number;
  /** Seconds until the next request is let in; 0 where it would be now. */
  readonly waitSeconds: number;
}

interface HitRow {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly wait_seconds: number | null;
}

/** Counts a request of the user, exactly over all processes. @param most in any 60 seconds. */
export async function takeHit(sql: Sql, userId: number, via: 'report', most: number): Promise<Hit> {
  const [row] = await sql.query<HitRow>(`SELECT * FROM take_hit($1, $2, $3)`, [userId, via, most]);
  if (row === undefined) throw new Error('take_hit answered nothing');
  return { isWithinRate: row.allowed, remaining: row.remaining, waitSeconds: row.wait_seconds ?? 0 };
}
