import { hasAddress } from '../../../../engine/adapters/postgres/folded.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import { type OrganizationId, toId, type UserId } from '../../../../engine/contract/ids.ts';
import { hashSecret } from '../../../../engine/kit/http/token.ts';
import type { Role } from '../../../auth/abilities.ts';
import type { GrantedRole, Grants } from '../../../auth/app-roles.ts';
import { type Grant, storedRole } from '../../../auth/grant-store.ts';
import type { Found, Page } from '../../../http/page.ts';
import type { InvitationLink } from './link.ts';

export interface StoredInvitation {
  readonly id: number;
  readonly email: string;
  readonly role: Role;
  readonly grants: readonly Grant[];
  readonly created_at: Date;
  readonly expires_at: Date;
}

const columns = `id, email, role, (
    SELECT coalesce(json_agg(json_build_object('app', identifier, 'role', value) ORDER BY identifier), '[]')
    FROM jsonb_each_text(grants) JOIN apps ON apps.id = key::integer AND deleted_at IS NULL
      AND apps.organization_id = invitations.organization_id
  ) AS grants, created_at, expires_at`;
const LASTS_DAYS = 7;

export async function listInvitations(
  sql: Sql,
  organizationId: OrganizationId,
  page: Page,
): Promise<Found<StoredInvitation>> {
  const rows = await sql.query<StoredInvitation>(
    `SELECT ${columns} FROM invitations WHERE organization_id = $1 AND expires_at > now() ORDER BY id LIMIT $2 OFFSET $3`,
    [organizationId, page.size, page.offset],
  );
  return { rows, total: await countInvitations(sql, organizationId) };
}

export async function countInvitations(sql: Sql, organizationId: OrganizationId): Promise<number> {
  const [row] = await sql.query<{ total: number }>(
    `SELECT count(*) AS total FROM invitations WHERE organization_id = $1 AND expires_at > now()`,
    [organizationId],
  );
  return row?.total ?? 0;
}

export interface NewInvitation {
  readonly organizationId: OrganizationId;
  /** Null: a user is made when it is accepted. */
  readonly userId: UserId | null;
  readonly email: string;
  readonly role: Role;
  /** By the app. */
  readonly grants: Grants;
  readonly secret: string;
  readonly invitedBy: UserId | null;
  /** Whether its link goes to the mailbox alone. */
  readonly mailed: boolean;
}

/** Also deletes the organization's expired invitations, and older links for the same address. */
export async function insertInvitation(sql: Sql, invitation: NewInvitation): Promise<StoredInvitation> {
  const [row] = await sql.query<StoredInvitation>(
    `WITH gone AS (
       DELETE FROM invitations WHERE organization_id = $1 AND (expires_at <= now() OR ${hasAddress('email', '$3')})
     )
     INSERT INTO invitations (organization_id, user_id, email, role, secret_hash, invited_by, expires_at, grants, mailed)
     VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(days => $7), $8, $9) RETURNING ${columns}`,
    [
      invitation.organizationId,
      invitation.userId,
      invitation.email,
      invitation.role,
      hashSecret(invitation.secret),
      invitation.invitedBy,
      LASTS_DAYS,
      JSON.stringify(Object.fromEntries(invitation.grants)),
      invitation.mailed,
    ],
  );
  if (row === undefined) throw new Error('no invitation was inserted');
  return row;
}

/** @returns its e-mail address; null where the organization has no such invitation. */
export async function deleteInvitation(
  sql: Sql,
  organizationId: OrganizationId,
  id: number,
): Promise<string | null> {
  const [row] = await sql.query<{ email: string }>(
    `DELETE FROM invitations WHERE id = $2 AND organization_id = $1 RETURNING email`,
    [organizationId, id],
  );
  return row?.email ?? null;
}

export async function dropInvitationsBy(sql: Sql, userId: number): Promise<void> {
  await sql.query(`DELETE FROM invitations WHERE invited_by = $1`, [userId]);
}

/** Links with which the user could still set a password. */
export async function dropLinksOf(sql: Sql, userId: UserId): Promise<void> {
  await sql.query(`DELETE FROM invitations WHERE user_id = $1`, [userId]);
}

