import { ofAddress } from '../../../../engine/adapters/postgres/folded.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import { type OrganizationId, toId, type UserId } from '../../../../engine/contract/ids.ts';
import type { Role } from '../../../auth/abilities.ts';
import { commandActor, noteChange } from '../../../auth/audit.ts';
import { lockOrganizations } from '../../../auth/locks.ts';
import { findOrganizationNamed, insertOrganization } from './store.ts';

/** A person as the command line names one. */
export interface OwnerWanted {
  readonly email: string;
  readonly organization: string;
  /** Null: any for a user that exists. */
  readonly role: Role | null;
}

export type OwnerFound =
  | {
      readonly kind: 'user';
      readonly organizationId: OrganizationId;
      readonly userId: UserId;
      readonly role: Role;
    }
  | { readonly kind: 'none'; readonly organizationId: OrganizationId }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * The user, and their organization, which is created where it is missing. Two commands at once make one
 * organization. A user is in one organization and has one role: no command moves or promotes a user.
 */
export async function findOwner(sql: Sql, wanted: OwnerWanted): Promise<OwnerFound> {
  await lockOrganizations(sql);
  const [row] = await sql.query<{ id: number; organization_id: number; organization: string; role: Role }>(
    `SELECT users.id, organization_id, organizations.name AS organization, coalesce(narrowed, role) AS role
     FROM users JOIN organizations ON organizations.id = organization_id ${ofAddress('$1')}`,
    [wanted.email],
  );
  if (row === undefined) {
    return { kind: 'none', organizationId: await findOrMakeOrganization(sql, wanted.organization) };
  }
  const reason = mismatchOf(row, wanted);
  if (reason !== null) return { kind: 'refused', reason };
  return { kind: 'user', organizationId: toId(row.organization_id), userId: toId(row.id), role: row.role };
}

function mismatchOf(user: { organization: string; role: Role }, wanted: OwnerWanted): string | null {
  if (user.organization !== wanted.organization) {
    return `${wanted.email} belongs to the organization "${user.organization}", not "${wanted.organization}"`;
  }
  if (wanted.role !== null && user.role !== wanted.role) {
    return `${wanted.email} exists with the role ${user.role}, not ${wanted.role}`;
  }
  return null;
}

async function findOrMakeOrganization(sql: Sql, name: string): Promise<OrganizationId> {
  const found = await findOrganizationNamed(sql, name);
  if (found !== null) return found;
  const { id } = await insertOrganization(sql, name);
  await noteChange(sql, commandActor(id), {
    action: 'organization.created',
    subjectId: id,
    detail: { name },
  });
  return id;
}
