import { ofColleague } from '../colleague.ts';
import type { Sql } from '../sql.ts';

/** A line of ad statistics over time. An empty text: not stated. */
export interface Series {
  /** As it is stored: lower case, ASCII. */
  readonly domain: string;
  readonly product: string;
  readonly country: string;
}

export interface Mute extends Series {
  /** The last day (`YYYY-MM-DD`) that is muted. */
  readonly until: string;
  readonly reason: string;
  /** The name of who muted it; null where they have left. */
  readonly muted_by: string | null;
  readonly muted_at: Date;
}

/** Of an organization; each is in every question about anomalies. */
export const MOST_MUTES = 1_000;

const organizationOf = '(SELECT organization_id FROM users WHERE id = $1)';
const muteFields = `domain, product, country, until::text AS until, reason,
  ${ofColleague('name', 'kept.muted_by', 'kept.organization_id')} AS muted_by, muted_at`;

/** Those of the user's organization, the latest first. */
export const listMutes = (sql: Sql, userId: number): Promise<Mute[]> =>
  sql.query(
    `SELECT ${muteFields} FROM anomaly_mutes AS kept WHERE organization_id = ${organizationOf}
     ORDER BY muted_at DESC, domain, product, country LIMIT ${MOST_MUTES}`,
    [userId],
  );

/**
 * Mutes a series, or moves its end. Two who add at once when one place is left may both get one: the list has room for
 * its first thousand.
 * @returns null where the organization has too many.
 */
export async function writeMute(
  sql: Sql,
  userId: number,
  { domain, product, country }: Series,
  { until, reason }: { readonly until: string; readonly reason: string },
): Promise<Mute | null> {
  const [written] = await sql.query<Mute>(
    `INSERT INTO anomaly_mutes AS kept (organization_id, domain, product, country, until, reason, muted_by)
     SELECT ${organizationOf}, $2, $3, $4, $5, $6, $1
     WHERE (SELECT count(*) FROM anomaly_mutes WHERE organization_id = ${organizationOf}
       AND (domain, product, country) <> ($2, $3, $4)) < ${MOST_MUTES}
     ON CONFLICT (organization_id, domain, product, country) DO UPDATE
       SET until = excluded.until, reason = excluded.reason, muted_by = excluded.muted_by, muted_at = now()
     RETURNING ${muteFields}`,
    [userId, domain, product, country, until, reason],
  );
  return written ?? null;
}

export async function removeMute(
  sql: Sql,
  userId: number,
  { domain, product, country }: Series,
): Promise<void> {
  await sql.query(
    `DELETE FROM anomaly_mutes
     WHERE organization_id = ${organizationOf} AND domain = $2 AND product = $3 AND country = $4`,
    [userId, domain, product, country],
  );
}
