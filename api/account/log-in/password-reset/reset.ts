import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import { newSecret } from '../../../../engine/kit/http/token.ts';
import { noteChange } from '../../../auth/audit.ts';
import { holdUsers, lockUser } from '../../../auth/locks.ts';
import type { Passwords } from '../../../auth/passwords.ts';
import { endSessionsBut } from '../../../auth/session-store.ts';
import type { Emails } from '../../emails/write-email.ts';
import type { InvitationLink } from '../../organization/invitations/link.ts';
import { dropLinksOf } from '../../organization/invitations/store.ts';
import { confirmAddress } from '../../reclaim-address.ts';
import { sessionActor } from '../password/log-in.ts';
import { type NotSet, preparePassword, type Ready } from '../password-by-link.ts';
import {
  findReset,
  findResetUser,
  insertReset,
  RESET_SECONDS,
  type ResetUser,
  takeReset,
  writePassword,
} from './store.ts';

/** Behind the #, so that the secret reaches no server's or proxy's log. */
const resetUrl = (base: string, { id, secret }: InvitationLink): string =>
  `${base}/password-reset#${id}.${secret}`;

/** Writes an e-mail with a link, if the address has an account and has not had enough e-mails. */
export async function askReset(
  database: Database,
  emails: Emails,
  { email, requestId }: { readonly email: string; readonly requestId: string },
): Promise<void> {
  const user = await findResetUser(database, email);
  if (user === null) return;
  await database.transaction(async (sql) => {
    await holdUsers(sql);
    await lockUser(sql, user.id);
    const secret = newSecret();
    const id = await insertReset(sql, user.id, secret);
    if (id === null) return;
    await emails.write(sql, {
      kind: 'password-reset',
      // As it is stored: what was typed may name another mailbox.
      address: user.email,
      userId: user.id,
      link: resetUrl(emails.base, { id, secret }),
      lastsSeconds: RESET_SECONDS,
    });
    const change = { action: 'user.password-reset-asked', subjectId: user.id } as const;
    await noteChange(sql, sessionActor(user, requestId), change);
  });
}

export interface ResetOrder {
  /** `<id>.<secret>`. */
  readonly reset: string;
  readonly password: string;
  readonly requestId: string;
}

export type Reset = { readonly kind: 'set' } | NotSet;

/** Sets the password and begins no session: whoever reads the mailbox still logs in, with all that this takes. */
export function createResetPassword(database: Database, passwords: Passwords) {
  return async function resetPassword({ reset, password, requestId }: ResetOrder): Promise<Reset> {
    const ready = await preparePassword(passwords, { link: reset, password }, (link) =>
      findReset(database, link),
    );
    return ready.kind === 'ready' ? store(database, ready, requestId) : ready;
  };
}

const store = (
  database: Database,
  { open: user, link, passwordHash }: Ready<ResetUser>,
  requestId: string,
): Promise<Reset> =>
  database.transaction(async (sql) => {
    await holdUsers(sql);
    await lockUser(sql, user.id);
    if (!(await takeReset(sql, user.id, link))) return { kind: 'invalid' };
    await confirmAddress(sql, user.id);
    await writePassword(sql, user.id, passwordHash);
    await endSessionsBut(sql, user.id, null);
    await dropLinksOf(sql, user.id);
    const change = { action: 'user.password-reset', subjectId: user.id } as const;
    await noteChange(sql, sessionActor(user, requestId), change);
    return { kind: 'set' };
  });
