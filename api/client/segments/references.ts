import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';

interface References {
  readonly segment_id?: number | undefined;
  readonly delivery_category_id?: number | undefined;
}

/**
 * A delivery's or a campaign's references that do not exist. Call it in the transaction that inserts it: found rows are
 * locked against deletion until then, and a deletion that waits finds it afterwards.
 * @param lock `none`: nothing is inserted.
 */
export async function missingReferences(
  sql: Sql,
  appId: AppId,
  body: References,
  lock: 'share' | 'none' = 'share',
): Promise<FieldErrors | null> {
  const errors: Record<string, readonly string[]> = {};
  const { segment_id: segment, delivery_category_id: category } = body;
  if (segment !== undefined && !(await exists(sql, 'segments', appId, segment, lock))) {
    errors.segment_id = ['The segment_id field must refer to an existing segment.'];
  }
  if (category !== undefined && !(await exists(sql, 'delivery_categories', appId, category, lock))) {
    errors.delivery_category_id = missingCategory.delivery_category_id;
  }
  return Object.keys(errors).length === 0 ? null : errors;
}

export const missingCategory = {
  delivery_category_id: ['The delivery_category_id field must refer to an existing delivery category.'],
} as const;

type Referred = 'segments' | 'delivery_categories';

async function exists(
  sql: Sql,
  table: Referred,
  appId: AppId,
  id: number,
  lock: 'share' | 'none',
): Promise<boolean> {
  const rows = await sql.query(
    `SELECT id FROM ${table} WHERE id = $1 AND app_id = $2 AND deleted_at IS NULL ${lock === 'share' ? 'FOR SHARE' : ''}`,
    [id, appId],
  );
  return rows.length === 1;
}

const referringColumn = { segments: 'segment_id', delivery_categories: 'delivery_category_id' } as const;

export type Deletion = 'deleted' | 'missing' | 'in-use';

/**
 * Deletes unless a delivery needs it that is not planned yet, or an open campaign; a planned delivery has its audience
 * with it.
 * @returns `in-use` for a delivery that waits for its time too, however far ahead.
 */
export async function deleteReferred(sql: Sql, table: Referred, appId: AppId, id: number): Promise<Deletion> {
  const rows = await sql.query(
    `SELECT id FROM ${table} WHERE id = $1 AND app_id = $2 AND deleted_at IS NULL FOR UPDATE`,
    [id, appId],
  );
  if (rows.length === 0) return 'missing';
  const users = await sql.query(
    `SELECT 1 FROM deliveries
     WHERE ${referringColumn[table]} = $1 AND status IN ('pending', 'scheduled', 'queued')
     UNION ALL SELECT 1 FROM campaigns WHERE app_id = $2 AND ${referringColumn[table]} = $1
       AND status IN ('scheduled', 'running', 'deciding') LIMIT 1`,
    [id, appId],
  );
  if (users.length > 0) return 'in-use';
  await sql.query(`UPDATE ${table} SET deleted_at = now(), updated_at = now() WHERE id = $1`, [id]);
  return 'deleted';
}
