import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { UserId } from '../../../../engine/contract/ids.ts';
import type { Role } from '../../../auth/abilities.ts';
import { abilitiesAs, baseOf } from '../../../auth/app-roles.ts';
import { hasFactorSql } from '../../../auth/factor-sql.ts';
import { type Grant, grantsOfUsers } from '../../../auth/grant-store.ts';
import { csrfTokenOf } from '../../../auth/session-cookie.ts';
import { timestamp } from '../../../http/fields.ts';
import type { Me, UserResource } from './schema.ts';

export interface StoredUser {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly grants: readonly Grant[];
  readonly created_at: Date;
}

export const userResource = ({ id, email, name, role, grants, created_at }: StoredUser): UserResource => ({
  id,
  email,
  name,
  role,
  grants: [...grants],
  created_at: timestamp(created_at),
});

interface MeRow
  extends Pick<Me, 'second_factor' | 'recovery_codes_left' | 'has_password' | 'has_authenticator_app'> {
  readonly organization_id: number;
  readonly organization: string;
}

/** @throws Error where the user went in the meantime. */
export async function readMe(sql: Sql, userId: UserId, secret: string): Promise<Me> {
  const [row] = await sql.query<StoredUser & MeRow>(
    `SELECT users.id, email, users.name, coalesce(narrowed, role) AS role, ${grantsOfUsers}, users.created_at, organization_id, organizations.name AS organization,
       CASE WHEN ${hasFactorSql('users.id')} THEN 'on' WHEN second_factor_required THEN 'required' ELSE 'off' END AS second_factor,
       coalesce(cardinality(recovery_hashes), 0) AS recovery_codes_left, password_hash IS NOT NULL AS has_password,
       confirmed_at IS NOT NULL AS has_authenticator_app
     FROM users JOIN organizations ON organizations.id = organization_id
       LEFT JOIN second_factors ON second_factors.user_id = users.id WHERE users.id = $1`,
    [userId],
  );
  if (row === undefined) throw new Error('the user of the session is gone');
  return {
    user: userResource(row),
    organization: { id: row.organization_id, name: row.organization },
    abilities: [...abilitiesAs(baseOf(row.role))],
    second_factor: row.second_factor,
    recovery_codes_left: row.recovery_codes_left,
    has_password: row.has_password,
    has_authenticator_app: row.has_authenticator_app,
    csrf_token: csrfTokenOf(secret),
  };
}

export async function renameUser(sql: Sql, userId: UserId, name: string): Promise<void> {
  await sql.query(`UPDATE users SET name = $2 WHERE id = $1`, [userId, name]);
}

export interface OwnPassword {
  readonly email: string;
  readonly organization: string;
  readonly hash: string | null;
}

export async function findPassword(sql: Sql, userId: UserId): Promise<OwnPassword | null> {
  const [row] = await sql.query<OwnPassword>(
    `SELECT email, organizations.name AS organization, password_hash AS hash
     FROM users JOIN organizations ON organizations.id = organization_id WHERE users.id = $1`,
    [userId],
  );
  return row ?? null;
}
