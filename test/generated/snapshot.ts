import type { Database } from '../../engine/adapters/postgres/database.ts';

/** Tables that note the use of the API, refused or not: what a refusal may change. */
const notesOfUse: readonly string[] = ['request_hits', 'analytics_cache'];
/** Columns of that kind in other tables. */
const columnsOfUse: readonly string[] = ['last_used_at'];

export async function tablesOf(database: Database): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND relname <> ALL($1) ORDER BY relname`,
    [notesOfUse],
  );
  return rows.map(({ name }) => name);
}

/**
 * Notes each row that is really changed, in the transaction of the change: a snapshot of the whole database after each
 * of thousands of requests would take minutes.
 */
export async function watchChanges(database: Database, tables: readonly string[]) {
  await database.query(`CREATE TABLE seen_changes (what text NOT NULL)`);
  await database.query(`CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' AND to_jsonb(OLD) - ${list} = to_jsonb(NEW) - ${list} THEN RETURN NULL; END IF;
      INSERT INTO seen_changes VALUES (TG_OP || ' ' || TG_TABLE_NAME);
      RETURN NULL;
    END $$`);
  for (const table of tables) {
    await database.query(
      `CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON "${table}"
       FOR EACH ROW EXECUTE FUNCTION note_change()`,
    );
  }
  return async function takeChanges(): Promise<string[]> {
    const rows = await database.query<{ what: string }>(`DELETE FROM seen_changes RETURNING what`);
    return rows.map(({ what }) => what);
  };
}

const list = `'{${columnsOfUse.join(',')}}'::text[]`;
