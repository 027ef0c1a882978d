import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import { type AppId, toId, type UserId } from '../../../../engine/contract/ids.ts';
import type { Ability } from '../../../auth/abilities.ts';
import type { AppsOf } from '../../../auth/caller.ts';
import type { Found, Page } from '../../../http/page.ts';

export interface ListedToken {
  readonly id: number;
  readonly name: string;
  readonly abilities: Ability[];
  readonly apps: string[] | null;
  readonly addresses: string[] | null;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly expires_at: Date | null;
}

// An app that was deleted, or went to another organization, is not shown; the limit stays.
const columns = `id, name, abilities, CASE WHEN app_ids IS NOT NULL THEN ARRAY(
    SELECT identifier FROM apps WHERE apps.id = ANY(app_ids) AND deleted_at IS NULL
      AND organization_id = (SELECT organization_id FROM users WHERE users.id = user_id) ORDER BY identifier
  ) END AS apps, addresses::text[], created_at, last_used_at, expires_at`;

export async function listTokens(sql: Sql, userId: UserId, page: Page): Promise<Found<ListedToken>> {
  const rows = await sql.query<ListedToken>(
    `SELECT ${columns} FROM api_tokens WHERE user_id = $1 AND revoked_at IS NULL ORDER BY id LIMIT $2 OFFSET $3`,
    [userId, page.size, page.offset],
  );
  return { rows, total: await countTokens(sql, userId) };
}

export async function countTokens(sql: Sql, userId: UserId): Promise<number> {
  const [row] = await sql.query<{ total: number }>(
    `SELECT count(*) AS total FROM api_tokens WHERE user_id = $1 AND revoked_at IS NULL`,
    [userId],
  );
  return row?.total ?? 0;
}

export async function findOwnToken(sql: Sql, userId: UserId, id: number): Promise<ListedToken | null> {
  const [row] = await sql.query<ListedToken>(
    `SELECT ${columns} FROM api_tokens WHERE id = $2 AND user_id = $1 AND revoked_at IS NULL`,
    [userId, id],
  );
  return row ?? null;
}

/** @returns its name; null where the user has no such token. */
export async function revokeToken(sql: Sql, userId: UserId, id: number): Promise<string | null> {
  const [row] = await sql.query<{ name: string }>(
    `UPDATE api_tokens SET revoked_at = now() WHERE id = $2 AND user_id = $1 AND revoked_at IS NULL RETURNING name`,
    [userId, id],
  );
  return row?.name ?? null;
}

/** @returns their ids; null where one does not exist for the caller. */
export async function findAppIds(
  sql: Sql,
  { organizationId, apps }: AppsOf,
  identifiers: readonly string[],
): Promise<AppId[] | null> {
  const rows = await sql.query<{ id: number }>(
    `SELECT id FROM apps WHERE organization_id = $1 AND ($3::integer[] IS NULL OR id = ANY($3))
       AND identifier = ANY($2) AND deleted_at IS NULL`,
    [organizationId, identifiers, apps],
  );
  return rows.length === new Set(identifiers).size ? rows.map(({ id }) => toId(id)) : null;
}
