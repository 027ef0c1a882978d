import type { Sql } from './sql.ts';

/** Which of these conditions hold now, in one statement. @param conditions SQL by name: neither comes from outside. */
export async function findTrue<Name extends string>(
  sql: Sql,
  conditions: Readonly<Record<Name, string>>,
): Promise<Name[]> {
  const values = Object.entries(conditions).map(([name, condition]) => `('${name}', ${condition})`);
  const rows = await sql.query<{ name: Name }>(
    `SELECT name FROM (VALUES ${values.join()}) AS conditions (name, holds) WHERE holds`,
  );
  return rows.map(({ name }) => name);
}
