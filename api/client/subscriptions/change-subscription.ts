import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { eraseSubscriptions } from '../../../engine/adapters/postgres/removal/erase.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { type Actor, type AuditAction, noteChange } from '../../auth/audit.ts';
import { addTags, findSeq, removeTag, type StoredSubscription } from './store.ts';

/** A subscription of an app, and the author of its change. */
export interface Target {
  readonly actor: Actor;
  readonly appId: AppId;
  readonly id: number;
}

/** Each change in one transaction with its note; null where there is nothing to change. */
export function createChangeSubscription(database: Database) {
  return {
    /** Its clicks and outcomes become anonymous in the background. */
    remove: (target: Target): Promise<'deleted' | null> =>
      database.transaction(async (sql) => {
        const seq = await findSeq(sql, target.appId, target.id);
        if (seq === null || (await eraseSubscriptions(sql, target.appId, [seq])).length === 0) return null;
        await note(sql, target, 'subscription.deleted', {});
        return 'deleted';
      }),

    /** Keys are noted, values not: they may be personal. */
    addTags: (
      target: Target,
      tags: Readonly<Record<string, string>>,
    ): Promise<StoredSubscription | 'too-many' | null> =>
      database.transaction(async (sql) => {
        const subscription = await addTags(sql, target.appId, target.id, tags);
        if (subscription === null || subscription === 'too-many') return subscription;
        await note(sql, target, 'subscription.tagged', { added: Object.keys(tags) });
        return subscription;
      }),

    removeTag: (target: Target, key: string): Promise<StoredSubscription | null> =>
      database.transaction(async (sql) => {
        const subscription = await removeTag(sql, target.appId, target.id, key);
        if (subscription === null) return null;
        await note(sql, target, 'subscription.tagged', { removed: [key] });
        return subscription;
      }),
  };
}

async function note(
  sql: Sql,
  { actor, appId, id }: Target,
  action: AuditAction,
  detail: object,
): Promise<void> {
  await noteChange(sql, actor, { action, subjectId: id, appId, detail: { ...detail } });
}
