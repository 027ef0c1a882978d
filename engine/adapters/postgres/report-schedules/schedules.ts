import { ofColleague } from '../colleague.ts';
import type { Database } from '../database.ts';
import { admittedTokens, type ReportScope } from '../report-tokens.ts';
import { isOwnOrAdmin, lockSaved, writer } from '../saved-reports/saved.ts';
import type { Sql } from '../sql.ts';

/** Of one organization. */
export const MOST_SCHEDULES = 50;

export type Destination =
  | { readonly kind: 'webhook'; readonly url: string }
  /** People of the organization. */
  | { readonly kind: 'email'; readonly addresses: readonly string[] }
  | { readonly kind: 'bucket'; readonly url: string; readonly region: string; readonly key_id: string };

export interface NewSchedule {
  readonly savedId: number;
  readonly tokenId: number;
  /** Null: when the days are final. */
  readonly cron: string | null;
  readonly zone: string;
  readonly format: string;
  readonly destination: Destination;
  readonly nextAt: Date;
  /** @param id that the sealed secret is bound to. */
  readonly seal: ((id: number) => Uint8Array) | null;
}

export interface ReportSchedule {
  readonly id: number;
  readonly saved_id: number;
  readonly saved_name: string;
  readonly cron: string | null;
  readonly timezone: string;
  readonly format: string;
  readonly destination: Destination;
  readonly next_at: Date | null;
  readonly stopped_why: string | null;
  /** E-mail address; null: they have left. */
  readonly made_by: string | null;
  readonly created_at: Date;
  readonly may_change: boolean;
}

/** Whose rights a schedule has now. */
export interface Owner {
  /** Null: gone. */
  readonly tokenId: number | null;
  /** Null: gone, or in another organization. */
  readonly userId: number | null;
  /** What the token sees now; null: it lets nobody in, or the user is gone. */
  readonly scope: ReportScope | null;
}

/** SQL of `Owner`, with `ownerJoin` behind `report_schedules`. */
export const ownerColumns = `token_id AS "tokenId", owners.id AS "userId", (
    SELECT jsonb_build_object('domains', domains, 'wholesalers', wholesalers, 'unrestricted', unrestricted)
    FROM (${admittedTokens('report_tokens.id = report_schedules.token_id')}) AS admitted
    WHERE owners.id IS NOT NULL
  ) AS scope`;
export const ownerJoin = `LEFT JOIN users AS owners ON owners.id = report_schedules.made_by
    AND owners.organization_id = report_schedules.organization_id`;

/** What ends the schedule, in words; null: nothing. */
export function whyNotRun({ userId, tokenId, scope }: Owner): string | null {
  if (userId === null) return 'The owner of the schedule left the organization. Resume it to make it yours.';
  if (tokenId === null || scope === null)
    return 'The report token of the schedule was revoked, or sees none of its domains any more. Resume it with another token.';
  return null;
}

export const scheduleContext = (id: number): string => `report-schedule ${id}`;

/** @returns the id, or why there is none. */
export function insertSchedule(
  database: Pick<Database, 'transaction'>,
  userId: number,
  schedule: NewSchedule,
): Promise<number | 'missing' | 'forbidden' | 'full'> {
  return database.transaction(async (sql) => {
    await lockSaved(sql, userId);
    const [room] = await sql.query<{ count: number; has_saved: boolean }>(
      `WITH writer AS (${writer})
       SELECT (SELECT count(*)::int FROM report_schedules WHERE organization_id = writer.organization_id) AS count,
         EXISTS (SELECT FROM saved_reports WHERE id = $2 AND organization_id = writer.organization_id) AS has_saved
       FROM writer`,
      [userId, schedule.savedId],
    );
    if (room === undefined) return 'forbidden';
    if (!room.has_saved) return 'missing';
    if (room.count >= MOST_SCHEDULES) return 'full';
    const { savedId, tokenId, cron, zone, format, destination, nextAt, seal } = schedule;
    const [row] = await sql.query<{ id: number }>(
      `INSERT INTO report_schedules (organization_id, saved_id, token_id, made_by, cron, zone, format, destination, next_at)
       SELECT organization_id, $2, $3, $1, $4, $5, $6, $7, $8 FROM users WHERE id = $1 RETURNING id`,
      [userId, savedId, tokenId, cron, zone, format, JSON.stringify(destination), nextAt],
    );
    if (row === undefined) throw new Error('no schedule was inserted');
    if (seal !== null)
      await sql.query('UPDATE report_schedules SET secret_sealed = $2 WHERE id = $1', [row.id, seal(row.id)]);
    return row.id;
  });
}

const shown = `WITH writer AS (${writer})
  SELECT report_schedules.id, saved_id, saved_reports.name AS saved_name, cron, zone AS timezone, format, destination,
    CASE WHEN stopped_at IS NULL AND cron IS NOT NULL THEN next_at END AS next_at, stopped_why,
    ${ofColleague('email', 'report_schedules.made_by', 'report_schedules.organization_id')} AS made_by,
    report_schedules.created_at,
    EXISTS (SELECT FROM writer WHERE ${isOwnOrAdmin('report_schedules')}) AS may_change
  FROM users AS callers JOIN report_schedules USING (organization_id) JOIN saved_reports ON saved_reports.id = saved_id
  WHERE callers.id = $1`;

export const listSchedules = (sql: Sql, userId: number): Promise<ReportSchedule[]> =>
  sql.query(`${shown} ORDER BY report_schedules.id`, [userId]);

/** @returns null where the user's organization has none of this id. */
export async function findSchedule(sql: Sql, userId: number, id: number): Promise<ReportSchedule | null> {
  const [found] = await sql.query<ReportSchedule>(`${shown} AND report_schedules.id = $2`, [userId, id]);
  return found ?? null;
}

/** With its runs; the caller has asked whether the user may. */
export async function removeSchedule(sql: Sql, id: number): Promise<void> {
  await sql.query('DELETE FROM report_schedules WHERE id = $1', [id]);
}

export async function stopSchedule(sql: Sql, id: number, why: string): Promise<void> {
  await sql.query(
    'UPDATE report_schedules SET stopped_at = now(), stopped_why = $2 WHERE id = $1 AND stopped_at IS NULL',
    [id, why],
  );
}

/** It goes on with the rights of whoever resumes it. */
export async function resumeSchedule(
  sql: Sql,
  id: number,
  owner: { readonly userId: number; readonly tokenId: number },
  nextAt: Date,
): Promise<void> {
  await sql.query(
    `UPDATE report_schedules SET stopped_at = NULL, stopped_why = NULL, made_by = $2, token_id = $3, next_at = $4
     WHERE id = $1`,
    [id, owner.userId, owner.tokenId, nextAt],
  );
}

/** People of the user's organization among these addresses, as they are written there. */
export const colleaguesAmong = async (
  sql: Sql,
  organizationOf: number,
  addresses: readonly string[],
): Promise<string[]> =>
  (
    await sql.query<{ email: string }>(
      `SELECT email FROM users WHERE organization_id = (SELECT organization_id FROM users WHERE id = $1)
         AND lower(email) = ANY ($2)`,
      [organizationOf, addresses.map((address) => address.toLowerCase())],
    )
  ).map(({ email }) => email);
