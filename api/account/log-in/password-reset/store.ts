import { ofAddress } from '../../../../engine/adapters/postgres/folded.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import { type OrganizationId, toId, type UserId } from '../../../../engine/contract/ids.ts';
import { hashSecret } from '../../../../engine/kit/http/token.ts';
import type { InvitationLink } from '../../organization/invitations/link.ts';

export const RESET_SECONDS = 3_600;
/** Of one user in an hour: whoever asks in their name fills no mailbox. The links of before stay good. */
const MOST_PER_HOUR = 3;

export interface ResetUser {
  readonly id: UserId;
  readonly organizationId: OrganizationId;
  readonly organization: string;
  readonly email: string;
}

interface UserRow {
  readonly id: number;
  readonly organization_id: number;
  readonly organization: string;
  readonly email: string;
}

const userColumns = 'users.id AS id, organization_id, organizations.name AS organization, email';
const userOf = (row: UserRow | undefined): ResetUser | null =>
  row === undefined
    ? null
    : {
        id: toId(row.id),
        organizationId: toId(row.organization_id),
        organization: row.organization,
        email: row.email,
      };

export async function findResetUser(sql: Sql, email: string): Promise<ResetUser | null> {
  const [row] = await sql.query<UserRow>(
    `SELECT ${userColumns} FROM users JOIN organizations ON organizations.id = organization_id
     ${ofAddress('$1')}`,
    [email.trim()],
  );
  return userOf(row);
}

/** Under the user's lock. @returns its id; null where the user has had enough of them. */
export async function insertReset(sql: Sql, userId: UserId, secret: string): Promise<number | null> {
  const [row] = await sql.query<{ id: number }>(
    `INSERT INTO password_resets (user_id, secret_hash, expires_at)
     SELECT $1, $2, now() + make_interval(secs => $3)
     WHERE (SELECT count(*) FROM password_resets
       WHERE user_id = $1 AND created_at > now() - interval '1 hour') < $4
     RETURNING id`,
    [userId, hashSecret(secret), RESET_SECONDS, MOST_PER_HOUR],
  );
  return row?.id ?? null;
}

const isOpen = 'password_resets.id = $1 AND secret_hash = $2 AND expires_at > now()';

export async function findReset(sql: Sql, link: InvitationLink): Promise<ResetUser | null> {
  const [row] = await sql.query<UserRow>(
    `SELECT ${userColumns} FROM password_resets JOIN users ON users.id = user_id
       JOIN organizations ON organizations.id = organization_id WHERE ${isOpen}`,
    [link.id, hashSecret(link.secret)],
  );
  return userOf(row);
}

/** Uses the link up, and every other one of its user: of two at once, one gets false. */
export async function takeReset(sql: Sql, userId: UserId, link: InvitationLink): Promise<boolean> {
  const taken = await sql.query(`DELETE FROM password_resets WHERE ${isOpen} AND user_id = $3 RETURNING id`, [
    link.id,
    hashSecret(link.secret),
    userId,
  ]);
  if (taken.length === 0) return false;
  await sql.query(`DELETE FROM password_resets WHERE user_id = $1`, [userId]);
  await sql.query(`DELETE FROM letters WHERE user_id = $1 AND kind = 'password-reset'`, [userId]);
  return true;
}

export async function writePassword(sql: Sql, userId: UserId, hash: string): Promise<void> {
  await sql.query(`UPDATE users SET password_hash = $2 WHERE id = $1`, [userId, hash]);
}
