import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { UserId } from '../../../engine/contract/ids.ts';
import type { Ability } from '../../auth/abilities.ts';
import type { Found, Page } from '../../client/page.ts';

export interface ListedToken {
  readonly id: number;
  readonly name: string;
  readonly abilities: Ability[];
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly expires_at: Date | null;
}

const columns = 'id, name, abilities, created_at, last_used_at, expires_at';

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
