import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import type { FieldErrors } from '../../../../engine/kit/http/problem.ts';
import { type Actor, noteChange } from '../../../auth/audit.ts';
import type { Caller } from '../../../auth/caller.ts';
import type { Device, DeviceCookie } from '../../../auth/device-cookie.ts';
import { weaknessOf } from '../../../auth/password-rules.ts';
import type { Passwords } from '../../../auth/passwords.ts';
import { endSessionsBut } from '../../../auth/session-store.ts';
import type { LogInLimits } from '../../log-in/password/log-in.ts';
import { replaceHash } from '../../log-in/password/store.ts';
import { dropLinksOf } from '../../organization/invitations/store.ts';
import { findPassword } from './store.ts';

export interface PasswordChange {
  readonly caller: Caller;
  readonly actor: Actor;
  /** The session that goes on. */
  readonly secret: string;
  readonly address: string;
  readonly devices: readonly Device[];
  readonly current: string;
  readonly next: string;
}

export type PasswordChanged =
  | { readonly kind: 'changed'; readonly passwordHash: string }
  | { readonly kind: 'refused'; readonly errors: FieldErrors }
  | { readonly kind: 'too-many'; readonly waitSeconds: number }
  | { readonly kind: 'busy' };

/** Guesses count like failed log-ins: a session left open must not be a way to try passwords. */
export function createChangePassword(
  database: Database,
  passwords: Passwords,
  limits: LogInLimits,
  devices: Pick<DeviceCookie, 'find'>,
) {
  return async function changePassword(change: PasswordChange): Promise<PasswordChanged> {
    const own = await findPassword(database, change.caller.userId);
    if (own?.hash == null) return refuse('current_password', 'is wrong');
    const weakness = await weaknessOf(change.next, own);
    if (weakness !== null) return refuse('new_password', weakness);
    const { userId: id } = change.caller;
    const device = devices.find(change.devices, { id, passwordHash: own.hash });
    const attempt = { address: change.address, email: own.email, device };
    const waitSeconds = limits.take(attempt);
    if (waitSeconds > 0) return { kind: 'too-many', waitSeconds };
    const check = await passwords.check(change.current, own.hash);
    if (check === 'wrong') return refuse('current_password', 'is wrong');
    limits.giveBack(attempt);
    const hash = check === 'busy' ? null : await passwords.hash(change.next);
    if (hash === null) return { kind: 'busy' };
    return store(database, change, { from: own.hash, to: hash });
  };
}

function store(
  database: Database,
  { caller, actor, secret }: PasswordChange,
  hash: { readonly from: string; readonly to: string },
): Promise<PasswordChanged> {
  const { userId } = caller;
  return database.transaction(async (sql) => {
    // Changed meanwhile in another of the user's browsers: the checked password is no longer the current one.
    if (!(await replaceHash(sql, userId, hash))) return refuse('current_password', 'is wrong');
    await endSessionsBut(sql, userId, secret);
    await dropLinksOf(sql, userId);
    await noteChange(sql, actor, { action: 'user.password-changed', subjectId: userId });
    return { kind: 'changed', passwordHash: hash.to };
  });
}

const refuse = (field: string, words: string): PasswordChanged => ({
  kind: 'refused',
  errors: { [field]: [`The ${field} field ${words}.`] },
});
