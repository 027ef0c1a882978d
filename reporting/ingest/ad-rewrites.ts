import type { Database } from '../../engine/adapters/postgres/database.ts';
import { mayBeSilent, type Sql } from '../../engine/adapters/postgres/sql.ts';
import { abandonPendingRewrites, insertLoad, lockLedger } from './ad-loads.ts';

export async function isRewritten(sql: Sql, name: string): Promise<boolean> {
  return (await sql.query('SELECT 1 FROM ad_rewrites WHERE name = $1', [name])).length === 1;
}

/**
 * Notes that nothing is left to rewrite.
 * @returns false where a load is in progress, whose rows were not checked.
 */
export async function noteRewritten(sql: Sql, name: string): Promise<boolean> {
  const rows = await sql.query(
    `INSERT INTO ad_rewrites (name) SELECT $1 WHERE NOT EXISTS (SELECT FROM ad_loads WHERE state = 'pending')
     ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING 1`,
    [name],
  );
  return rows.length === 1;
}

/** Runs the work where no other process does; it ends with this one. @returns null where another one runs it. */
export const aloneRewriting = <Result>(
  database: Database,
  name: string,
  work: () => Promise<Result>,
): Promise<Result | null> =>
  database.transaction(async (sql) => {
    const [row] = await sql.query<{ held: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('broadside ad rewrite ' || $1, 0)) AS held, ${mayBeSilent}`,
      [name],
    );
    return row?.held === true ? await work() : null;
  });

/**
 * A load with the counted rows of a source's day, in another form. Once active it replaces all loads below it,
 * so none among them may still become active: its rows would be dead on arrival, and in no copy.
 * @returns null where there is one.
 */
export const registerRewrite = (
  database: Database,
  { source, content }: { readonly source: string; readonly content: string },
): Promise<number | null> =>
  database.transaction(async (sql) => {
    await lockLedger(sql);
    // Those of a process that died: only one process rewrites at a time.
    await abandonPendingRewrites(sql, source);
    const pending = await sql.query(
      `SELECT 1 FROM ad_loads WHERE source = $1 AND state = 'pending' LIMIT 1`,
      [source],
    );
    return pending.length > 0 ? null : insertLoad(sql, { source, kind: 'rewrite', content });
  });
