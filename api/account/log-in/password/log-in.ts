import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { OrganizationId, UserId } from '../../../../engine/contract/ids.ts';
import { addressKey, createAttemptLimit } from '../../../../engine/kit/http/attempt-limit.ts';
import { newSecret } from '../../../../engine/kit/http/token.ts';
import { type Actor, noteChange } from '../../../auth/audit.ts';
import type { Device, DeviceCookie } from '../../../auth/device-cookie.ts';
import { holdUsers, lockUser } from '../../../auth/locks.ts';
import type { Passwords } from '../../../auth/passwords.ts';
import type { SessionPlace } from '../../../auth/session-place.ts';
import { insertSession } from '../../../auth/session-store.ts';
import type { Emails } from '../../emails/write-email.ts';
import type { SessionLink } from '../provider/session-link.ts';
import { hasFactor, insertHalf } from '../second-factor/store.ts';
import { findLogIn, type LogInUser, replaceHash } from './store.ts';

/** Failed log-ins in a quarter of an hour. One address reaches its own limit before it locks out others. */
const MOST_BY_ADDRESS = 20;
const MOST_BY_EMAIL = 60;
/** Of a user on a browser where they logged in before: counted apart from both, so strangers cannot lock it. */
const MOST_BY_DEVICE = 20;
const WITHIN_MS = 15 * 60_000;
const MAX_KEYS = 10_000;

export interface LogInRequest {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  /** The browser's entries: the users who logged in there before. */
  readonly devices: readonly Device[];
  readonly place: SessionPlace;
  readonly requestId: string;
}

export type LogInEnding =
  | {
      readonly kind: 'in';
      readonly secret: string;
      readonly userId: UserId;
      /** As it is stored now. */
      readonly passwordHash: string;
    }
  /** The password is right; a code completes the log-in. */
  | { readonly kind: 'half'; readonly secret: string }
  /** `user` is for the audit log alone: the answer is the same without one. */
  | { readonly kind: 'wrong'; readonly user: LogInUser | null }
  | { readonly kind: 'too-many'; readonly waitSeconds: number }
  | { readonly kind: 'busy' };

export interface Attempt {
  readonly address: string;
  readonly email: string;
  /** Where the user logged in on this browser before. */
  readonly device: Device | null;
}

/** Counts attempts before they cost anything; a good one is taken off again. */
export function createLogInLimits() {
  const options = { withinMs: WITHIN_MS, maxKeys: MAX_KEYS };
  const byAddress = createAttemptLimit({ most: MOST_BY_ADDRESS, ...options });
  const byEmail = createAttemptLimit({ most: MOST_BY_EMAIL, ...options });
  const byDevice = createAttemptLimit({ most: MOST_BY_DEVICE, ...options });
  const emailKey = (email: string): string => email.trim().toLowerCase();
  return {
    /** @returns seconds to wait, or 0. */
    take: ({ address, email, device }: Attempt): number =>
      device === null
        ? byAddress.take(addressKey(address)) || byEmail.take(emailKey(email))
        : byDevice.take(device.id),
    giveBack: ({ address, email, device }: Attempt): void => {
      if (device !== null) byDevice.giveBack(device.id);
      else {
        byAddress.giveBack(addressKey(address));
        byEmail.giveBack(emailKey(email));
      }
    },
  };
}
export type LogInLimits = ReturnType<typeof createLogInLimits>;

export interface LogInParts {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly logInLimits: LogInLimits;
  readonly devices: Pick<DeviceCookie, 'find'>;
  readonly emails: Emails | null;
}

