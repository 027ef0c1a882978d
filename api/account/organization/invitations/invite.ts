import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { OrganizationId } from '../../../../engine/contract/ids.ts';
import type { FieldErrors } from '../../../../engine/kit/http/problem.ts';
import { newSecret } from '../../../../engine/kit/http/token.ts';
import { type Role, rankOf } from '../../../auth/abilities.ts';
import { type Actor, noteChange } from '../../../auth/audit.ts';
import type { Caller } from '../../../auth/caller.ts';
import { type Grant, resolveGrants } from '../../../auth/grant-store.ts';
import { lockOrganization } from '../../../auth/locks.ts';
import { createLetterLimits } from '../../emails/letter-limits.ts';
import type { Emails } from '../../emails/write-email.ts';
import { type InvitationLink, linkUrl } from './link.ts';
import {
  countInvitations,
  insertInvitation,
  isUserOf,
  organizationNameOf,
  type StoredInvitation,
} from './store.ts';

/** Open at a time, in one organization. */
const MAX_INVITATIONS = 500;

export interface Invitation {
  readonly caller: Caller;
  /** In the organization that is invited to. */
  readonly actor: Actor;
  readonly organizationId: OrganizationId;
  readonly email: string;
  readonly role: Role;
  readonly grants: readonly Grant[];
}

export type Invited =
  | {
      readonly kind: 'invited';
      readonly stored: StoredInvitation;
      /** Null: it goes to the mailbox alone. */
      readonly link: InvitationLink | null;
    }
  | { readonly kind: 'too-many'; readonly waitSeconds: number }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

/**
 * An e-mail address that has an account in another organization is invited like any other: an admin must not
 * learn of it. The link then turns out not to be valid.
 */
export function createInvite(database: Database, emails: Emails | null) {
  const limits = createLetterLimits();
  return async function invite(invitation: Invitation): Promise<Invited> {
    const { caller, actor, organizationId, email, role, grants } = invitation;
    if (rankOf(role) > rankOf(caller.role)) return refuse('role', 'must not be above your own');
    return database.transaction(async (sql) => {
      await lockOrganization(sql, organizationId);
      if (await isUserOf(sql, organizationId, email)) return refuse('email', 'already belongs to a user');
      if ((await countInvitations(sql, organizationId)) >= MAX_INVITATIONS) {
        return refuse(
          'email',
          `cannot be invited: ${MAX_INVITATIONS} invitations are open already. Revoke one first`,
        );
      }
      const resolved = await resolveGrants(sql, organizationId, grants);
      if (resolved === null) return refuse('grants', 'names an app that does not exist');
      const waitSeconds = emails === null ? 0 : limits.take(organizationId, email);
      if (waitSeconds > 0) return { kind: 'too-many', waitSeconds };
      const secret = newSecret();
      const row = {
        organizationId,
        userId: null,
        email,
        role,
        grants: resolved,
        secret,
        invitedBy: caller.userId,
        mailed: emails !== null,
      };
      const stored = await insertInvitation(sql, row);
      const detail = { email, role, ...(grants.length === 0 ? {} : { grants }) };
      const change = { action: 'invitation.created', subjectId: stored.id, detail } as const;
      await noteChange(sql, actor, change);
      const link = { id: stored.id, secret };
      if (emails === null) return { kind: 'invited', stored, link };
      // Whoever invites does not see it: they could accept in the name of the address's owner.
      await writeInvitation(sql, emails, invitation, link);
      return { kind: 'invited', stored, link: null };
    });
  };
}

async function writeInvitation(
  sql: Sql,
  emails: Emails,
  { organizationId, email, role }: Invitation,
  link: InvitationLink,
): Promise<void> {
  const organization = await organizationNameOf(sql, organizationId);
  await emails.write(sql, {
    kind: 'invitation',
    address: email,
    invitationId: link.id,
    detail: { organization, role },
    link: linkUrl(emails.base, link),
    lastsSeconds: LETTER_SECONDS,
  });
}

/** The link holds for a week; an e-mail that was not taken for a day is not going to be. */
const LETTER_SECONDS = 24 * 3_600;

const refuse = (field: string, words: string): Invited => ({
  kind: 'refused',
  errors: { [field]: [`The ${field} field ${words}.`] },
});
