import { ofAddress } from '../../../../engine/adapters/postgres/folded.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import { type OrganizationId, toId, type UserId } from '../../../../engine/contract/ids.ts';

export interface LogInUser {
  readonly id: UserId;
  readonly organizationId: OrganizationId;
  readonly email: string;
  /** Null until the user has chosen a password. */
  readonly passwordHash: string | null;
}

interface LogInRow {
  readonly id: number;
  readonly organization_id: number;
  readonly email: string;
  readonly password_hash: string | null;
}

const columns = 'id, organization_id, email, password_hash';
const userOf = (row: LogInRow | undefined): LogInUser | null =>
  row === undefined
    ? null
    : {
        id: toId(row.id),
        organizationId: toId(row.organization_id),
        email: row.email,
        passwordHash: row.password_hash,
      };

export async function findLogIn(sql: Sql, email: string): Promise<LogInUser | null> {
  const [row] = await sql.query<LogInRow>(`SELECT ${columns} FROM users ${ofAddress('$1')}`, [email.trim()]);
  return userOf(row);
}

export async function findLogInById(sql: Sql, userId: UserId): Promise<LogInUser | null> {
  const [row] = await sql.query<LogInRow>(`SELECT ${columns} FROM users WHERE id = $1`, [userId]);
  return userOf(row);
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
