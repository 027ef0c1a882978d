import type { Database } from '../../engine/adapters/postgres/database.ts';

/** Tables that note the use of the API, refused or not: what a refusal may change. */
const notesOfUse: readonly string[] = ['request_hits', 'analytics_cache'];
/** Columns of that kind in other tables. */
const columnsOfUse: readonly string[] = ['last_used_at'];

/** Table → how many rows and a checksum over all of them. */
export type Snapshot = Readonly<Record<string, string>>;

export async function tablesOf(database: Database): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND relname <> ALL($1) ORDER BY relname`,
    [notesOfUse],
  );
  return rows.map(({ name }) => name);
}

/** The whole database, without what notes its use. */
export function createSnapshot(database: Database, tables: readonly string[]) {
  const parts = tables.map(
    (table) =>
      `SELECT '${table}' AS name, count(*) || ' ' || coalesce(md5(string_agg(line, E'\\n' ORDER BY line)), '') AS sum
       FROM (SELECT (to_jsonb(t) - $1::text[])::text AS line FROM "${table}" t) lines`,
  );
  return async function takeSnapshot(): Promise<Snapshot> {
    const rows = await database.query<{ name: string; sum: string }>(parts.join(' UNION ALL '), [
      columnsOfUse,
    ]);
    return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]));
  };
}

/**
 * Notes each row that is really changed, in the transaction of the change. For thousands of requests: a
 * snapshot after each would take minutes, and one after many cannot tell a refused request's change from an
 * accepted one's.
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
