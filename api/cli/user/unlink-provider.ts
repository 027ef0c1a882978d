import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { findLogIn } from '../../account/log-in/password/store.ts';
import { deleteIdentitiesOf } from '../../account/log-in/provider/log-in-store.ts';
import { commandActor, noteChange } from '../../auth/audit.ts';

/** For an address that a provider gave to another person, or a person with a new account at the provider. */
export const unlinkProviderOf = (
  database: Database,
  email: string,
): Promise<'unlinked' | 'none' | 'unknown'> =>
  database.transaction(async (sql) => {
    const user = await findLogIn(sql, email);
    if (user === null) return 'unknown';
    if ((await deleteIdentitiesOf(sql, user.id)) === 0) return 'none';
    const change = { action: 'user.provider-unlinked', subjectId: user.id, detail: { email } } as const;
    await noteChange(sql, commandActor(user.organizationId), change);
    return 'unlinked';
  });
