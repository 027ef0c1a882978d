import { hasAddress } from '../../../engine/adapters/postgres/folded.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId, UserId } from '../../../engine/contract/ids.ts';
import type { Found, Page } from '../../http/page.ts';
import type { DraftBody, DraftSaveBody } from './schema.ts';

export interface StoredDraft {
  readonly id: number;
  readonly kind: 'draft' | 'template';
  readonly name: string;
  readonly version: number;
  readonly changed_by: string;
  /** As they are called now; null where nobody of that address is left in the organization. */
  readonly changed_by_name: string | null;
  readonly author_name: string | null;
  /** Who is asked to write on it. */
  readonly assignee: { readonly email: string; readonly name: string } | null;
  readonly assigned_by_name: string | null;
  readonly comment: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface WholeDraft extends StoredDraft {
  /** Who made it; null: not known. */
  readonly author_id: UserId | null;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Of somebody in the app's organization, as `engine/adapters/postgres/colleague.ts` says. */
const ofColleague = (what: string, condition: string): string =>
  `(SELECT ${what} FROM users JOIN apps ON apps.organization_id = users.organization_id
    WHERE apps.id = drafts.app_id AND ${condition})`;
const nameOf = (column: string): string => ofColleague('users.name', `users.id = drafts.${column}`);
const columns = `id, kind, name, version, changed_by, created_at, updated_at, comment,
  ${ofColleague('users.name', 'users.email = drafts.changed_by')} AS changed_by_name,
  ${nameOf('author_id')} AS author_name, ${nameOf('assigned_by')} AS assigned_by_name,
  ${ofColleague("json_build_object('email', users.email, 'name', users.name)", 'users.id = drafts.assignee_id')} AS assignee`;
const whole = `${columns}, author_id, "values"`;
const emailOf = (parameter: string): string =>
  `coalesce((SELECT email FROM users WHERE id = ${parameter}), '')`;

/** Those that were saved last come first. */
export async function listDrafts(
  sql: Sql,
  appId: AppId,
  kind: string | undefined,
  page: Page,
): Promise<Found<StoredDraft>> {
  const where = 'app_id = $1 AND kind = ANY($2)';
  const given = [appId, kind === undefined ? ['draft', 'template'] : [kind]];
  const rows = await sql.query<StoredDraft>(
    `SELECT ${columns} FROM drafts WHERE ${where} ORDER BY updated_at DESC, id DESC LIMIT $3 OFFSET $4`,
    [...given, page.size, page.offset],
  );
  const [count] = await sql.query<{ total: number }>(
    `SELECT count(*) AS total FROM drafts WHERE ${where}`,
    given,
  );
  return { rows, total: count?.total ?? 0 };
}

export async function findDraft(sql: Sql, appId: AppId, id: number): Promise<WholeDraft | null> {
  const [row] = await sql.query<WholeDraft>(`SELECT ${whole} FROM drafts WHERE app_id = $1 AND id = $2`, [
    appId,
    id,
  ]);
  return row ?? null;
}

/** @returns null where the app has as many as it may. */
export async function insertDraft(
  sql: Sql,
  appId: AppId,
  userId: UserId | null,
  { kind, name, values }: DraftBody,
  most: number,
): Promise<WholeDraft | null> {
  // Of two at once the second one counts the first.
  await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('drafts', $1))`, [appId]);
  const [row] = await sql.query<WholeDraft>(
    `INSERT INTO drafts (app_id, kind, name, "values", changed_by, author_id)
     SELECT $1, $2, $3, $4, ${emailOf('$5')}, $5
     WHERE (SELECT count(*) FROM drafts WHERE app_id = $1 AND kind = $2) < $6 RETURNING ${whole}`,
    [appId, kind, name, JSON.stringify(values), userId, most],
  );
  return row ?? null;
}

/** @returns null where it is not there, or is of another version. */
export async function saveDraft(
  sql: Sql,
  appId: AppId,
  id: number,
  userId: UserId | null,
  { name, values, version }: DraftSaveBody,
): Promise<WholeDraft | null> {
  const [row] = await sql.query<WholeDraft>(
    `UPDATE drafts SET name = $4, "values" = $5, changed_by = ${emailOf('$6')}, version = version + 1, updated_at = now()
     WHERE app_id = $1 AND id = $2 AND version = $3 RETURNING ${whole}`,
    [appId, id, version, name, JSON.stringify(values), userId],
  );
  return row ?? null;
}

export async function deleteDraft(sql: Sql, appId: AppId, id: number): Promise<StoredDraft | null> {
  const [row] = await sql.query<StoredDraft>(
    `DELETE FROM drafts WHERE app_id = $1 AND id = $2 RETURNING ${columns}`,
    [appId, id],
  );
  return row ?? null;
}

/** Asks somebody to write on it; with null nobody. @returns null where there is none. */
export async function assignDraft(
  sql: Sql,
  appId: AppId,
  id: number,
  { to, by, comment }: { readonly to: UserId | null; readonly by: UserId | null; readonly comment: string },
): Promise<WholeDraft | null> {
  const [row] = await sql.query<WholeDraft>(
    `UPDATE drafts SET assignee_id = $3, assigned_by = $4, comment = $5 WHERE app_id = $1 AND id = $2 RETURNING ${whole}`,
    [appId, id, to, by, comment],
  );
  return row ?? null;
}

/** Somebody of the app's organization who may write on it; null: nobody of this address may. */
export async function findWriter(sql: Sql, appId: AppId, email: string): Promise<UserId | null> {
  const [row] = await sql.query<{ id: UserId }>(
    `SELECT users.id FROM users JOIN apps ON apps.id = $1 AND apps.organization_id = users.organization_id
     WHERE ${hasAddress('users.email', '$2')} AND (narrowed IS NULL OR EXISTS (
       SELECT FROM app_grants WHERE app_id = $1 AND user_id = users.id AND app_grants.role <> 'reader'))
     ORDER BY users.email = $2 DESC, users.namesake LIMIT 1`,
    [appId, email],
  );
  return row?.id ?? null;
}
