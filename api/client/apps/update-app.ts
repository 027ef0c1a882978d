import type { FieldErrors } from '../../../engine/adapters/http/problem.ts';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { type Actor, noteChange } from '../../auth/audit.ts';
import type { Caller } from '../../auth/caller.ts';
import { ownerOf } from './owner.ts';
import type { AppBody } from './schema.ts';
import { changedSettings, lockApp, type StoredApp, settingsOf, updateApp } from './store.ts';

export type AppUpdated =
  | { readonly kind: 'updated'; readonly app: StoredApp }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

export type UpdateApp = (
  by: { readonly caller: Caller; readonly actor: Actor },
  identifier: string,
  body: AppBody,
) => Promise<AppUpdated>;

/**
 * The body states the whole app. Of two updates at once the later one to get the app's row wins, whole; one
 * that changes nothing writes nothing, and `updated_at` stays.
 */
export function createUpdateApp(database: Database): UpdateApp {
  return ({ caller, actor }, identifier, body) =>
    database.transaction(async (sql) => {
      const before = await lockApp(sql, caller.organizationId, identifier);
      // Before what the body says: another organization's app must not be told from a missing one.
      if (before === null) return { kind: 'missing' };
      const owner = await ownerOf(sql, caller, body);
      if (owner.kind === 'refused') return owner;
      const settings = settingsOf(body);
      const changed = changedSettings(before, settings);
      if (owner.organizationId !== caller.organizationId) changed.push('organization_id');
      if (changed.length === 0) return { kind: 'updated', app: before };
      const app = await updateApp(sql, before.id, owner.organizationId, settings);
      await noteChange(sql, actor, {
        action: 'app.updated',
        subjectId: identifier,
        appId: app.id,
        detail: { fields: changed },
      });
      return { kind: 'updated', app };
    });
}
