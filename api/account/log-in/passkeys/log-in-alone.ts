import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import { toId, type UserId } from '../../../../engine/contract/ids.ts';
import type { Device, DeviceCookie } from '../../../auth/device-cookie.ts';
import type { SessionPlace } from '../../../auth/session-place.ts';
import type { Emails } from '../../emails/write-email.ts';
import { beginSession, noteNewDevice, sessionActor } from '../password/log-in.ts';
import { findLogInById } from '../password/store.ts';
import { findAnswered, type PasskeyAnswer, usePasskey } from './check-passkey.ts';

export interface AloneRequest extends PasskeyAnswer {
  readonly devices: readonly Device[];
  readonly place: SessionPlace;
  readonly requestId: string;
}

export interface AloneParts {
  readonly database: Database;
  readonly emails: Emails | null;
  readonly devices: Pick<DeviceCookie, 'find'>;
}

export interface LoggedInAlone {
  readonly secret: string;
  readonly userId: UserId;
  readonly passwordHash: string | null;
}

/**
 * Without a password: the passkey is something that the person has, and asked for a PIN or a finger, so both factors
 * are shown. Null: the answer is wrong, whatever is wrong about it.
 */
export function logInAlone(
  { database, emails, devices }: AloneParts,
  request: AloneRequest,
): Promise<LoggedInAlone | null> {
  const { place, requestId } = request;
  return database.transaction(async (sql) => {
    const found = await findAnswered(sql, request, 'alone');
    const user = found === null ? null : await findLogInById(sql, toId(found.passkey.userId));
    if (found === null || user === null) return null;
    const actor = sessionActor(user, requestId);
    if (!(await usePasskey(sql, request, found, { mustVerify: true, actor }))) return null;
    const checked = { user, passwordHash: null, fresh: null, provider: null, place, requestId };
    const secret = await beginSession(sql, { ...checked, factor: 'passkey' });
    if (secret === null) return null;
    const { id, passwordHash } = user;
    if (devices.find(request.devices, { id, passwordHash }) === null)
      await noteNewDevice(sql, emails, { user, place });
    return { secret, userId: id, passwordHash };
  });
}
