import { isNamed, orderOfNames } from '../../../engine/adapters/postgres/folded.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { Found, Page } from '../../http/page.ts';
import type { CategoryBody, CategoryChanges } from './schema.ts';

export interface StoredCategory {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = `id, name, description, created_at, updated_at`;

/** By name. */
export async function listCategories(sql: Sql, appId: AppId, page: Page): Promise<Found<StoredCategory>> {
  const rows = await sql.query<StoredCategory>(
    `SELECT ${columns} FROM delivery_categories WHERE app_id = $1 AND deleted_at IS NULL
     ORDER BY ${orderOfNames('name')}, id LIMIT $2 OFFSET $3`,
    [appId, page.size, page.offset],
  );
  const [count] = await sql.query<{ total: number }>(
    `SELECT count(*) AS total FROM delivery_categories WHERE app_id = $1 AND deleted_at IS NULL`,
    [appId],
  );
  return { rows, total: count?.total ?? 0 };
}

export async function findCategory(sql: Sql, appId: AppId, id: number): Promise<StoredCategory | null> {
  const [row] = await sql.query<StoredCategory>(
    `SELECT ${columns} FROM delivery_categories WHERE app_id = $1 AND id = $2 AND deleted_at IS NULL`,
    [appId, id],
  );
  return row ?? null;
}

/** @returns null where the name is taken. */
export async function insertCategory(
  sql: Sql,
  appId: AppId,
  body: CategoryBody,
): Promise<StoredCategory | null> {
  const [row] = await sql.query<StoredCategory>(
    `INSERT INTO delivery_categories (app_id, name, description) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING RETURNING ${columns}`,
    [appId, body.name, body.description],
  );
  return row ?? null;
}

/**
 * Absent fields keep their value; a null description is removed.
 *
 * @throws a unique violation (23505) where the name is taken.
 */
export async function updateCategory(
  sql: Sql,
  appId: AppId,
  id: number,
  { name, description }: CategoryChanges,
): Promise<StoredCategory | null> {
  const [row] = await sql.query<StoredCategory>(
    `UPDATE delivery_categories SET name = coalesce($3, name),
       namesake = CASE WHEN ${isNamed('name', 'coalesce($3, name)')} THEN namesake ELSE 0 END,
       description = CASE WHEN $5 THEN description ELSE $4 END, updated_at = now()
     WHERE app_id = $1 AND id = $2 AND deleted_at IS NULL RETURNING ${columns}`,
    [appId, id, name, description, description === undefined],
  );
  return row ?? null;
}
