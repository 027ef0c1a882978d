import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { UserId } from '../../../../engine/contract/ids.ts';
import { noteChange } from '../../../auth/audit.ts';
import type { Device, DeviceCookie } from '../../../auth/device-cookie.ts';
import { holdUsers, lockUser } from '../../../auth/locks.ts';
import type { SessionPlace } from '../../../auth/session-place.ts';
import type { Emails } from '../../emails/write-email.ts';
import { beginSession, noteNewDevice, sessionActor } from '../password/log-in.ts';
import { findLogInById, type LogInUser } from '../password/store.ts';
import type { FactorCheck } from './check-code.ts';
import { findHalf, takeHalf } from './store.ts';

export interface SecondStep {
  /** The secret of the half log-in's cookie. */
  readonly half: string;
  /** What is shown beside the password; its transaction commits whatever it says. */
  readonly check: (sql: Sql, user: LogInUser) => Promise<FactorCheck>;
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
  readonly emails: Emails | null;
  readonly devices: Pick<DeviceCookie, 'find'>;
}

/** The second half of a log-in. Only here a session begins: its secret is none that was there before the code. */
export function createCompleteLogIn({ database, emails, devices }: CompleteParts) {
  return async function completeLogIn({ half, check: checkFactor, ...step }: SecondStep): Promise<Completed> {
    const found = await findHalf(database, half);
    if (found === null) return { kind: 'over' };
    const { userId, passwordHash, provider } = found;
    return database.transaction(async (sql): Promise<Completed> => {
      await holdUsers(sql);
      await lockUser(sql, userId);
      const user = await findLogInById(sql, userId);
      if (user === null) return { kind: 'over' };
      const check = await checkFactor(sql, user);
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
      if (devices.find(step.devices, known) === null) await noteNewDevice(sql, emails, checked);
      return { kind: 'in', secret, userId, passwordHash: user.passwordHash };
    });
  };
}
