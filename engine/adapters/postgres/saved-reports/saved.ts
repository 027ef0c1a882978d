import type { RelativePeriod } from '../../../contract/relative-days.ts';
import { ofColleague } from '../colleague.ts';
import type { Database } from '../database.ts';
import type { Sql } from '../sql.ts';

/** Of one organization: a list that people and pages read whole. */
export const MOST_SAVED = 100;

/** What is saved; the request is the body of a report. */
export interface SavedContent {
  readonly name: string;
  readonly period: RelativePeriod | null;
  readonly request: object;
  readonly view: object | null;
}

export interface SavedReport extends SavedContent {
  readonly id: number;
  /** E-mail address; null: they have left. */
  readonly made_by: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** Whether this user may change and delete it. */
  readonly may_change: boolean;
}

/** `never-final`: a schedule waits until its days are final, and the new ones never are. */
export type SavedEnd = 'missing' | 'forbidden' | 'taken' | 'full' | 'never-final';

/** SQL: of the user $1, who may write what the organization shares; readers and guests only read. */
export const writer = `SELECT id, organization_id, role FROM users WHERE id = $1 AND narrowed IS NULL`;

/** SQL: that a row of `made_by` is the writer's to change: their own, or any for admins. */
export const isOwnOrAdmin = (table: string): string =>
  `(${table}.made_by = writer.id OR writer.role <> 'member')`;

const shown = `SELECT saved_reports.id, saved_reports.name, period, request, view,
    ${ofColleague('email', 'saved_reports.made_by', 'saved_reports.organization_id')} AS made_by,
    saved_reports.created_at, saved_reports.updated_at,
    callers.narrowed IS NULL AND (saved_reports.made_by IS NOT DISTINCT FROM callers.id OR callers.role <> 'member') AS may_change
  FROM users AS callers JOIN saved_reports USING (organization_id)
  WHERE callers.id = $1`;

/** Of the user's organization, by name. */
export const listSavedReports = (sql: Sql, userId: number): Promise<SavedReport[]> =>
  sql.query(`${shown} ORDER BY lower(saved_reports.name)`, [userId]);

/** @returns null where the user's organization has none of this id. */
export async function findSavedReport(sql: Sql, userId: number, id: number): Promise<SavedReport | null> {
  const [found] = await sql.query<SavedReport>(`${shown} AND saved_reports.id = $2`, [userId, id]);
  return found ?? null;
}

/** In one place, so that two at once do not exceed the bound together. */
export const lockSaved = (sql: Sql, userId: number): Promise<unknown> =>
  sql.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('saved reports ' || organization_id, 0)) FROM users WHERE id = $1`,
    [userId],
  );

const contentOf = ({ name, period, request, view }: SavedContent): readonly unknown[] => [
  ...[name, period, JSON.stringify(request), view === null ? null : JSON.stringify(view)],
];

/** @returns the id, or why there is none. */
export function insertSavedReport(
  database: Pick<Database, 'transaction'>,
  userId: number,
  content: SavedContent,
): Promise<number | Exclude<SavedEnd, 'missing' | 'never-final'>> {
  return database.transaction(async (sql) => {
    await lockSaved(sql, userId);
    const [room] = await sql.query<{ count: number; taken: boolean }>(
      `WITH writer AS (${writer})
       SELECT (SELECT count(*)::int FROM saved_reports WHERE organization_id = writer.organization_id) AS count,
         EXISTS (SELECT FROM saved_reports WHERE organization_id = writer.organization_id AND lower(name) = lower($2)) AS taken
       FROM writer`,
      [userId, content.name],
    );
    if (room === undefined) return 'forbidden';
    if (room.taken) return 'taken';
    if (room.count >= MOST_SAVED) return 'full';
    const [row] = await sql.query<{ id: number }>(
      `WITH writer AS (${writer})
       INSERT INTO saved_reports (organization_id, name, period, request, view, made_by)
       SELECT organization_id, $2, $3, $4, $5, id FROM writer RETURNING id`,
      [userId, ...contentOf(content)],
    );
    if (row === undefined) throw new Error('no report was saved');
    return row.id;
  });
}

/** @param isNeverOver the new days go up to today. */
export function replaceSavedReport(
  database: Pick<Database, 'transaction'>,
  userId: number,
  id: number,
  content: SavedContent,
  isNeverOver: boolean,
): Promise<'replaced' | Exclude<SavedEnd, 'full'>> {
  return database.transaction(async (sql) => {
    await lockSaved(sql, userId);
    const found = await findSavedReport(sql, userId, id);
    if (found === null) return 'missing';
    if (!found.may_change) return 'forbidden';
    const waiting = isNeverOver
      ? await sql.query('SELECT FROM report_schedules WHERE saved_id = $1 AND cron IS NULL LIMIT 1', [id])
      : [];
    if (waiting.length > 0) return 'never-final';
    const done = await sql.query(
      `UPDATE saved_reports SET name = $3, period = $4, request = $5, view = $6, updated_at = now()
       WHERE id = $2 AND organization_id = (SELECT organization_id FROM users WHERE id = $1) AND NOT EXISTS (
         SELECT FROM saved_reports AS others WHERE others.organization_id = saved_reports.organization_id
           AND others.id <> $2 AND lower(others.name) = lower($3))
       RETURNING id`,
      [userId, id, ...contentOf(content)],
    );
    return done.length > 0 ? 'replaced' : 'taken';
  });
}

/** With its schedules. */
export async function removeSavedReport(
  sql: Sql,
  userId: number,
  id: number,
): Promise<'removed' | 'missing' | 'forbidden'> {
  const found = await findSavedReport(sql, userId, id);
  if (found === null) return 'missing';
  if (!found.may_change) return 'forbidden';
  await sql.query(
    `DELETE FROM saved_reports WHERE id = $2 AND organization_id = (SELECT organization_id FROM users WHERE id = $1)`,
    [userId, id],
  );
  return 'removed';
}
