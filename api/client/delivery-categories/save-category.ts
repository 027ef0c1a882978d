import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import { type Actor, noteChange } from '../../auth/audit.ts';
import { type Deletion, deleteReferred } from '../segments/references.ts';
import type { CategoryBody, CategoryChanges } from './schema.ts';
import { insertCategory, type StoredCategory, updateCategory } from './store.ts';

export type CategorySaved =
  | { readonly kind: 'saved'; readonly category: StoredCategory }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };
export type CategoryUpdated = CategorySaved | { readonly kind: 'missing' };

const taken = {
  kind: 'refused',
  errors: { name: ['The name field is taken by another delivery category.'] },
} as const;

const UNIQUE_VIOLATION = '23505';

/** Changes of delivery categories. Browsers' choices stay with their subscriptions. */
export function createCategories(database: Database) {
  return {
    create: (actor: Actor, appId: AppId, body: CategoryBody): Promise<CategorySaved> =>
      database.transaction(async (sql) => {
        const category = await insertCategory(sql, appId, body);
        if (category === null) return taken;
        await noteChange(sql, actor, {
          action: 'delivery-category.created',
          subjectId: category.id,
          appId,
          detail: { name: category.name },
        });
        return { kind: 'saved', category };
      }),

    update: (actor: Actor, appId: AppId, id: number, changes: CategoryChanges): Promise<CategoryUpdated> =>
      database
        .transaction(async (sql): Promise<CategoryUpdated> => {
          const category = await updateCategory(sql, appId, id, changes);
          if (category === null) return { kind: 'missing' };
          await noteChange(sql, actor, {
            action: 'delivery-category.updated',
            subjectId: id,
            appId,
            detail: { name: category.name },
          });
          return { kind: 'saved', category };
        })
        .catch((error: unknown) => {
          if ((error as { readonly code?: unknown }).code === UNIQUE_VIOLATION) return taken;
          throw error;
        }),

    remove: (actor: Actor, appId: AppId, id: number): Promise<Deletion> =>
      database.transaction(async (sql) => {
        const ending = await deleteReferred(sql, 'delivery_categories', appId, id);
        if (ending === 'deleted') {
          await noteChange(sql, actor, { action: 'delivery-category.deleted', subjectId: id, appId });
        }
        return ending;
      }),
  };
}
