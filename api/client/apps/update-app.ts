import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import { brokenAmong } from '../../../engine/kit/http/rules.ts';
import { appRankOf, roleAt } from '../../auth/app-roles.ts';
import { type Actor, noteChange } from '../../auth/audit.ts';
import type { Caller } from '../../auth/caller.ts';
import { deleteGrantsOn } from '../../auth/grant-store.ts';
import { ownerOf } from '../../auth/owner.ts';
import { whyNobodyApproves } from '../approvals/who-approves.ts';
import { keepPictures, lockPictures, noteImageBase } from './pictures/keep-pictures.ts';
import { type AppBody, type AppChanges, wholeAppRules } from './schema.ts';
import {
  type AppSettings,
  changedSettings,
  lockApp,
  mergeSettings,
  type StoredApp,
  settingsOf,
  updateApp,
} from './store.ts';

export type AppUpdated =
  | { readonly kind: 'updated'; readonly app: StoredApp }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

export type UpdateApp = (
  by: { readonly caller: Caller; readonly actor: Actor; readonly base: string },
  identifier: string,
  update: AppUpdate,
) => Promise<AppUpdated>;

/** PUT replaces the whole app; PATCH changes the fields it names. */
export type AppUpdate =
  | { readonly kind: 'whole'; readonly body: AppBody }
  | { readonly kind: 'changes'; readonly body: AppChanges };

/**
 * Of two updates at once the later one to get the app's row wins: whole, or in the fields that it names. One
 * that changes nothing writes nothing, and `updated_at` stays.
 */
export function createUpdateApp(database: Database): UpdateApp {
  return ({ caller, actor, base }, identifier, update) =>
    database.transaction(async (sql) => {
      const before = await lockApp(sql, caller.organizationId, identifier);
      // Before the body is validated: another organization's app must look like a missing one.
      if (before === null) return { kind: 'missing' };
      const owner = await ownerOf(sql, caller, update.body);
      if (owner.kind === 'refused') return owner;
      const settings =
        update.kind === 'whole' ? wholeOf(before, update.body) : mergeSettings(before, update.body);
      const errors = errorsOf(settings);
      if (errors !== null) return { kind: 'refused', errors };
      const absent = await lockPictures(sql, settings);
      if (absent !== null) return { kind: 'refused', errors: absent };
      const changed = changedSettings(before, settings);
      const wrong = whoChangesApproval(caller, before, changed);
      if (wrong !== null) return { kind: 'refused', errors: wrong };
      const isMoved = owner.organizationId !== caller.organizationId;
      const asksAnew = settings.approval !== 'none' && (isMoved || before.approval === 'none');
      // Grants of people of the organization that it leaves end.
      const stuck = asksAnew
        ? await whyNobodyApproves(sql, owner.organizationId, isMoved ? null : before.id)
        : null;
      if (stuck !== null) return { kind: 'refused', errors: stuck };
      if (isMoved) changed.push('organization_id');
      await noteImageBase(sql, before.id, base);
      if (changed.length === 0) return { kind: 'updated', app: before };
      // Of people of the organization that it leaves.
      if (isMoved) await deleteGrantsOn(sql, before.id);
      const app = await updateApp(sql, before.id, owner.organizationId, settings);
      await keepPictures(sql, app.id, settings);
      await noteImageBase(sql, app.id, base);
      await noteChange(sql, actor, {
        action: 'app.updated',
        subjectId: identifier,
        appId: app.id,
        detail: { fields: changed },
      });
      return { kind: 'updated', app };
    });
}

/** A client that knows nothing of approvals does not switch them off. */
const wholeOf = ({ approval }: AppSettings, body: AppBody): AppSettings => settingsOf({ approval, ...body });

/** Otherwise an author could switch it off, and on again afterwards. */
function whoChangesApproval(
  caller: Caller,
  { id }: StoredApp,
  changed: readonly string[],
): FieldErrors | null {
  if (!changed.includes('approval') || appRankOf(roleAt(caller, id)) >= appRankOf('admin')) return null;
  return { approval: ['The approval field may be changed by admins only.'] };
}

/** Each body is valid by itself; but a field that a PATCH clears may be needed by one that it keeps. */
function errorsOf(settings: AppSettings): FieldErrors | null {
  const errors = brokenAmong(wholeAppRules, settings);
  return Object.keys(errors).length === 0 ? null : errors;
}
