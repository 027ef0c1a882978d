import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import { type OrganizationId, toId } from '../../../../engine/contract/ids.ts';
import type { Found, Page } from '../../../http/page.ts';

export interface StoredOrganization {
  readonly id: OrganizationId;
  readonly name: string;
  readonly created_at: Date;
}

const columns = 'id, name, created_at';
const branded = (row: StoredOrganization): StoredOrganization => ({ ...row, id: toId(row.id) });

export async function listOrganizations(sql: Sql, page: Page): Promise<Found<StoredOrganization>> {
  const rows = await sql.query<StoredOrganization>(
    `SELECT ${columns} FROM organizations ORDER BY id LIMIT $1 OFFSET $2`,
    [page.size, page.offset],
  );
  const [count] = await sql.query<{ total: number }>(`SELECT count(*) AS total FROM organizations`);
  return { rows: rows.map(branded), total: count?.total ?? 0 };
}

export async function findOrganizationNamed(sql: Sql, name: string): Promise<OrganizationId | null> {
  const [row] = await sql.query<{ id: number }>(
    `SELECT id FROM organizations WHERE name = $1 ORDER BY id LIMIT 1`,
    [name],
  );
  return row === undefined ? null : toId(row.id);
}

export async function insertOrganization(sql: Sql, name: string): Promise<StoredOrganization> {
  const [row] = await sql.query<StoredOrganization>(
    `INSERT INTO organizations (name) VALUES ($1) RETURNING ${columns}`,
    [name],
  );
  if (row === undefined) throw new Error('no organization was inserted');
  return branded(row);
}

export async function renameOrganization(
  sql: Sql,
  id: number,
  name: string,
): Promise<StoredOrganization | null> {
  const [row] = await sql.query<StoredOrganization>(
    `UPDATE organizations SET name = $2 WHERE id = $1 RETURNING ${columns}`,
    [id, name],
  );
  return row === undefined ? null : branded(row);
}
