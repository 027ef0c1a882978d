import type { FieldErrors } from '../../../engine/adapters/http/problem.ts';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { type OrganizationId, toId } from '../../../engine/contract/ids.ts';
import { type Role, rankOf } from '../../auth/abilities.ts';
import { type Actor, noteChange } from '../../auth/audit.ts';
import type { Caller } from '../../auth/caller.ts';
import { dropInvitationsBy } from '../invitations/store.ts';
import { lockUsers } from '../locks.ts';
import type { StoredUser } from '../me/store.ts';
import { deleteFactor } from '../second-factor/store.ts';
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
  | { readonly kind: 'missing' }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

type Next = Role | 'gone';

/** Changes roles and removes users, so that every organization keeps at least one user who can do so. */
export function createManageUsers(database: Database) {
  const manage = (
    management: Management,
    wanted: Next | 'same',
    change: (sql: Sql, managed: Managed) => Promise<void>,
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
      await change(sql, managed);
      const role = next === 'gone' ? managed.user.role : next;
      return { kind: 'done', user: { ...managed.user, role } };
    });

  return {
    changeRole: (management: Management, role: Role) =>
      manage(management, role, async (sql, { user }) => {
        if (user.role === role) return;
        await updateRole(sql, user.id, role);
        // Invitations to roles that they may no longer invite to.
        if (rankOf(role) < rankOf(user.role)) await dropInvitationsBy(sql, user.id);
        const detail = { email: user.email, from: user.role, to: role };
        await noteChange(sql, management.actor, { action: 'user.role-changed', subjectId: user.id, detail });
      }),
    /** For whoever lost phone and recovery codes. Not one's own: that takes the password. */
    resetFactor: (management: Management) =>
      manage(management, 'same', async (sql, { user }) => {
        if (!(await deleteFactor(sql, toId(user.id)))) return;
        const detail = { email: user.email };
        await noteChange(sql, management.actor, {
          action: 'user.second-factor-reset',
          subjectId: user.id,
          detail,
        });
      }),
    removeUser: (management: Management) =>
      manage(management, 'gone', async (sql, { user }) => {
        // Before the user is deleted: the log also names users who remove themselves.
        const detail = { email: user.email, role: user.role };
        await noteChange(sql, management.actor, { action: 'user.removed', subjectId: user.id, detail });
        await deleteUser(sql, user.id);
      }),
  };
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
  if (user.role !== 'member' && nextRank < rankOf('admin') && otherAdmins === 0) {
    return 'The last admin of an organization must stay one.';
  }
  return null;
}
