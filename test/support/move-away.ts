import type { Sql } from '../../engine/adapters/postgres/sql.ts';

/** A person goes on in another organization. */
export async function moveAway(sql: Sql, userId: number): Promise<void> {
  await sql.query(
    `WITH other AS (INSERT INTO organizations (name) VALUES ('Other ' || $1::integer) RETURNING id)
     UPDATE users SET organization_id = other.id FROM other WHERE users.id = $1::integer`,
    [userId],
  );
}
