import type { FieldErrors } from '../../../engine/adapters/http/problem.ts';
import type { Sql } from '../../../engine/adapters/postgres/database.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { readRules } from './read-rules.ts';
import { missingCategory } from './references.ts';
import type { PreviewBody } from './schema.ts';
import { audienceNow, countAudience, knownCategories } from './store.ts';

export interface Count {
  readonly count: number;
  readonly chose_category: number | null;
}
export type Counted =
  | { readonly kind: 'counted'; readonly count: Count }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

/** How many a delivery would go to now, before the frequency cap. */
export async function previewAudience(sql: Sql, appId: AppId, body: PreviewBody): Promise<Counted> {
  const categoryId = body.delivery_category_id ?? null;
  // Nothing hangs on it: no lock keeps it, as it does for a delivery.
  if (categoryId !== null && !(await knownCategories(sql, appId, [categoryId])).has(categoryId))
    return { kind: 'refused', errors: missingCategory };
  const read = body.rules === undefined ? null : await readRules(sql, appId, body.rules);
  if (read?.kind === 'refused') return read;
  const audience = await audienceNow(sql, appId, { rules: read?.rules ?? null, categoryId });
  const { count, chose } = await countAudience(sql, appId, audience);
  return { kind: 'counted', count: { count, chose_category: categoryId === null ? null : chose } };
}
