import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { Sealer } from '../../../engine/adapters/postgres/sealed-secret.ts';
import type { UserId } from '../../../engine/contract/ids.ts';
import { noteChange } from '../../auth/audit.ts';
import type { Device, DeviceCookie } from '../../auth/device-cookie.ts';
import type { SessionPlace } from '../../auth/session-place.ts';
import type { Letters } from '../letters/write-letter.ts';
import { holdUsers, lockUser } from '../locks.ts';
import { beginSession, noteNewDevice, sessionActor } from '../session/log-in.ts';
import { findLogInById } from '../session/store.ts';
import { checkCode } from './check-code.ts';
import { findHalf, takeHalf } from './store.ts';

export interface SecondStep {
  /** The secret of the half log-in's cookie. */
  readonly half: string;
  readonly code: string;
  readonly devices: readonly Device[];
  readonly place: SessionPlace;
  readonly requestId: string;
}

export type Completed =
  | {
      readonly kind: 'in';
      readonly secret: string;
      readonly userId: UserId;
      readonly passwordHash: string | null;
    }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'too-many'; readonly waitSeconds: number }
  /** It took too long, or the password or the factor is another one by now. */
  | { readonly kind: 'over' };

export interface CompleteParts {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly letters: Letters | null;
  readonly devices: Pick<DeviceCookie, 'find'>;
}

/** The second half of a log-in. Only here a session begins: its secret is none that was there before the code. */
export function createCompleteLogIn({ database, sealer, letters, devices }: CompleteParts) {
  return async function completeLogIn({ half, code, ...step }: SecondStep): Promise<Completed> {
    const found = await findHalf(database, half);
    if (found === null) return { kind: 'over' };
    const { userId, passwordHash, provider } = found;
    return database.transaction(async (sql): Promise<Completed> => {
      await holdUsers(sql);
      await lockUser(sql, userId);
      const user = await findLogInById(sql, userId);
      if (user === null) return { kind: 'over' };
      const check = await checkCode(sql, sealer, userId, code);
      if (check.kind === 'none') return { kind: 'over' };
      if (check.kind === 'wrong') {
        const change = { action: 'user.second-factor-failed', subjectId: userId } as const;
        await noteChange(sql, sessionActor(user, step.requestId), change);
      }
      if (check.kind !== 'right') return check;
      if (!(await takeHalf(sql, half))) return { kind: 'over' };
      const checked = { user, passwordHash, provider, fresh: null, factor: check.by, ...step };
      const secret = await beginSession(sql, checked);
      if (secret === null) return { kind: 'over' };
      const known = { id: userId, passwordHash: user.passwordHash };
      if (devices.find(step.devices, known) === null) await noteNewDevice(sql, letters, checked);
      return { kind: 'in', secret, userId, passwordHash: user.passwordHash };
    });
  };
}
