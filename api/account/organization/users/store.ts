import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { OrganizationId, UserId } from '../../../../engine/contract/ids.ts';
import type { Role } from '../../../auth/abilities.ts';
import { grantsOfUsers, storedRole } from '../../../auth/grant-store.ts';
import type { Found, Page } from '../../../http/page.ts';
import type { StoredUser } from '../../own/me/store.ts';

const columns = `id, email, name, coalesce(narrowed, role) AS role, ${grantsOfUsers}, created_at`;

export async function listUsers(
  sql: Sql,
  organizationId: OrganizationId,
  page: Page,
): Promise<Found<StoredUser>> {
  const rows = await sql.query<StoredUser>(
    `SELECT ${columns} FROM users WHERE organization_id = $1 ORDER BY id LIMIT $2 OFFSET $3`,
    [organizationId, page.size, page.offset],
  );
  const [count] = await sql.query<{ total: number }>(
    `SELECT count(*) AS total FROM users WHERE organization_id = $1`,
    [organizationId],
  );
  return { rows, total: count?.total ?? 0 };
}

export interface Managed {
  readonly user: StoredUser;
  /** The manager's current role; null where they were deleted. */
  readonly managerRole: Role | null;
  /** Without the user: the remaining admins of the organization, and the remaining super-admins anywhere. */
  readonly otherAdmins: number;
  readonly otherSuperAdmins: number;
}

/** @returns null where the organization has no such user. */
export async function findManaged(
  sql: Sql,
  organizationId: OrganizationId,
  userId: number,
  managerId: UserId,
): Promise<Managed | null> {
  const [row] = await sql.query<
    StoredUser & { manager_role: Role | null; other_admins: number; other_super_admins: number }
  >(
    `SELECT ${columns},
       (SELECT coalesce(narrowed, role) FROM users WHERE id = $3) AS manager_role,
       (SELECT count(*) FROM users WHERE organization_id = $1 AND role <> 'member' AND id <> $2) AS other_admins,
       (SELECT count(*) FROM users WHERE role = 'super-admin' AND id <> $2) AS other_super_admins
     FROM users WHERE id = $2 AND organization_id = $1`,
    [organizationId, userId, managerId],
  );
  if (row === undefined) return null;
  return {
    user: row,
    managerRole: row.manager_role,
    otherAdmins: row.other_admins,
    otherSuperAdmins: row.other_super_admins,
  };
}

export async function updateRole(sql: Sql, userId: number, role: Role): Promise<void> {
  const stored = storedRole(role);
  await sql.query(`UPDATE users SET role = $2, narrowed = $3 WHERE id = $1`, [
    userId,
    stored.role,
    stored.narrowed,
  ]);
}

/** With the user go their tokens, sessions and the invitations they made. */
export async function deleteUser(sql: Sql, userId: number): Promise<void> {
  await sql.query(
    `WITH hits AS (DELETE FROM request_hits WHERE user_id = $1) DELETE FROM users WHERE id = $1`,
    [userId],
  );
}
