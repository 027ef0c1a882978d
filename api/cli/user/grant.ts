import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { noSuchApp } from '../../account/organization/invitations/invite-from-command.ts';
import { noteGrants } from '../../account/organization/users/manage-user.ts';
import { commandActor } from '../../auth/audit.ts';
import { findGrants, type Grant, resolveGrants, writeGrants } from '../../auth/grant-store.ts';

export type Granted =
  | { readonly kind: 'granted'; readonly grants: readonly Grant[] }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Gives a user roles on single apps, or takes them.
 * @param changes by the app's identifier; null takes the role there. Other apps keep theirs.
 */
export const grantTo = (
  database: Database,
  email: string,
  changes: ReadonlyMap<string, Grant['role'] | null>,
): Promise<Granted> =>
  database.transaction(async (sql) => {
    const user = await findGrants(sql, email);
    if (user === null) return { kind: 'refused', reason: `there is no user ${email}` };
    const named = [...changes].map(([app, role]) => ({ app, role: role ?? 'reader' }));
    if ((await resolveGrants(sql, user.organizationId, named)) === null)
      return { kind: 'refused', reason: noSuchApp(user.organization) };
    const after = new Map<string, Grant['role'] | null>([
      ...user.grants.map(({ app, role }) => [app, role] as const),
      ...changes,
    ]);
    const grants = [...after].flatMap(([app, role]) => (role === null ? [] : [{ app, role }]));
    const resolved = await resolveGrants(sql, user.organizationId, grants);
    if (resolved === null) throw new Error('an app was deleted while its grants were written: try again');
    await writeGrants(sql, user.id, resolved);
    await noteGrants(sql, commandActor(user.organizationId), { ...user, email }, grants);
    return { kind: 'granted', grants };
  });
