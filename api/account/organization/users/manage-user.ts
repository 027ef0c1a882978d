import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import { type OrganizationId, toId } from '../../../../engine/contract/ids.ts';
import type { FieldErrors } from '../../../../engine/kit/http/problem.ts';
import { type Role, rankOf } from '../../../auth/abilities.ts';
import { type Actor, noteChange } from '../../../auth/audit.ts';
import type { Caller } from '../../../auth/caller.ts';
import { type Grant, resolveGrants, writeGrants } from '../../../auth/grant-store.ts';
import { lockUsers } from '../../../auth/locks.ts';
import { deleteFactor } from '../../log-in/second-factor/store.ts';
import type { StoredUser } from '../../own/me/store.ts';
import { dropInvitationsBy } from '../invitations/store.ts';
import { revokeAllReportTokens } from '../report-tokens/store.ts';
import { deleteUser, findManaged, type Managed, updateRole } from './store.ts';

export interface Management {
  readonly caller: Caller;
  /** In the organization of the user. */
  readonly actor: Actor;
  readonly organizationId: OrganizationId;
  readonly userId: number;
}

export type Managing =
  | { readonly kind: 'done'; readonly user: StoredUser }
  /** As `done`, where nothing of the user is to be shown. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

type Next = Role | 'gone';

/** Changes roles and removes users, so that every organization keeps at least one user who can do so. */
export function createManageUsers(database: Database) {
  const manage = (
    management: Management,
    wanted: Next | 'same',
    change: (sql: Sql, managed: Managed) => Promise<FieldErrors | null>,
  ): Promise<Managing> =>
    database.transaction(async (sql) => {
      await lockUsers(sql);
      const { organizationId, userId, caller } = management;
      const managed = await findManaged(sql, organizationId, userId, caller.userId);
      if (managed === null) return { kind: 'missing' };
      const next = wanted === 'same' ? managed.user.role : wanted;
      if (!mayManage(managed, next)) return { kind: 'forbidden' };
      const stranded = strandedBy(managed, next);
      if (stranded !== null) return { kind: 'refused', errors: { role: [stranded] } };
      const errors = await change(sql, managed);
      if (errors !== null) return { kind: 'refused', errors };
      const left = await findManaged(sql, organizationId, userId, caller.userId);
      return { kind: 'done', user: left?.user ?? managed.user };
    });

  return {
    changeRole: (management: Management, role: Role) =>
      manage(management, role, async (sql, { user }) => {
        if (user.role === role) return null;
        await updateRole(sql, user.id, role);
        // Invitations to roles that they may no longer invite to.
        if (rankOf(role) < rankOf(user.role)) await dropInvitationsBy(sql, user.id);
        // They report on the whole organization, which a guest has no part in.
        if (role === 'guest') await revokeAllReportTokens(sql, toId(user.id));
        const detail = { email: user.email, from: user.role, to: role };
        await noteChange(sql, management.actor, { action: 'user.role-changed', subjectId: user.id, detail });
        return null;
      }),
    /** In place of those of before. Admins have every role on every app of theirs, so nobody gives more than they hold. */
    changeGrants: (management: Management, grants: readonly Grant[]) =>
      manage(management, 'same', async (sql, { user }) => {
        const resolved = await resolveGrants(sql, management.organizationId, grants);
        if (resolved === null) return { grants: ['The grants field names an app that does not exist.'] };
        await writeGrants(sql, toId(user.id), resolved);
        await noteGrants(sql, management.actor, user, grants);
        return null;
      }),
    /** For whoever lost phone and recovery codes. Not your own: that takes the password. */
    resetFactor: (management: Management) =>
      manage(management, 'same', async (sql, { user }) => {
        if (!(await deleteFactor(sql, toId(user.id)))) return null;
        const detail = { email: user.email };
        await noteChange(sql, management.actor, {
          action: 'user.second-factor-reset',
          subjectId: user.id,
          detail,
        });
        return null;
      }),
    removeUser: (management: Management) =>
      manage(management, 'gone', async (sql, { user }) => {
        // Before the user is deleted: the log also names users who remove themselves.
        const detail = { email: user.email, role: user.role };
        await noteChange(sql, management.actor, { action: 'user.removed', subjectId: user.id, detail });
        await deleteUser(sql, user.id);
        return null;
      }),
  };
}

/** `example-sports-k7m2pq: author`, in the order of the apps; empty: none. */
const inWords = (grants: readonly Grant[]): string =>
  grants
    .map(({ app, role }) => `${app}: ${role}`)
    .toSorted()
    .join(', ');

/** What is as it was is not noted. */
export async function noteGrants(
  sql: Sql,
  actor: Actor,
  before: { readonly id: number; readonly email: string; readonly grants: readonly Grant[] },
  grants: readonly Grant[],
): Promise<void> {
  const detail = { email: before.email, from: inWords(before.grants), to: inWords(grants) };
  if (detail.from === detail.to) return;
  await noteChange(sql, actor, { action: 'user.grants-changed', subjectId: before.id, detail });
}

/** No one manages a user with a higher role, or raises a user above their own role. */
function mayManage({ user, managerRole }: Managed, next: Next): boolean {
  if (managerRole === null) return false;
  const rank = rankOf(managerRole);
  return rank >= rankOf('admin') && rank >= rankOf(user.role) && (next === 'gone' || rank >= rankOf(next));
}

/** A sentence that names what would be left without a manager; null where nothing would. */
function strandedBy({ user, otherAdmins, otherSuperAdmins }: Managed, next: Next): string | null {
  const nextRank = next === 'gone' ? 0 : rankOf(next);
  if (user.role === 'super-admin' && nextRank < rankOf('super-admin') && otherSuperAdmins === 0) {
    return 'The last super-admin must stay one.';
  }
  if (rankOf(user.role) >= rankOf('admin') && nextRank < rankOf('admin') && otherAdmins === 0) {
    return 'The last admin of an organization must stay one.';
  }
  return null;
}
