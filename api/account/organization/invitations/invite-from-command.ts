import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import { newSecret } from '../../../../engine/kit/http/token.ts';
import type { Role } from '../../../auth/abilities.ts';
import { commandActor, noteChange } from '../../../auth/audit.ts';
import { type Grant, resolveGrants } from '../../../auth/grant-store.ts';
import { findOwner, type OwnerWanted } from '../organizations/owner-by-name.ts';
import type { InvitationLink } from './link.ts';
import { insertInvitation } from './store.ts';

export type UserInvited =
  | {
      readonly kind: 'invited';
      readonly link: InvitationLink;
      readonly role: Role;
      /** False: the link gives an existing user a new password. */
      readonly isNewUser: boolean;
      readonly expiresAt: Date;
    }
  | { readonly kind: 'refused'; readonly reason: string };

/** A link for a new user, or for one who has no password or forgot it. */
export const inviteUser = (
  database: Database,
  wanted: OwnerWanted,
  grants: readonly Grant[],
): Promise<UserInvited> => database.transaction((sql) => inviteUserIn(sql, wanted, grants));

export async function inviteUserIn(
  sql: Sql,
  wanted: OwnerWanted,
  grants: readonly Grant[] = [],
): Promise<UserInvited> {
  const owner = await findOwner(sql, wanted);
  if (owner.kind === 'refused') return owner;
  const { organizationId } = owner;
  const { email } = wanted;
  const role = owner.kind === 'user' ? owner.role : (wanted.role ?? 'member');
  const userId = owner.kind === 'user' ? owner.userId : null;
  if (userId !== null && grants.length > 0)
    return { kind: 'refused', reason: `${email} is a user already: use broadside user grant` };
  const resolved = await resolveGrants(sql, organizationId, grants);
  if (resolved === null) return { kind: 'refused', reason: noSuchApp(wanted.organization) };
  const secret = newSecret();
  const stored = await insertInvitation(sql, {
    organizationId,
    userId,
    email,
    role,
    grants: resolved,
    secret,
    invitedBy: null,
    // The operator passes it on, so it shows nobody's mailbox.
    mailed: false,
  });
  const detail = { email, role, ...(grants.length === 0 ? {} : { grants }) };
  const change = { action: 'invitation.created', subjectId: stored.id, detail } as const;
  await noteChange(sql, commandActor(organizationId), change);
  const link = { id: stored.id, secret };
  return { kind: 'invited', link, role, isNewUser: userId === null, expiresAt: stored.expires_at };
}

export const noSuchApp = (organization: string): string =>
  `"${organization}" has no app of one of these identifiers: see broadside apps list`;
