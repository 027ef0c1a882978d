import type { Sql } from '../../engine/adapters/postgres/sql.ts';

/**
 * How the files of a source are read, as an operator said once: the options of an import by their names. They are in
 * `ad_source_settings`, and belong to the command line alone: batches of the log need none.
 */
export interface SourceSettings {
  readonly profile?: string;
  readonly map?: readonly string[];
  readonly ignore?: readonly string[];
  /** Not of files: after how many days a day of the source is final; `never`. */
  readonly finalAfter?: string;
  readonly [option: string]: string | readonly string[] | undefined;
}

export interface NamedSettings {
  readonly source: string;
  readonly settings: SourceSettings;
  readonly changed_at: Date;
}

/** Nothing, where nobody said anything. */
export async function readSourceSettings(sql: Sql, source: string): Promise<SourceSettings> {
  const [row] = await sql.query<{ settings: SourceSettings }>(
    'SELECT settings FROM ad_source_settings WHERE source = $1',
    [source],
  );
  return row?.settings ?? {};
}

/** What is named changes, and the rest stays. @returns what is remembered then. */
export async function noteSourceSettings(
  sql: Sql,
  source: string,
  settings: SourceSettings,
): Promise<SourceSettings> {
  const [row] = await sql.query<{ settings: SourceSettings }>(
    `INSERT INTO ad_source_settings AS kept (source, settings) VALUES ($1, $2)
     ON CONFLICT (source) DO UPDATE SET settings = kept.settings || excluded.settings, changed_at = now()
     RETURNING settings`,
    [source, JSON.stringify(settings)],
  );
  return row?.settings ?? {};
}

export const listSourceSettings = (sql: Sql): Promise<NamedSettings[]> =>
  sql.query<NamedSettings>('SELECT source, settings, changed_at FROM ad_source_settings ORDER BY source');

/** @returns whether anything was remembered. */
export async function removeSourceSettings(sql: Sql, source: string): Promise<boolean> {
  const rows = await sql.query('DELETE FROM ad_source_settings WHERE source = $1 RETURNING 1', [source]);
  return rows.length === 1;
}