export function createLogIn({ database, passwords, logInLimits: limits, devices, emails }: LogInParts) {
  /**
   * Looks up the user only if the browser has an entry that we signed: a stranger cannot learn which accounts
   * exist.
   */
  const deviceOf = async (request: LogInRequest): Promise<Device | null> => {
    if (request.devices.length === 0) return null;
    const user = await findLogIn(database, request.email);
    if (user?.passwordHash == null) return null;
    return devices.find(request.devices, { id: user.id, passwordHash: user.passwordHash });
  };

  return async function logIn(request: LogInRequest): Promise<LogInEnding> {
    const attempt = { ...request, device: await deviceOf(request) };
    const waitSeconds = limits.take(attempt);
    if (waitSeconds > 0) return { kind: 'too-many', waitSeconds };
    const user = await findLogIn(database, request.email);
    const check = await passwords.check(request.password, user?.passwordHash ?? null);
    if (check === 'busy') return { kind: 'busy' };
    if (user?.passwordHash == null || check === 'wrong') return { kind: 'wrong', user };
    const fresh = check === 'outdated' ? await passwords.hash(request.password) : null;
    const checked = { ...request, user, fresh, provider: null };
    const { passwordHash } = user;
    const ending = await database.transaction((sql) =>
      enter(sql, { ...checked, passwordHash }, attempt.device === null),
    );
    if (ending.kind !== 'wrong') limits.giveBack(attempt);
    return ending;
  };

  async function enter(
    sql: Sql,
    checked: Checked & { readonly passwordHash: string },
    isNewDevice: boolean,
  ): Promise<LogInEnding> {
    const { id: userId } = checked.user;
    if (await hasFactor(sql, userId)) return { kind: 'half', secret: await beginHalf(sql, checked) };
    const secret = await beginSession(sql, checked);
    if (secret === null) return { kind: 'wrong', user: null };
    if (isNewDevice) await noteNewDevice(sql, emails, checked);
    return { kind: 'in', secret, userId, passwordHash: checked.fresh ?? checked.passwordHash };
  }
}

export interface Checked {
  readonly user: LogInUser;
  /** Null: a provider or a passkey let the user in, and no password was checked. */
  readonly passwordHash: string | null;
  /** Replaces an outdated hash. */
  readonly fresh: string | null;
  readonly place: SessionPlace;
  /** What was shown beside the password. */
  readonly factor?: 'code' | 'recovery-code' | 'passkey';
  /** That let the user in; null: none did. */
  readonly provider: SessionLink | null;
  readonly requestId: string;
}

/** The password is checked again, as it was now, when the code comes. */
export async function beginHalf(sql: Sql, checked: Checked): Promise<string> {
  const { user, provider } = checked;
  const passwordHash = await holdPassword(sql, checked);
  const secret = newSecret();
  await insertHalf(sql, secret, { userId: user.id, passwordHash, provider });
  return secret;
}

/** Under the user's lock from now on. @returns the checked hash, as it is stored now. */
async function holdPassword(sql: Sql, { user, passwordHash, fresh }: Checked): Promise<string | null> {
  await holdUsers(sql);
  await lockUser(sql, user.id);
  if (fresh === null || passwordHash === null) return passwordHash;
  await replaceHash(sql, user.id, { from: passwordHash, to: fresh });
  return fresh;
}

/** Null where the user went, or chose another password, while this one was checked. */
export async function beginSession(sql: Sql, checked: Checked): Promise<string | null> {
  const { user, place, provider, requestId } = checked;
  const passwordHash = await holdPassword(sql, checked);
  const secret = newSecret();
  const session = { userId: user.id, passwordHash, secret, place, provider };
  if (!(await insertSession(sql, session))) return null;
  const detail = {
    ...(checked.factor === undefined ? {} : { second_factor: checked.factor }),
    ...(provider === null ? {} : { by: 'provider' }),
  };
  const change = { action: 'user.logged-in', subjectId: user.id, detail } as const;
  await noteChange(sql, sessionActor(user, requestId), change);
  return secret;
}

/** Nobody logged in as this user from this browser before, with this password. */
export async function noteNewDevice(
  sql: Sql,
  emails: Emails | null,
  { user, place }: Pick<Checked, 'user' | 'place'>,
): Promise<void> {
  await emails?.write(sql, {
    kind: 'new-device',
    address: user.email,
    userId: user.id,
    detail: { ...place },
    lastsSeconds: DEVICE_LETTER_SECONDS,
  });
}

/** Later it would frighten more than it helps. */
const DEVICE_LETTER_SECONDS = 24 * 3_600;

/** The user at log-in, before a session exists. */
export const sessionActor = (
  user: { readonly id: UserId; readonly organizationId: OrganizationId },
  requestId: string,
): Actor => ({
  organizationId: user.organizationId,
  userId: user.id,
  tokenId: null,
  via: 'session',
  requestId,
});
