import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { type OrganizationId, toId, type UserId } from '../../../engine/contract/ids.ts';

export interface LogInUser {
  readonly id: UserId;
  readonly organizationId: OrganizationId;
  readonly email: string;
  /** Null until the user has chosen a password. */
  readonly passwordHash: string | null;
}

export async function findLogIn(sql: Sql, email: string): Promise<LogInUser | null> {
  const [row] = await sql.query<{
    id: number;
    organization_id: number;
    email: string;
    password_hash: string | null;
  }>(`SELECT id, organization_id, email, password_hash FROM users WHERE lower(email) = lower($1)`, [
    email.trim(),
  ]);
  if (row === undefined) return null;
  return {
    id: toId(row.id),
    organizationId: toId(row.organization_id),
    email: row.email,
    passwordHash: row.password_hash,
  };
}

/** @returns whether the hash was still the one it was made from. */
export async function replaceHash(
  sql: Sql,
  userId: UserId,
  hash: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2 RETURNING id`,
    [userId, hash.from, hash.to],
  );
  return rows.length === 1;
}
