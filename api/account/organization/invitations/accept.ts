import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { UserId } from '../../../../engine/contract/ids.ts';
import { newSecret } from '../../../../engine/kit/http/token.ts';
import { noteChange } from '../../../auth/audit.ts';
import { holdUsers } from '../../../auth/locks.ts';
import type { Passwords } from '../../../auth/passwords.ts';
import type { SessionPlace } from '../../../auth/session-place.ts';
import { endSessionsBut, insertSession } from '../../../auth/session-store.ts';
import { sessionActor } from '../../log-in/password/log-in.ts';
import { type NotSet, preparePassword } from '../../log-in/password-by-link.ts';
import { hasFactor } from '../../log-in/second-factor/store.ts';
import { confirmAddress, releaseAddress } from '../../reclaim-address.ts';
import { findOpen, insertInvited, type OpenInvitation, setPassword, takeOpen } from './store.ts';

export interface Acceptance {
  /** `<id>.<secret>`. */
  readonly invitation: string;
  readonly name: string;
  readonly password: string;
  readonly place: SessionPlace;
  readonly requestId: string;
}

export type Accepted =
  | {
      readonly kind: 'in';
      readonly secret: string;
      readonly userId: UserId;
      readonly passwordHash: string;
    }
  /** The password is set; the log-in takes a code, too. */
  | { readonly kind: 'set' }
  | NotSet;

/** Makes the user, or gives one a new password, and begins a session. */
export function createAcceptInvitation(database: Database, passwords: Passwords) {
  return async function acceptInvitation(acceptance: Acceptance): Promise<Accepted> {
    const { invitation, password } = acceptance;
    const ready = await preparePassword(passwords, { link: invitation, password }, (link) =>
      findOpen(database, link),
    );
    if (ready.kind !== 'ready') return ready;
    const { link, passwordHash } = ready;
    return database.transaction(async (sql) => {
      await holdUsers(sql);
      const taken = await takeOpen(sql, link);
      return taken === null ? { kind: 'invalid' } : enter(sql, taken, { ...acceptance, passwordHash });
    });
  };
}

type Person = Acceptance & { readonly passwordHash: string };

async function enter(sql: Sql, invitation: OpenInvitation, person: Person): Promise<Accepted> {
  const userId = await userOf(sql, invitation, person);
  if (userId === null) return { kind: 'invalid' };
  const actor = sessionActor({ id: userId, organizationId: invitation.organizationId }, person.requestId);
  const detail = { role: invitation.role, is_new_user: invitation.userId === null };
  await noteChange(sql, actor, { action: 'invitation.accepted', subjectId: invitation.id, detail });
  if (await hasFactor(sql, userId)) return { kind: 'set' };
  const secret = newSecret();
  const { passwordHash, place } = person;
  await insertSession(sql, { userId, passwordHash, secret, place, provider: null });
  return { kind: 'in', secret, userId, passwordHash: person.passwordHash };
}

/** Null where the e-mail address got an account meanwhile: the link is used up all the same. */
async function userOf(sql: Sql, invitation: OpenInvitation, person: Person): Promise<UserId | null> {
  const { userId } = invitation;
  if (userId === null) {
    // Who read the mailbox joins: an account that somebody else made of their address elsewhere does not keep them out.
    if (invitation.mailed) await releaseAddress(sql, invitation.email, invitation.organizationId);
    return insertInvited(sql, invitation, person);
  }
  if (invitation.mailed) await confirmAddress(sql, userId);
  await setPassword(sql, userId, person);
  // Ends every other session: the old password or an old browser no longer gives access.
  await endSessionsBut(sql, userId, null);
  return userId;
}
