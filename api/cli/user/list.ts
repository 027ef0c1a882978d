import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { Role } from '../../auth/abilities.ts';
import { type Grant, grantsOfUsers } from '../../auth/grant-store.ts';

export interface ListedUser {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly grants: readonly Grant[];
  readonly organization: string;
  readonly has_password: boolean;
}

/** More would be no list for people; the dashboard has pages. */
const MAX_USERS = 10_000;

/** @param organization null: of all. */
export const listAllUsers = (sql: Sql, organization: string | null): Promise<ListedUser[]> =>
  sql.query<ListedUser>(
    `SELECT users.id, email, users.name, coalesce(narrowed, role) AS role, ${grantsOfUsers},
       organizations.name AS organization,
       password_hash IS NOT NULL AS has_password
     FROM users JOIN organizations ON organizations.id = organization_id
     WHERE $1::text IS NULL OR organizations.name = $1 ORDER BY organizations.name, email LIMIT ${MAX_USERS}`,
    [organization],
  );
