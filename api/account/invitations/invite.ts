import type { FieldErrors } from '../../../engine/adapters/http/problem.ts';
import { newSecret } from '../../../engine/adapters/http/token.ts';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { OrganizationId } from '../../../engine/contract/ids.ts';
import { type Role, rankOf } from '../../auth/abilities.ts';
import { type Actor, noteChange } from '../../auth/audit.ts';
import type { Caller } from '../../auth/caller.ts';
import { lockOrganization } from '../locks.ts';
import type { InvitationLink } from './link.ts';
import { countInvitations, insertInvitation, isUserOf, type StoredInvitation } from './store.ts';

/** Open at a time, in one organization. */
const MAX_INVITATIONS = 500;

export interface Invitation {
  readonly caller: Caller;
  /** In the organization that is invited to. */
  readonly actor: Actor;
  readonly organizationId: OrganizationId;
  readonly email: string;
  readonly role: Role;
}

export type Invited =
  | { readonly kind: 'invited'; readonly stored: StoredInvitation; readonly link: InvitationLink }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

/**
 * An e-mail address that has an account in another organization is invited like any other: an admin must not
 * learn of it. The link then turns out not to be valid.
 */
export function createInvite(database: Database) {
  return async function invite({ caller, actor, organizationId, email, role }: Invitation): Promise<Invited> {
    if (rankOf(role) > rankOf(caller.role)) return refuse('role', 'must not be above your own');
    return database.transaction(async (sql) => {
      await lockOrganization(sql, organizationId);
      if (await isUserOf(sql, organizationId, email)) return refuse('email', 'is of a user already');
      if ((await countInvitations(sql, organizationId)) >= MAX_INVITATIONS) {
        return refuse('email', `is one too many: there may be ${MAX_INVITATIONS} open invitations`);
      }
      const secret = newSecret();
      const invitation = { organizationId, userId: null, email, role, secret, invitedBy: caller.userId };
      const stored = await insertInvitation(sql, invitation);
      const change = { action: 'invitation.created', subjectId: stored.id, detail: { email, role } } as const;
      await noteChange(sql, actor, change);
      return { kind: 'invited', stored, link: { id: stored.id, secret } };
    });
  };
}

const refuse = (field: string, words: string): Invited => ({
  kind: 'refused',
  errors: { [field]: [`The ${field} field ${words}.`] },
});
