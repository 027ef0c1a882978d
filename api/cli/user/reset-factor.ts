import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { findLogIn } from '../../account/log-in/password/store.ts';
import { deleteFactor } from '../../account/log-in/second-factor/store.ts';
import { commandActor, noteChange } from '../../auth/audit.ts';

/** For the only admin of an organization, whom no colleague can help. */
export const resetFactorOf = (database: Database, email: string): Promise<'reset' | 'none' | 'unknown'> =>
  database.transaction(async (sql) => {
    const user = await findLogIn(sql, email);
    if (user === null) return 'unknown';
    if (!(await deleteFactor(sql, user.id))) return 'none';
    const change = { action: 'user.second-factor-reset', subjectId: user.id, detail: { email } } as const;
    await noteChange(sql, commandActor(user.organizationId), change);
    return 'reset';
  });