export interface OpenInvitation {
  readonly id: number;
  readonly organizationId: OrganizationId;
  readonly organization: string;
  readonly userId: UserId | null;
  readonly email: string;
  readonly role: Role;
  /** By the app's id. */
  readonly grants: Readonly<Record<string, GrantedRole>>;
  readonly expiresAt: Date;
  readonly mailed: boolean;
}

const isOpen = 'invitations.id = $1 AND secret_hash = $2 AND expires_at > now()';
const openColumns =
  'invitations.id, organization_id, organizations.name AS organization, user_id, email, role, grants, expires_at, mailed';

interface OpenRow {
  readonly id: number;
  readonly organization_id: number;
  readonly organization: string;
  readonly user_id: number | null;
  readonly email: string;
  readonly role: Role;
  readonly grants: Readonly<Record<string, GrantedRole>>;
  readonly expires_at: Date;
  readonly mailed: boolean;
}

const openOf = (row: OpenRow | undefined): OpenInvitation | null =>
  row === undefined
    ? null
    : {
        id: row.id,
        organizationId: toId(row.organization_id),
        organization: row.organization,
        userId: row.user_id === null ? null : toId(row.user_id),
        email: row.email,
        role: row.role,
        grants: row.grants,
        expiresAt: row.expires_at,
        mailed: row.mailed,
      };

export async function findOpen(sql: Sql, link: InvitationLink): Promise<OpenInvitation | null> {
  const [row] = await sql.query<OpenRow>(
    `SELECT ${openColumns} FROM invitations JOIN organizations ON organizations.id = organization_id WHERE ${isOpen}`,
    [link.id, hashSecret(link.secret)],
  );
  return openOf(row);
}

/** Uses the link up: of two at once, one gets null. */
export async function takeOpen(sql: Sql, link: InvitationLink): Promise<OpenInvitation | null> {
  const [row] = await sql.query<OpenRow>(
    `DELETE FROM invitations USING organizations WHERE organizations.id = organization_id AND ${isOpen}
     RETURNING ${openColumns}`,
    [link.id, hashSecret(link.secret)],
  );
  return openOf(row);
}

/** @returns the new user; null where the e-mail address has an account. */
export async function insertInvited(
  sql: Sql,
  invitation: OpenInvitation,
  person: { readonly name: string; readonly passwordHash: string },
): Promise<UserId | null> {
  const { role, narrowed } = storedRole(invitation.role);
  const { organizationId, email } = invitation;
  // An app that went meanwhile, or to another organization, is left out.
  const [row] = await sql.query<{ id: number }>(
    `WITH made AS (
       INSERT INTO users (organization_id, email, name, role, narrowed, password_hash, address_confirmed_at)
       VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $8 THEN now() END)
       ON CONFLICT DO NOTHING RETURNING id
     ), granted AS (
       INSERT INTO app_grants (user_id, app_id, role)
       SELECT made.id, apps.id, value FROM made, jsonb_each_text($7) JOIN apps ON apps.id = key::integer
       WHERE organization_id = $1 AND deleted_at IS NULL
     ) SELECT id FROM made`,
    [
      organizationId,
      email,
      person.name,
      role,
      narrowed,
      person.passwordHash,
      JSON.stringify(invitation.grants),
      invitation.mailed,
    ],
  );
  return row === undefined ? null : toId(row.id);
}

export async function setPassword(
  sql: Sql,
  userId: UserId,
  person: { readonly name: string; readonly passwordHash: string },
): Promise<void> {
  await sql.query(`UPDATE users SET name = $2, password_hash = $3 WHERE id = $1`, [
    userId,
    person.name,
    person.passwordHash,
  ]);
}

export async function isUserOf(sql: Sql, organizationId: OrganizationId, email: string): Promise<boolean> {
  const rows = await sql.query(
    `SELECT 1 FROM users WHERE ${hasAddress('email', '$2')} AND organization_id = $1`,
    [organizationId, email],
  );
  return rows.length > 0;
}

export async function organizationNameOf(sql: Sql, organizationId: OrganizationId): Promise<string> {
  const [row] = await sql.query<{ name: string }>(`SELECT name FROM organizations WHERE id = $1`, [
    organizationId,
  ]);
  return row?.name ?? '';
}
