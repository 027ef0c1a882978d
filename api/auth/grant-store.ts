import { ofAddress } from '../../engine/adapters/postgres/folded.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import { type AppId, type OrganizationId, toId, type UserId } from '../../engine/contract/ids.ts';
import type { Role } from './abilities.ts';
import type { GrantedRole, Grants } from './app-roles.ts';

/** A role on an app, which is named as people name it. */
export interface Grant {
  /** The app's identifier. */
  readonly app: string;
  readonly role: GrantedRole;
}

/** Of a user, as JSON, in a statement that reads rows of `users`: those on apps that their organization has. */
export const grantsOfUsers = `(
  SELECT coalesce(json_agg(json_build_object('app', identifier, 'role', app_grants.role) ORDER BY identifier), '[]')
  FROM app_grants JOIN apps ON apps.id = app_id AND deleted_at IS NULL AND apps.organization_id = users.organization_id
  WHERE app_grants.user_id = users.id) AS grants`;

/** How a role is stored: processes of the release before know nothing below `member`. */
export const storedRole = (role: Role): { readonly role: Role; readonly narrowed: Role | null } =>
  role === 'reader' || role === 'guest' ? { role: 'member', narrowed: role } : { role, narrowed: null };

/** Locks the user until the transaction ends: two changes at once are one after the other. */
export async function findGrants(
  sql: Sql,
  email: string,
): Promise<{
  readonly id: UserId;
  readonly organizationId: OrganizationId;
  readonly organization: string;
  readonly grants: readonly Grant[];
} | null> {
  const [row] = await sql.query<{
    id: number;
    organization_id: number;
    organization: string;
    grants: Grant[];
  }>(
    `SELECT users.id, organization_id, organizations.name AS organization, ${grantsOfUsers}
     FROM users JOIN organizations ON organizations.id = organization_id ${ofAddress('$1')}
     FOR NO KEY UPDATE OF users`,
    [email],
  );
  if (row === undefined) return null;
  const { organization, grants } = row;
  return { id: toId(row.id), organizationId: toId(row.organization_id), organization, grants };
}

/** @returns the role by the app's id; null where the organization lacks one of the apps. */
export async function resolveGrants(
  sql: Sql,
  organizationId: OrganizationId,
  grants: readonly Grant[],
): Promise<ReadonlyMap<AppId, GrantedRole> | null> {
  const rows = await sql.query<{ id: number; identifier: string }>(
    `SELECT id, identifier FROM apps WHERE organization_id = $1 AND identifier = ANY($2) AND deleted_at IS NULL`,
    [organizationId, grants.map(({ app }) => app)],
  );
  const roleOf = new Map(grants.map(({ app, role }) => [app, role]));
  if (rows.length !== roleOf.size) return null;
  return new Map(rows.map(({ id, identifier }) => [toId(id), roleOf.get(identifier) ?? 'reader']));
}

/** Of one user, by the apps that still exist. */
export async function readGrants(sql: Sql, userId: UserId): Promise<Grants> {
  const rows = await sql.query<{ app_id: number; role: GrantedRole }>(
    `SELECT app_id, app_grants.role FROM app_grants JOIN apps ON apps.id = app_id AND deleted_at IS NULL
     WHERE user_id = $1`,
    [userId],
  );
  return new Map(rows.map(({ app_id: id, role }) => [toId(id), role]));
}

/**
 * In place of those of before.
 * A user's roles on single apps live in `app_grants`, which the statement that admits a request reads. If its owner dies,
 * the next request is answered by the roles of before or by the new ones, never by a part of them.
 */
export async function writeGrants(
  sql: Sql,
  userId: UserId,
  grants: ReadonlyMap<AppId, GrantedRole>,
): Promise<void> {
  await sql.query(
    `WITH wanted AS (SELECT * FROM unnest($2::integer[], $3::text[]) AS wanted (app_id, role)),
       gone AS (DELETE FROM app_grants WHERE user_id = $1 AND app_id NOT IN (SELECT app_id FROM wanted))
     INSERT INTO app_grants (user_id, app_id, role) SELECT $1, app_id, role FROM wanted
     ON CONFLICT (user_id, app_id) DO UPDATE SET role = excluded.role`,
    [userId, [...grants.keys()], [...grants.values()]],
  );
}

/** Of everybody, on one app. */
export async function deleteGrantsOn(sql: Sql, appId: AppId): Promise<void> {
  await sql.query(`DELETE FROM app_grants WHERE app_id = $1`, [appId]);
}
